#include "ledger/verify.hpp"

#include <algorithm>
#include <filesystem>

#include "tests/catch.hpp"
#include "tests/ledger/verify_ledger.hpp"

using ledger::Finding;
using ledger::Report;
using scratch::SmallLedger;
using scratch::Tamper;
using Level = ledger::Report::Level;

namespace {

bool names(const Report& report, std::uint64_t sequence) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [&](const Finding& finding) { return finding.sequence == sequence; });
}

bool says(const Report& report, const std::string& words) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [&](const Finding& finding) { return finding.what.find(words) != std::string::npos; });
}

std::string all(const Report& report) {
  std::string text = std::string(name(report.level)) + " " + report.loss + "\n";
  for (const auto& finding : report.findings)
    text += std::to_string(finding.sequence) + ": " + finding.what + "\n";
  return text;
}

}  // namespace

TEST_CASE("a ledger that nobody touched is self-consistent, and no more than that is claimed", "[verify]") {
  const SmallLedger ledger;
  const Report report = ledger.verify();
  INFO(all(report));
  CHECK(report.level == Level::self_consistent);
  CHECK(std::string(name(report.level)) == "SELF-CONSISTENT");
  CHECK(report.findings_count == 0);
  CHECK(report.records == 12);
  CHECK(report.payloads == 5);
  CHECK(report.head.sequence == 11);
  CHECK(report.ledger.size() == 32);
  CHECK(report.unproven == "records 0 to 11");
}

TEST_CASE("where no ledger is, that is what is said", "[verify]") {
  const scratch::Folder folder;
  const auto report = ledger::verify(folder.place());
  REQUIRE(report.has_error());
  CHECK(report.error().code() == base::Code::not_found);
}

TEST_CASE("a flipped byte of a body is found in its record", "[verify]") {
  const SmallLedger ledger;
  Tamper tamper(ledger);
  for (std::int64_t sequence = 0; sequence < 12; ++sequence)
    for (int at = static_cast<int>(sequence) % 5; tamper.flip("record", "body", sequence, at, 1); at += 41) {
      const Report report = ledger.verify();
      INFO("record " << sequence << " byte " << at << "\n" << all(report));
      CHECK(report.level == Level::inconsistent);
      CHECK(names(report, static_cast<std::uint64_t>(sequence)));
      tamper.flip("record", "body", sequence, at, 1);
    }
  CHECK(ledger.verify().findings_count == 0);
}

TEST_CASE("a flipped byte of a leaf or a derived text is found in its record", "[verify]") {
  const SmallLedger ledger;
  Tamper tamper(ledger);
  for (const char* column : {"leaf", "type", "mission", "server", "tool", "decision", "status"}) {
    int flipped = 0;
    for (std::int64_t sequence = 0; sequence < 12; ++sequence)
      for (int at = 0; at < 32 && tamper.flip("record", column, sequence, at, 1); at += 5) {
        const Report report = ledger.verify();
        INFO(column << " of record " << sequence << "\n" << all(report));
        CHECK(report.level != Level::self_consistent);
        CHECK(names(report, static_cast<std::uint64_t>(sequence)));
        tamper.flip("record", column, sequence, at, 1);
        ++flipped;
      }
    CHECK(flipped > 0);
  }
  CHECK(ledger.verify().findings_count == 0);
}

TEST_CASE("a changed derived number, and one where none should be, is found in its record", "[verify]") {
  const SmallLedger ledger;
  Tamper tamper(ledger);
  for (const std::string column : {"time", "call", "answers"})
    for (int sequence = 0; sequence < 12; ++sequence) {
      const std::string row = " WHERE sequence = " + std::to_string(sequence);
      tamper.change("UPDATE record SET " + column + " = coalesce(" + column + ", -2) + 1" + row);
      const Report report = ledger.verify();
      INFO(column << " of record " << sequence << "\n" << all(report));
      CHECK(names(report, static_cast<std::uint64_t>(sequence)));
      tamper.change("UPDATE record SET " + column + " = nullif(" + column + " - 1, -2)" + row);
    }
  CHECK(ledger.verify().findings_count == 0);
  tamper.change("UPDATE record SET mission = NULL WHERE sequence = 3");
  CHECK(names(ledger.verify(), 3));
}

