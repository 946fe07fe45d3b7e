// Ledgers whose chain and columns are right, and whose meaning is not.

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "tests/catch.hpp"
#include "tests/ledger/verify_ledger.hpp"

using ledger::Finding;
using ledger::Report;
using ledger::Type;
using scratch::SmallLedger;
using Level = ledger::Report::Level;
namespace fs = std::filesystem;

namespace {

bool says(const Report& report, std::uint64_t sequence, const std::string& words) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
    return finding.sequence == sequence && finding.what.find(words) != std::string::npos;
  });
}

std::unique_ptr<ledger::Writer> writer_of(const SmallLedger& ledger) {
  return ledger::Writer::open(ledger.folder.place(), scratch::options()).value();
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write(const std::string& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

TEST_CASE("an answer that the operator did not sign is found", "[verify]") {
  const SmallLedger ledger;
  const auto forger = base::SigningKey::generate();
  std::uint64_t at = 0;
  {
    const auto writer = writer_of(ledger);
    const auto asked = scratch::decision("m-1", "ASK", 4102444800000000000);
    const auto ask = writer->append_now(scratch::one(asked)).value().records[0];
    at = writer->append_now(scratch::one(scratch::answer(writer->ledger_id(), asked, ask, forger)))
             .value()
             .records[0]
             .sequence;
  }
  CHECK(says(ledger.verify(), at, "signature"));
}

TEST_CASE("an answer moved to another ask, or changed after signing, is found", "[verify]") {
  const SmallLedger ledger;
  std::vector<std::uint64_t> at;
  {
    const auto writer = writer_of(ledger);
    const auto asked = scratch::decision("m-1", "ASK", 4102444800000000000);
    const auto one = writer->append_now(scratch::one(asked)).value().records[0];
    const auto two = writer->append_now(scratch::one(asked)).value().records[0];
    auto moved = scratch::answer(writer->ledger_id(), asked, one, ledger.key);
    moved.answers = two;
    auto longer = scratch::answer(writer->ledger_id(), asked, one, ledger.key);
    longer.operator_->valid_until += 1;
    for (const auto& forged : {moved, longer})
      at.push_back(writer->append_now(scratch::one(forged)).value().records[0].sequence);
  }
  const Report report = ledger.verify();
  for (const std::uint64_t sequence : at) CHECK(says(report, sequence, "signature"));
}

TEST_CASE("a grant that is given, used and taken back is right", "[verify]") {
  const SmallLedger ledger;
  {
    const auto writer = writer_of(ledger);
    const auto asked = scratch::decision("m-1", "ASK", 4102444800000000000);
    const auto ask = writer->append_now(scratch::one(asked)).value().records[0];
    writer->append_now(scratch::one(scratch::answer(writer->ledger_id(), asked, ask, ledger.key))).value();
    const auto given =
        writer->append_now(scratch::one(scratch::grant(writer->ledger_id(), asked, ask, ledger.key)))
            .value()
            .records[0];
    auto passed = scratch::decision("m-1", "ALLOW");
    passed.details["grants"] = std::to_string(given.sequence);
    writer->append_now(scratch::one(passed)).value();
    writer->append_now(scratch::one(scratch::grant(writer->ledger_id(), asked, given, ledger.key, "deny")))
        .value();
  }
  CHECK(ledger.verify().level == Level::self_consistent);
}

TEST_CASE("a grant that is forged, moved or altered is found, and so is a call that it let pass",
          "[verify]") {
  const SmallLedger ledger;
  const auto forger = base::SigningKey::generate();
  std::vector<std::uint64_t> unsigned_;
  std::uint64_t moved = 0;
  std::uint64_t again = 0;
  std::vector<std::uint64_t> passed;
  {
    const auto writer = writer_of(ledger);
    const auto append = [&](ledger::Record record) {
      return writer->append_now(scratch::one(std::move(record))).value().records[0];
    };
    const auto asked = scratch::decision("m-1", "ASK", 4102444800000000000);
    const auto ask = append(asked);
    // Each at an ask of its own, right after its answer.
    const auto allowed = [&] {
      const auto at = append(asked);
      append(scratch::answer(writer->ledger_id(), asked, at, ledger.key));
      return at;
    };
    unsigned_.push_back(append(scratch::grant(writer->ledger_id(), asked, allowed(), forger)).sequence);
    auto to_another_ask = scratch::grant(writer->ledger_id(), asked, ask, ledger.key);
    to_another_ask.answers = allowed();
    unsigned_.push_back(append(to_another_ask).sequence);
    auto wider = scratch::grant(writer->ledger_id(), asked, allowed(), ledger.key);
    wider.details["rule"] = base::hex(base::sha256("a wider rule"));
    unsigned_.push_back(append(wider).sequence);
    auto longer = scratch::grant(writer->ledger_id(), asked, allowed(), ledger.key);
    longer.operator_->valid_until += 1;
    unsigned_.push_back(append(longer).sequence);
    auto elsewhere = scratch::grant(writer->ledger_id(), asked, allowed(), ledger.key);
    elsewhere.mission = "m-2";
    moved = append(elsewhere).sequence;
    const auto at = allowed();
    const auto good = append(scratch::grant(writer->ledger_id(), asked, at, ledger.key));
    append(scratch::grant(writer->ledger_id(), asked, good, ledger.key, "deny"));
    again = append(scratch::grant(writer->ledger_id(), asked, at, ledger.key)).sequence;
    for (const std::string& grants :
         {std::to_string(good.sequence), std::string("77"), std::string("x"), std::to_string(moved)}) {
      auto call = scratch::decision("m-1", "ALLOW");
      call.details["grants"] = grants;
      passed.push_back(append(call).sequence);
    }
  }
  const Report report = ledger.verify();
  for (const std::uint64_t sequence : unsigned_) CHECK(says(report, sequence, "signature"));
  CHECK(says(report, moved, "another mission"));
  CHECK(says(report, again, "does not follow"));
  for (const std::uint64_t sequence : passed) CHECK(says(report, sequence, "did not stand then"));
}

TEST_CASE("trust that the operator did not sign is found", "[verify]") {
  const SmallLedger ledger;
  std::uint64_t at = 0;
  {
    const auto writer = writer_of(ledger);
    auto forged = scratch::trust(writer->ledger_id(), ledger.key);
    forged.policy = base::sha256("another policy");
    at = writer->append_now(scratch::one(forged)).value().records[0].sequence;
  }
  CHECK(says(ledger.verify(), at, "signature"));
}

TEST_CASE("a release without an unused answer that allows it is found", "[verify]") {
  const SmallLedger ledger;
  std::vector<std::uint64_t> at;
  {
    const auto writer = writer_of(ledger);
    const auto asked = scratch::decision("m-1", "ASK", 4102444800000000000);
    const auto ask = writer->append_now(scratch::one(asked)).value().records[0];
    const auto release = scratch::one(scratch::answering(Type::released, ask));
    at.push_back(writer->append_now(release).value().records[0].sequence);
    writer->append_now(scratch::one(scratch::answer(writer->ledger_id(), asked, ask, ledger.key))).value();
    writer->append_now(release).value();
    at.push_back(writer->append_now(release).value().records[0].sequence);
  }
  const Report report = ledger.verify();
  CHECK(report.findings_count == 2);
  for (const std::uint64_t sequence : at) CHECK(says(report, sequence, "released"));
}

TEST_CASE("a reference to a record that the type cannot answer is found", "[verify]") {
  const SmallLedger ledger;
  std::vector<std::uint64_t> at;
  {
    const auto writer = writer_of(ledger);
    const auto mission =
        writer->append_now(scratch::one(scratch::mission_start("m-2", 9))).value().records[0];
    const auto allowed =
        writer->append_now(scratch::one(scratch::decision("m-1", "ALLOW"))).value().records[0];
    for (const auto& [type, target] :
         {std::pair{Type::outcome, mission}, {Type::withdrawn, allowed}, {Type::session_end, mission}})
      at.push_back(
          writer->append_now(scratch::one(scratch::answering(type, target))).value().records[0].sequence);
    auto alone = scratch::answering(Type::outcome, mission);
    alone.answers.reset();
    at.push_back(writer->append_now(scratch::one(alone)).value().records[0].sequence);
  }
  const Report report = ledger.verify();
  CHECK(report.findings_count == at.size());
  for (const std::uint64_t sequence : at) CHECK(says(report, sequence, "answer"));
}

TEST_CASE("every cut of the WAL that loses a record is found", "[verify]") {
  const SmallLedger ledger;
  const scratch::Folder other;
  const std::string database = read(ledger.file("ledger.db"));
  const std::string wal = read(ledger.file("ledger.db-wal"));
  REQUIRE(wal.size() > 32 + 24 + 4096);
  fs::create_directory(other.place().folder);
  write(other.place().folder + "/ledger.mark", read(ledger.file("ledger.mark")));
  int lost = 0;
  for (std::size_t cut = 0; cut < wal.size(); cut += 1511) {
    fs::remove(other.place().folder + "/ledger.db-shm");
    write(other.place().folder + "/ledger.db", database);
    write(other.place().folder + "/ledger.db-wal", std::string_view(wal).substr(0, cut));
    const auto report = ledger::verify(other.place());
    INFO("cut at " << cut);
    if (report.has_error()) continue;
    const bool complete = report->records == 12;
    CHECK((report->level == Level::self_consistent) == (complete && report->findings_count == 0));
    if (!complete) {
      CHECK(report->level == Level::lost);
      ++lost;
    }
  }
  CHECK(lost > 10);
}

TEST_CASE("every cut of the database that loses a record is found", "[verify]") {
  const SmallLedger ledger(40);
  scratch::Tamper(ledger).run("PRAGMA wal_checkpoint(TRUNCATE)");
  const std::string database = read(ledger.file("ledger.db"));
  const std::uint64_t records = ledger.verify().records;
  REQUIRE(ledger.verify().level == Level::self_consistent);
  for (std::size_t cut = 0; cut < database.size(); cut += 1999) {
    for (const char* gone : {"ledger.db-shm", "ledger.db-wal"}) fs::remove(ledger.file(gone));
    write(ledger.file("ledger.db"), std::string_view(database).substr(0, cut));
    const auto report = ledger::verify(ledger.folder.place());
    INFO("cut at " << cut << " of " << database.size());
    if (report.has_value() && report->level == Level::self_consistent) CHECK(report->records == records);
  }
}

TEST_CASE("a ledger in a folder that cannot be written is read all the same", "[verify]") {
  const SmallLedger ledger;
  fs::remove(ledger.file("ledger.db-shm"));
  fs::permissions(ledger.folder.place().folder, fs::perms::owner_read | fs::perms::owner_exec);
  const Report report = ledger.verify();
  fs::permissions(ledger.folder.place().folder, fs::perms::owner_all);
  CHECK(report.level == Level::self_consistent);
  CHECK(report.records == 12);
}
