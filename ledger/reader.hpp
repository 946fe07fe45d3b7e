#pragma once
// Reads records and payloads. Never writes, never takes the ledger's lock for longer than opening.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ledger/fold.hpp"
#include "ledger/record.hpp"
#include "ledger/writer.hpp"
#include "proxy/base/error.hpp"

namespace ledger {

struct StoredRecord {
  Record record;
  std::string body;  // the exact bytes
  base::Digest leaf{};
};

class Reader {
 public:
  // Code::not_found when there is no ledger.
  static base::Result<std::unique_ptr<Reader>> open(const Place& place);
  ~Reader();

  base::Result<std::optional<Reference>> head() const;
  base::Result<std::optional<StoredRecord>> record(std::uint64_t sequence) const;
  // In order from `first`, at most `count`; stops early when `each` returns false.
  base::Result<void> scan(std::uint64_t first, std::uint64_t count,
                          const std::function<bool(const StoredRecord&)>& each) const;
  // Those of the mission, in order, and some of others between: what stands near them.
  base::Result<void> scan_mission(const std::string& mission,
                                  const std::function<bool(const StoredRecord&)>& each) const;
  // From the head backwards; stops early when `each` returns false. With a mission, as scan_mission() has
  // them.
  base::Result<void> scan_back(const std::function<bool(const StoredRecord&)>& each,
                               const std::string& mission = {}) const;
  // The redacted bytes; nullopt when erased or purged. Code::invalid when they do not match the commitment.
  base::Result<std::optional<std::string>> payload(const StoredRecord& record, std::string_view slot) const;
  // The fold from the derived tables (quick).
  base::Result<Fold> state() const;

 private:
  struct Database;
  explicit Reader(std::unique_ptr<Database> database);
  std::unique_ptr<Database> database_;
};

}  // namespace ledger
