// Checkpoints, the keys that sign them, and what verify makes of both.

#include <algorithm>
#include <filesystem>
#include <thread>

#include "ledger/checkpoint.hpp"
#include "ledger/database.hpp"
#include "ledger/doorbell.hpp"
#include "ledger/store.hpp"
#include "proxy/base/clock.hpp"
#include "tests/catch.hpp"
#include "tests/ledger/verify_ledger.hpp"

using ledger::Kind;
using ledger::Report;
using ledger::Writer;
using scratch::SmallLedger;
using scratch::Tamper;
using Level = ledger::Report::Level;

namespace {

std::vector<std::uint64_t> sizes(const ledger::Place& place) {
  const auto database =
      ledger::Database::open(ledger::database_path(place), ledger::Database::Mode::read).value();
  auto rows = database.prepare("SELECT size FROM checkpoint ORDER BY size").value();
  std::vector<std::uint64_t> found;
  while (rows.step().value()) found.push_back(static_cast<std::uint64_t>(rows.integer(0)));
  return found;
}

std::string note_at(const ledger::Place& place, std::uint64_t size) {
  const auto database =
      ledger::Database::open(ledger::database_path(place), ledger::Database::Mode::read).value();
  auto row = database.prepare("SELECT note FROM checkpoint WHERE size = ?").value();
  row.bind_integer(1, static_cast<std::int64_t>(size));
  return row.step().value() ? std::string(row.blob(0)) : "";
}

ledger::VerifyOptions pinned(const ledger::Place& place) {
  const std::string key = ledger::verify(place).value().first_key;
  return {.pins = {ledger::read_verifier_key(key).value()}};
}

bool says(const Report& report, const std::string& words) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const ledger::Finding& finding) {
    return finding.what.find(words) != std::string::npos;
  });
}

ledger::Append calls(int count) {
  ledger::Append append;
  for (int i = 0; i < count; ++i) append.drafts.push_back({scratch::decision("m-1", "ALLOW"), {}});
  return append;
}

}  // namespace

TEST_CASE("a checkpoint signs every 256 records, what ends, and the shutdown", "[signing]") {
  const scratch::Folder folder;
  {
    const auto writer = Writer::open(folder.place(), scratch::options()).value();
    writer->append_now(scratch::one(scratch::mission_start("m-1", 1))).value();
    CHECK(sizes(folder.place()).empty());
    writer->append_now(calls(252)).value();
    CHECK(sizes(folder.place()).empty());
    writer->append_now(calls(1)).value();
    CHECK(sizes(folder.place()) == std::vector<std::uint64_t>{256});
    ledger::Record end;
    end.type = ledger::Type::mission_end;
    end.mission = "m-1";
    writer->append_now(scratch::one(end)).value();
    CHECK(sizes(folder.place()) == std::vector<std::uint64_t>{256, 257});
  }
  CHECK(sizes(folder.place()) == std::vector<std::uint64_t>{256, 257, 258});
  const Report report = ledger::verify(folder.place(), pinned(folder.place())).value();
  CHECK(report.level == Level::head_signed);
  CHECK(report.checkpoints == 3);
  CHECK(report.unproven.empty());
}

TEST_CASE("records that nothing follows are signed after a while", "[signing]") {
  const scratch::Folder folder;
  auto options = scratch::options();
  options.checkpoint_wait = std::chrono::milliseconds(1);
  const auto writer = Writer::open(folder.place(), options).value();
  writer->append_now(calls(1)).value();
  while (sizes(folder.place()).empty()) std::this_thread::yield();
  CHECK(sizes(folder.place()).back() == 3);
}

TEST_CASE("several writers grow one tree", "[signing]") {
  const scratch::Folder folder;
  {
    const auto one = Writer::open(folder.place(), scratch::options()).value();
    const auto two = Writer::open(folder.place(), scratch::options()).value();
    for (int i = 0; i < 150; ++i) {
      one->append_now(calls(1)).value();
      two->append_now(calls(2)).value();
    }
  }
  const Report report = ledger::verify(folder.place(), pinned(folder.place())).value();
  CHECK(report.findings_count == 0);
  CHECK(report.checkpoints >= 3);
  CHECK(report.level == Level::head_signed);
}

TEST_CASE("without a pin no key is believed, and another pin is a finding", "[signing]") {
  const SmallLedger ledger;
  CHECK(ledger.verify().level == Level::self_consistent);
  CHECK(ledger.verify().unproven == "records 0 to 11");
  const auto place = ledger.folder.place();
  CHECK(ledger::verify(place, pinned(place)).value().level == Level::head_signed);
  const SmallLedger other;
  const Report report = ledger::verify(place, pinned(other.folder.place())).value();
  CHECK(report.level == Level::inconsistent);
  CHECK(report.kind == Kind::checkpoint);
  CHECK(says(report, "none of those that are pinned"));
}

TEST_CASE("a ledger made anew from the same records is not the one that is pinned", "[signing]") {
  const SmallLedger ledger;
  const auto place = ledger.folder.place();
  const auto options = pinned(place);
  std::filesystem::remove_all(place.folder);
  { const auto writer = Writer::open(place, scratch::options()).value(); }
  const Report report = ledger::verify(place, options).value();
  CHECK(report.level == Level::inconsistent);
  CHECK(report.kind == Kind::checkpoint);
}