TEST_CASE("a flipped byte of a payload, its salt or its slot is found in its record", "[verify]") {
  const SmallLedger ledger;
  Tamper tamper(ledger);
  std::int64_t id = -1;
  int compressed = 0;
  while ((id = tamper.integer("SELECT min(id) FROM payload WHERE id > " + std::to_string(id))) > 0) {
    compressed +=
        static_cast<int>(tamper.integer("SELECT codec FROM payload WHERE id = " + std::to_string(id)));
    for (const char* column : {"slot", "salt", "bytes"})
      for (int at = 0; tamper.flip("payload", column, id, at, 16); at += 7) {
        const Report report = ledger.verify();
        INFO(column << " of payload " << id << " byte " << at << "\n" << all(report));
        CHECK(names(report, static_cast<std::uint64_t>(id / 64)));
        tamper.flip("payload", column, id, at, 16);
      }
    for (const std::string column : {"codec", "key", "same", "id"}) {
      const std::string row = std::to_string(id);
      tamper.change("UPDATE payload SET " + column + " = coalesce(" + column + ", 0) + 7 WHERE id = " + row);
      CHECK(names(ledger.verify(), static_cast<std::uint64_t>(id / 64)));
      tamper.change(column == "id" ? "UPDATE payload SET id = id - 7 WHERE id = " + std::to_string(id + 7)
                    : column == "same"
                        ? "UPDATE payload SET same = NULL WHERE id = " + row
                        : "UPDATE payload SET " + column + " = " + column + " - 7 WHERE id = " + row);
    }
  }
  CHECK(compressed == 1);
  CHECK(ledger.verify().findings_count == 0);
}

TEST_CASE("a payload that is gone, or that nothing commits to, is found", "[verify]") {
  const SmallLedger ledger;
  Tamper tamper(ledger);
  const std::int64_t id = tamper.integer("SELECT min(id) FROM payload");
  tamper.change("CREATE TEMP TABLE kept AS SELECT * FROM payload; DELETE FROM payload WHERE id = " +
                std::to_string(id));
  CHECK(says(ledger.verify(), "all of its payloads are missing"));
  tamper.run("INSERT INTO payload SELECT * FROM kept WHERE id = " + std::to_string(id));
  CHECK(ledger.verify().findings_count == 0);
  for (const std::int64_t extra : {std::int64_t{1}, id + 1, std::int64_t{999999}}) {
    tamper.run("INSERT INTO payload SELECT " + std::to_string(extra) +
               ", slot, salt, codec, key, same, bytes FROM kept LIMIT 1");
    CHECK(names(ledger.verify(), static_cast<std::uint64_t>(extra / 64)));
    tamper.change("DELETE FROM payload WHERE id = " + std::to_string(extra));
  }
}

TEST_CASE("every change of a derived table is found", "[verify]") {
  const SmallLedger ledger;
  Tamper tamper(ledger);
  struct Change {
    std::string there, back;
    std::uint64_t sequence;
  };
  const std::uint64_t ask = 9;
  const std::uint64_t mission = 2;
  std::vector<Change> changes = {
      {"UPDATE mission SET state = 'paused'", "UPDATE mission SET state = 'active'", mission},
      {"UPDATE mission SET start = start + 1", "UPDATE mission SET start = start - 1", mission},
      {"UPDATE mission SET key = zeroblob(32)", "", mission},
      {"UPDATE mission SET id = 'm-2'", "UPDATE mission SET id = 'm-1'", mission},
      {"UPDATE ask SET state = 'allowed'", "UPDATE ask SET state = 'open'", ask},
      {"UPDATE ask SET mission = 'x'", "UPDATE ask SET mission = 'm-1'", ask},
      {"UPDATE ask SET tool = 'x'", "UPDATE ask SET tool = 'read_file'", ask},
      {"UPDATE ask SET call = randomblob(32)", "UPDATE ask SET call = zeroblob(32)", ask},
      {"UPDATE ask SET repeat = zeroblob(32)", "UPDATE ask SET repeat = x''", ask},
      {"UPDATE ask SET answer = 3", "UPDATE ask SET answer = 0", ask},
      {"UPDATE ask SET expires = expires + 1", "UPDATE ask SET expires = expires - 1", ask},
      {"UPDATE ask SET asked = asked + 1", "UPDATE ask SET asked = asked - 1", ask},
      {"UPDATE ask SET decision = 3", "UPDATE ask SET decision = 9", ask},
      {"UPDATE state SET value = replace(value, substr(value, 1, 1), 'z')", "", 0},
      {"INSERT INTO state VALUES('more', 'x')", "DELETE FROM state WHERE name = 'more'", Finding::no_record},
      {"INSERT INTO cipher VALUES(1, 'm-1', x'00')", "DELETE FROM cipher WHERE id = 1", Finding::no_record},
      {"UPDATE trust SET policy = randomblob(32)", "", 10},
      {"DELETE FROM trust", "", 10},
      {"DELETE FROM ask", "", ask},
      {"DELETE FROM mission", "", mission},
  };
  tamper.run(
      "CREATE TEMP TABLE old_mission AS SELECT * FROM mission; CREATE TEMP TABLE old_ask AS SELECT * FROM "
      "ask;"
      "CREATE TEMP TABLE old_trust AS SELECT * FROM trust; CREATE TEMP TABLE old_state AS SELECT * FROM "
      "state");
  for (const Change& change : changes) {
    tamper.run(change.there);
    const Report report = ledger.verify();
    INFO(change.there << "\n" << all(report));
    CHECK(report.level == Level::inconsistent);
    CHECK(names(report, change.sequence));
    if (change.back.empty())
      for (const std::string table : {"mission", "ask", "trust", "state"})
        tamper.run("DELETE FROM " + table + "; INSERT INTO " + table + " SELECT * FROM old_" + table);
    else
      tamper.run(change.back);
  }
  CHECK(ledger.verify().findings_count == 0);
}

