#include "ledger/database.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <cerrno>

#include "proxy/base/file.hpp"
#include "proxy/base/text.hpp"

namespace ledger {
namespace {

base::Code code_of(int result) {
  switch (result & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
    case SQLITE_SCHEMA:
    case SQLITE_CONSTRAINT:
    case SQLITE_ERROR: return base::Code::invalid;
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return base::Code::unavailable;
    case SQLITE_TOOBIG: return base::Code::limit;
    default: return base::Code::io;
  }
}

base::Error error_of(sqlite3* handle, int result, const char* what) {
  std::string text = std::string("cannot ") + what + " the ledger's database: " + sqlite3_errstr(result);
  if (handle != nullptr) {
    const std::string_view detail = sqlite3_errmsg(handle);
    if (detail != sqlite3_errstr(result)) text += " (" + base::printable(detail) + ")";
  }
  return {code_of(result), std::move(text)};
}

base::Result<void> create_file(const std::string& path) {
  const base::Descriptor file(
      ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600));
  if (!file) return base::errno_error("cannot open " + base::quoted(path), errno);
  return {};
}

// Only regular files: SQLite would follow, or wait on, anything else.
base::Result<void> check_file(const std::string& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR)
      return base::Error(base::Code::not_found, "no file " + base::quoted(path));
    return base::errno_error("cannot open " + base::quoted(path), errno);
  }
  if (!S_ISREG(status.st_mode))
    return base::Error(base::Code::invalid, base::quoted(path) + " is not a regular file");
  return {};
}

}  // namespace

void Statement::Finalizer::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

void Statement::bind_integer(int parameter, std::int64_t value) {
  bind_error_ |= sqlite3_bind_int64(statement_.get(), parameter, value);
}

void Statement::bind_text(int parameter, std::string_view value) {
  const char* data = value.data() != nullptr ? value.data() : "";  // SQLite takes a null pointer for NULL
  bind_error_ |=
      sqlite3_bind_text64(statement_.get(), parameter, data, value.size(), SQLITE_STATIC, SQLITE_UTF8);
}

void Statement::bind_blob(int parameter, std::string_view value) {
  const char* data = value.data() != nullptr ? value.data() : "";
  bind_error_ |= sqlite3_bind_blob64(statement_.get(), parameter, data, value.size(), SQLITE_STATIC);
}

void Statement::bind_copied_blob(int parameter, std::string_view value) {
  const char* data = value.data() != nullptr ? value.data() : "";
  bind_error_ |= sqlite3_bind_blob64(statement_.get(), parameter, data, value.size(), SQLITE_TRANSIENT);
}

void Statement::bind_null(int parameter) { bind_error_ |= sqlite3_bind_null(statement_.get(), parameter); }

base::Result<bool> Statement::step() {
  if (bind_error_ != 0)
    return base::Error(base::Code::limit, "cannot bind a value that the ledger's database holds");
  const int result = sqlite3_step(statement_.get());
  if (result == SQLITE_ROW) return true;
  if (result == SQLITE_DONE) return false;
  const auto error = error_of(sqlite3_db_handle(statement_.get()), result, "use");
  sqlite3_reset(statement_.get());
  return error;
}

base::Result<void> Statement::run() {
  base::Result<bool> more = step();
  while (more && *more) more = step();
  reset();
  if (!more) return more.error();
  return {};
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
  bind_error_ = 0;
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::string_view Statement::text(int column) const { return blob(column); }

std::string_view Statement::blob(int column) const {
  // For text too: its bytes as stored.
  const void* data = sqlite3_column_blob(statement_.get(), column);
  const int size = sqlite3_column_bytes(statement_.get(), column);
  return data == nullptr ? std::string_view()
                         : std::string_view(static_cast<const char*>(data), static_cast<std::size_t>(size));
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

void Database::Closer::operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }

base::Result<Database> Database::open(const std::string& path, Mode mode) {
  if (mode == Mode::create)
    if (auto created = create_file(path); !created) return created.error();
  if (auto checked = check_file(path); !checked) return checked.error();
  sqlite3* handle = nullptr;
  const int flags = (mode == Mode::read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) |
                    SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE;
  const int result = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
  Database database(handle);
  if (result != SQLITE_OK) return error_of(handle, result, "open");
  for (const auto& [option, value] : {std::pair{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                                      {SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1},
                                      {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                      {SQLITE_DBCONFIG_DQS_DML, 0},
                                      {SQLITE_DBCONFIG_DQS_DDL, 0}})
    if (sqlite3_db_config(handle, option, value, nullptr) != SQLITE_OK)
      return error_of(handle, SQLITE_ERROR, "set up");
  // The file lock orders writers; this only bridges a recovery that somebody else's opening runs.
  sqlite3_busy_timeout(handle, busy_wait_ms);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, 256 << 20);
  sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0);
  if (auto set = database.run("PRAGMA cell_size_check=ON; PRAGMA wal_autocheckpoint=0"); !set)
    return set.error();
  return database;
}

base::Result<Statement> Database::prepare(std::string_view sql) const {
  sqlite3_stmt* statement = nullptr;
  const int result = sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
  if (result != SQLITE_OK) return error_of(handle_.get(), result, "read");
  return Statement(statement);
}

base::Result<void> Database::run(const std::string& sql) const {
  const int result = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (result != SQLITE_OK) return error_of(handle_.get(), result, "use");
  return {};
}

base::Result<std::int64_t> Database::integer(std::string_view sql) const {
  auto statement = prepare(sql);
  if (!statement) return statement.error();
  const auto row = statement->step();
  if (!row) return row.error();
  if (!*row) return base::Error(base::Code::not_found, "no such row in the ledger's database");
  return statement->integer(0);
}

bool Database::in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }

}  // namespace ledger