TEST_CASE("a changed, removed or added checkpoint is found", "[signing]") {
  const SmallLedger ledger;
  Tamper tamper(ledger);
  const std::int64_t size = 12;
  REQUIRE(sizes(ledger.folder.place()) == std::vector<std::uint64_t>{12});
  for (int at = 0; tamper.flip("checkpoint", "note", size, at, 1); ++at) {
    INFO(at);
    const Report report = ledger.verify();
    CHECK(report.level == Level::inconsistent);
    CHECK(report.kind == Kind::checkpoint);
    REQUIRE(tamper.flip("checkpoint", "note", size, at, 1));
  }
  tamper.run("CREATE TEMP TABLE kept AS SELECT * FROM checkpoint");
  tamper.change("UPDATE checkpoint SET size = 11");
  CHECK(says(ledger.verify(), "no signed note of these records"));
  tamper.change("UPDATE checkpoint SET size = 13");
  CHECK(ledger.verify().level == Level::lost);
  tamper.change("UPDATE checkpoint SET size = 12; INSERT INTO checkpoint SELECT 5, note FROM checkpoint");
  CHECK(says(ledger.verify(), "no signed note of these records"));
  tamper.change("DELETE FROM checkpoint WHERE size = 5");
  REQUIRE(ledger.verify().findings_count == 0);
  tamper.change("DELETE FROM checkpoint");
  CHECK(says(ledger.verify(), "the tree at the last checkpoint"));
}

TEST_CASE("a writer goes on from no tree but the one that is signed", "[signing]") {
  const SmallLedger ledger;
  Tamper tamper(ledger);
  const auto refused = [&] {
    const auto writer = Writer::open(ledger.folder.place(), scratch::options());
    return !writer && writer.error().code() == base::Code::conflict;
  };
  tamper.run("CREATE TEMP TABLE kept AS SELECT * FROM state");
  tamper.run("UPDATE state SET value = replace(value, 'a', 'b') WHERE name = 'tree'");
  CHECK(refused());
  tamper.run("DELETE FROM state WHERE name = 'tree'");
  CHECK(refused());
  tamper.run("DELETE FROM state; INSERT INTO state SELECT * FROM kept");
  CHECK_FALSE(refused());
}

TEST_CASE("another key signs after a rotation, the old one is gone, and both are held against their time",
          "[signing]") {
  const scratch::Folder folder;
  const std::string key_file = folder.place().folder + "/keys/ledger.key";
  {
    const auto writer = Writer::open(folder.place(), scratch::options()).value();
    const auto other = Writer::open(folder.place(), scratch::options()).value();
    const std::string before = base::read_file(key_file, 100).value();
    writer->append_now(calls(3)).value();
    const auto rotated = writer->rotate_key().value();
    CHECK(base::read_file(key_file, 100).value() != before);
    CHECK_FALSE(std::filesystem::exists(key_file + ".next"));
    CHECK(sizes(folder.place()) == std::vector<std::uint64_t>{rotated.sequence, rotated.sequence + 1});
    other->append_now(calls(300)).value();
    writer->rotate_key().value();
  }
  const Report report = ledger::verify(folder.place(), pinned(folder.place())).value();
  CHECK(report.findings_count == 0);
  CHECK(report.level == Level::head_signed);
}

TEST_CASE("a rotation that was cut off is finished when it is on record, and else dropped", "[signing]") {
  const scratch::Folder folder;
  const std::string keys = folder.place().folder + "/keys/";
  { const auto writer = Writer::open(folder.place(), scratch::options()).value(); }
  const std::string before = base::read_file(keys + "ledger.key", 100).value();
  { Writer::open(folder.place(), scratch::options()).value()->rotate_key().value(); }
  const std::string after = base::read_file(keys + "ledger.key", 100).value();
  const auto write = [&](const char* name, const std::string& bytes) {
    base::write_file(keys + name, bytes, 0600).value();
  };
  write("ledger.key", before);
  write("ledger.key.next", after);
  { Writer::open(folder.place(), scratch::options()).value()->append_now(calls(1)).value(); }
  CHECK(base::read_file(keys + "ledger.key", 100).value() == after);
  write("ledger.key.next", before);
  { Writer::open(folder.place(), scratch::options()).value()->append_now(calls(1)).value(); }
  CHECK(base::read_file(keys + "ledger.key", 100).value() == after);
  CHECK_FALSE(std::filesystem::exists(keys + "ledger.key.next"));
  CHECK(ledger::verify(folder.place()).value().findings_count == 0);
  write("ledger.key", base::hex(base::random_bytes(32)) + "\n");
  const auto writer = Writer::open(folder.place(), scratch::options());
  REQUIRE(writer.has_value());
  CHECK((*writer)->append_now(calls(300)).error().code() == base::Code::conflict);
}