TEST_CASE("records that were removed, swapped or put in are found", "[verify]") {
  const SmallLedger ledger;
  Tamper tamper(ledger);
  tamper.change("CREATE TEMP TABLE kept AS SELECT * FROM record; DELETE FROM record WHERE sequence = 5");
  CHECK(says(ledger.verify(), "records 5 to 5 are missing"));
  tamper.run("INSERT INTO record SELECT * FROM kept WHERE sequence = 5");
  REQUIRE(ledger.verify().findings_count == 0);

  tamper.change(
      "DELETE FROM record WHERE sequence IN (5, 6); INSERT INTO record SELECT 11 - sequence, body, leaf, "
      "time, type, "
      "mission, call, answers, server, tool, decision, status FROM kept WHERE sequence IN (5, 6)");
  CHECK(names(ledger.verify(), 5));
  CHECK(names(ledger.verify(), 6));
  tamper.change("DELETE FROM record; INSERT INTO record SELECT * FROM kept");
  REQUIRE(ledger.verify().findings_count == 0);

  tamper.run(
      "INSERT INTO record SELECT 12, body, leaf, time, type, mission, call, answers, server, tool, decision, "
      "status "
      "FROM kept WHERE sequence = 4");
  CHECK(names(ledger.verify(), 12));
  tamper.change("DELETE FROM record WHERE sequence = 12");

  tamper.run(
      "INSERT INTO record SELECT -1, body, leaf, time, type, mission, call, answers, server, tool, decision, "
      "status "
      "FROM kept WHERE sequence = 4");
  CHECK(says(ledger.verify(), "negative"));
}

TEST_CASE("records cut off at the end are a loss that the mark tells", "[verify]") {
  const SmallLedger ledger;
  Tamper tamper(ledger);
  for (int head = 10; head >= 0; --head) {
    tamper.change("DELETE FROM record WHERE sequence > " + std::to_string(head) +
                  "; DELETE FROM payload WHERE id / 64 > " + std::to_string(head));
    const Report report = ledger.verify();
    INFO(all(report));
    CHECK(report.level == Level::lost);
    CHECK(report.loss.find("to 11 are lost") != std::string::npos);
  }
}

TEST_CASE("a mark that is damaged, missing or of another history is a loss", "[verify]") {
  const SmallLedger ledger;
  const SmallLedger other;
  namespace fs = std::filesystem;
  fs::copy_file(ledger.file("ledger.mark"), ledger.file("kept"));
  fs::resize_file(ledger.file("ledger.mark"), 63);
  CHECK(ledger.verify().level == Level::lost);
  fs::remove(ledger.file("ledger.mark"));
  CHECK(ledger.verify().level == Level::lost);
  fs::copy_file(other.file("ledger.mark"), ledger.file("ledger.mark"));
  CHECK(ledger.verify().level == Level::lost);
  fs::remove(ledger.file("ledger.mark"));
  fs::copy_file(ledger.file("kept"), ledger.file("ledger.mark"));
  CHECK(ledger.verify().level == Level::self_consistent);
  for (const char* file : {"ledger.db", "ledger.db-wal", "ledger.db-shm"}) fs::remove(ledger.file(file));
  CHECK(ledger.verify().level == Level::lost);
}

TEST_CASE("what is not the schema is found, also a view in place of a table", "[verify]") {
  for (const auto& [sql, words] : {
           std::pair<std::string, std::string>{"CREATE INDEX more ON record(mission)", "`more`"},
           {"CREATE TRIGGER more AFTER INSERT ON record BEGIN SELECT 1; END", "`more`"},
           {"CREATE TABLE more(x)", "`more`"},
           {"DROP TRIGGER record_update", "lacks the trigger `record_update`"},
           {"DROP TABLE cipher", "lacks the table `cipher`"},
           {"ALTER TABLE record RENAME TO hidden; CREATE VIEW record AS SELECT * FROM hidden",
            "lacks the table `record`"},
           {"ALTER TABLE payload ADD COLUMN more TEXT", "lacks the table `payload`"},
           {"PRAGMA user_version=2", "user version"},
           {"PRAGMA application_id=7", "application id"},
       }) {
    const SmallLedger ledger;
    Tamper(ledger).run(sql);
    const Report report = ledger.verify();
    INFO(sql << "\n" << all(report));
    CHECK(report.level != Level::self_consistent);
    CHECK(says(report, words));
  }
}

TEST_CASE(
    "a ledger that was made anew as a whole is not told from the first, and verify says which range that is",
    "[verify]") {
  const SmallLedger first;
  const SmallLedger anew;
  CHECK(anew.verify().level == Level::self_consistent);
  CHECK(anew.verify().unproven == "records 0 to 11");
}
