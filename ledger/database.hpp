#pragma once
// A thin owner of SQLite handles. A Database and its statements belong to one thread at a time. Errors are
// values: Code::io (disk, permissions, full), Code::invalid (not a database, damaged), Code::unavailable
// (busy).

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "proxy/base/error.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace ledger {

// One prepared statement. Parameters count from 1, columns from 0. Bound text and blobs are not copied: they
// must live until reset(). A failed bind is reported by the next step().
class Statement {
 public:
  Statement() = default;

  void bind_integer(int parameter, std::int64_t value);
  void bind_text(int parameter, std::string_view value);
  void bind_blob(int parameter, std::string_view value);
  void bind_copied_blob(int parameter, std::string_view value);  // the value may go at once
  void bind_null(int parameter);

  // True: a row is there. False: done.
  base::Result<bool> step();
  // Steps to the end, then reset(). For statements without rows.
  base::Result<void> run();
  void reset();  // also forgets what was bound

  // Of the present row; views live until the next step() or reset().
  std::int64_t integer(int column) const;
  std::string_view text(int column) const;
  std::string_view blob(int column) const;
  bool is_null(int column) const;

 private:
  friend class Database;
  struct Finalizer {
    void operator()(sqlite3_stmt* statement) const;
  };
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}
  std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
  int bind_error_ = 0;
};

class Database {
 public:
  static constexpr int busy_wait_ms =
      1000;                                 // for who else has the database; the ledger's lock orders writers
  enum class Mode { read, write, create };  // create: makes an empty file with mode 0600 when there is none
  // The path's last part must not be a link. Every connection: defensive, untrusted schema, checked cells, no
  // checkpoint by itself and none at closing (checkpoints happen under the ledger's lock only).
  static base::Result<Database> open(const std::string& path, Mode mode);

  base::Result<Statement> prepare(std::string_view sql) const;
  base::Result<void> run(const std::string& sql) const;  // any number of statements without rows of interest
  // First column of the first row; Code::not_found when there is none.
  base::Result<std::int64_t> integer(std::string_view sql) const;
  bool in_transaction() const;
  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Closer {
    void operator()(sqlite3* handle) const;
  };
  explicit Database(sqlite3* handle) : handle_(handle) {}
  std::unique_ptr<sqlite3, Closer> handle_;
};

}  // namespace ledger