TEST_CASE("a key that the one before did not sign is found", "[signing]") {
  const scratch::Folder folder;
  {
    const auto writer = Writer::open(folder.place(), scratch::options()).value();
    ledger::Record rotation;
    rotation.type = ledger::Type::key_rotation;
    rotation.details = {{"key", std::string(64, '1')}, {"signature", std::string(128, '2')}};
    CHECK_FALSE(writer->append_now(scratch::one(rotation)).has_value());  // nobody has that key to sign with
  }
  CHECK(ledger::verify(folder.place()).value().findings_count == 0);
}

TEST_CASE("what anchors hold is counted, and tells what was cut off or rewritten", "[signing]") {
  const SmallLedger ledger(300);
  const auto place = ledger.folder.place();
  const auto all = sizes(place);
  REQUIRE(all.size() >= 3);
  auto options = pinned(place);
  options.anchors = {{"one", {note_at(place, all[0])}, ""},
                     {"two", {note_at(place, all[0]), note_at(place, all[1])}, ""},
                     {"empty", {}, ""},
                     {"gone", {}, "cannot be reached"},
                     {"nonsense", {"nonsense"}, ""}};
  const Report report = ledger::verify(place, options).value();
  CHECK(report.level == Level::anchored);
  CHECK(report.anchored() == 2);
  CHECK(report.anchored_size == all[1]);
  CHECK(report.unproven ==
        "records " + std::to_string(all[1]) + " to " + std::to_string(report.head.sequence));

  const SmallLedger other(300);
  options.anchors = {{"other", {note_at(other.folder.place(), all[0])}, ""}};
  CHECK(ledger::verify(place, options).value().anchored() == 0);
}

TEST_CASE("records cut off with mark and checkpoints are missed by who holds a copy of one", "[signing]") {
  const SmallLedger ledger(300);
  const auto place = ledger.folder.place();
  auto options = pinned(place);
  options.anchors = {{"one", {note_at(place, sizes(place).back())}, ""}};
  Tamper tamper(ledger);
  tamper.change(
      "DELETE FROM record WHERE sequence > 400; DELETE FROM checkpoint WHERE size > 400; DELETE FROM "
      "payload WHERE id / 64 > 400");
  const auto head = scratch::all_records(place).back();
  base::write_file(ledger.file("ledger.mark"), ledger::encode_mark({head.record.sequence, head.leaf}), 0600)
      .value();
  const Report report = ledger::verify(place, options).value();
  CHECK(report.level == Level::lost);
  CHECK(report.loss.find("anchor") != std::string::npos);
}

TEST_CASE("a clock that was set is on record before what is written next", "[signing]") {
  const scratch::Folder folder;
  std::int64_t shift = 0;
  auto options = scratch::options();
  options.wall_clock = [&] { return base::wall_now().time_since_epoch().count() + shift; };
  {
    const auto writer = Writer::open(folder.place(), options).value();
    writer->append_now(calls(1)).value();
    shift = -7'000'000'000;
    const auto written = writer->append_now(calls(1)).value();
    CHECK(written.records.at(0).sequence == 4);
    writer->append_now(calls(1)).value();
  }
  const auto records = scratch::all_records(folder.place());
  REQUIRE(scratch::count(records, ledger::Type::degraded) == 1);
  CHECK(records[3].record.detail("reason") == "clock_step");
  CHECK(records[3].record.detail("direction") == "back");
  CHECK(std::stoll(records[3].record.detail("step")) / 100'000'000 / 10 >= 6);
}

TEST_CASE("the same bytes are stored once in a mission, and in each mission apart", "[signing]") {
  const scratch::Folder folder;
  const std::string large(5000, 'x');
  {
    const auto writer = Writer::open(folder.place(), scratch::options()).value();
    for (const char* mission : {"m-1", "m-1", "m-2", "m-1"}) {
      ledger::Append append;
      append.drafts.push_back(
          {scratch::decision(mission, "ALLOW"), {{"arguments", large}, {"effects", "[]"}}});
      writer->append_now(append).value();
    }
  }
  const auto database =
      ledger::Database::open(ledger::database_path(folder.place()), ledger::Database::Mode::read).value();
  CHECK(database.integer("SELECT count(*) FROM payload WHERE same IS NOT NULL").value() == 2);
  CHECK(database.integer("SELECT count(*) FROM cipher").value() == 2);
  const auto reader = ledger::Reader::open(folder.place()).value();
  for (const auto& stored : scratch::all_records(folder.place()))
    if (stored.record.type == ledger::Type::decision)
      CHECK(reader->payload(stored, "arguments").value() == large);
  const Report report = ledger::verify(folder.place()).value();
  CHECK(report.findings_count == 0);
  CHECK(report.payloads == 8);
}

TEST_CASE("payloads whose key file is gone are said to be unopened, and nothing is written to that ledger",
          "[signing]") {
  const SmallLedger ledger;
  std::filesystem::remove(ledger.file("keys/payloads.key"));
  const Report report = ledger.verify();
  CHECK(report.level == Level::inconsistent);
  CHECK(says(report, "cannot be opened"));
  CHECK_FALSE(Writer::open(ledger.folder.place(), scratch::options()).has_value());
}
