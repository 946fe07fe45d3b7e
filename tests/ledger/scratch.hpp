#pragma once
// A ledger's folder for one test, removed afterwards, and shorthands to append to it.

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include "ledger/body.hpp"
#include "ledger/reader.hpp"
#include "ledger/writer.hpp"
#include "proxy/base/file.hpp"
#include "tests/temporary_folder.hpp"

namespace scratch {

class Folder : public TemporaryFolder {
 public:
  ledger::Place place() const { return {*this / "state"}; }
};

inline ledger::WriterOptions options(ledger::Durability durability = ledger::Durability::process) {
  ledger::WriterOptions options;
  options.durability = durability;
  options.operator_key = [] { return base::Result<std::string>(std::string(64, 'a')); };
  return options;
}

inline ledger::Append one(ledger::Record record, std::vector<ledger::Precondition> preconditions = {}) {
  ledger::Append append;
  append.drafts.push_back({std::move(record), {}});
  append.preconditions = std::move(preconditions);
  return append;
}

inline ledger::Record mission_start(const std::string& id, std::uint8_t key) {
  base::Digest digest{};
  digest.fill(key);
  ledger::Record record;
  record.type = ledger::Type::mission_start;
  record.mission = id;
  record.details["key"] = base::hex(digest);
  return record;
}

inline ledger::Record decision(const std::string& mission, const std::string& tier,
                               std::int64_t expires = 0) {
  ledger::Record record;
  record.type = ledger::Type::decision;
  record.mission = mission;
  record.call = 1;
  record.server = "files";
  record.capability = ledger::Capability{"tools/call", "read_file", {"use", "read"}, {}};
  record.decision = tier;
  if (expires != 0) record.details["expires"] = std::to_string(expires);
  return record;
}

inline ledger::Record answering(ledger::Type type, const ledger::Reference& answered) {
  ledger::Record record;
  record.type = type;
  record.answers = answered;
  if (type == ledger::Type::outcome) record.outcome = ledger::Outcome{"answered", "", false, 12, 1000};
  return record;
}

// Runs `body` in a process of its own, which ends with what it returns and without any destructor. This
// process must have no writer and no reader open.
template <class Body>
pid_t spawn(Body body) {
  const pid_t child = ::fork();
  if (child == 0) {
    int code = 99;
    try {
      code = body();
    } catch (...) {
    }
    ::_exit(code);
  }
  return child;
}

// The exit code; 128 + signal when killed.
inline int wait_for(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

inline std::vector<ledger::StoredRecord> all_records(const ledger::Place& place) {
  std::vector<ledger::StoredRecord> records;
  const auto reader = ledger::Reader::open(place).value();
  reader
      ->scan(0, ~std::uint64_t{0},
             [&](const ledger::StoredRecord& stored) {
               records.push_back(stored);
               return true;
             })
      .value();
  return records;
}

// Empty when the records are one chain from genesis, each of one ledger; else where it breaks.
inline std::string broken_chain(const std::vector<ledger::StoredRecord>& records) {
  ledger::Fold fold;
  base::Digest previous{};
  for (std::size_t i = 0; i < records.size(); ++i) {
    const auto& record = records[i].record;
    if (record.sequence != i) return "sequence at " + std::to_string(i);
    if (record.previous != previous) return "previous at " + std::to_string(i);
    if (record.ledger != records[0].record.ledger) return "ledger at " + std::to_string(i);
    previous = ledger::leaf_of(records[i].body);
    fold.apply(record, previous);
  }
  return {};
}

inline std::size_t count(const std::vector<ledger::StoredRecord>& records, ledger::Type type) {
  std::size_t found = 0;
  for (const auto& stored : records) found += stored.record.type == type ? 1 : 0;
  return found;
}

inline ledger::Fold folded(const std::vector<ledger::StoredRecord>& records) {
  ledger::Fold fold;
  for (const auto& stored : records) fold.apply(stored.record, stored.leaf);
  return fold;
}

}  // namespace scratch
