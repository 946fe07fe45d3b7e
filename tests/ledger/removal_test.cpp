// Holds, purges and erasures: what goes, what stays, and what verify makes of forged ones.

#include <algorithm>
#include <filesystem>
#include <thread>

#include "ledger/custody.hpp"
#include "ledger/database.hpp"
#include "ledger/store.hpp"
#include "proxy/base/clock.hpp"
#include "tests/catch.hpp"
#include "tests/ledger/verify_ledger.hpp"

using ledger::Kind;
using ledger::Removal;
using ledger::Report;
using ledger::Type;
using ledger::Writer;

namespace {

constexpr const char* canary = "the-canary-sings-in-the-cage";
constexpr std::int64_t later = 4102444800000000000;  // 2100

// A mission `m-1` with calls, ended; the ledger as the operator's tools find it.
class Kept {
 public:
  Kept() {
    auto options = scratch::options();
    options.operator_key = [this] { return base::Result<std::string>(base::public_hex(key.public_key())); };
    writer = Writer::open(folder.place(), options).value();
    for (const char* mission : {"m-1", "m-2"}) {
      ledger::Record start = scratch::mission_start(mission, mission[2] == '1' ? 1 : 2);
      start.agent = ledger::Agent{"robot", "1", "2025-11-25", {}, ""};
      writer->append_now(scratch::one(start)).value();
      for (int i = 0; i < 3; ++i) {
        ledger::Append call;
        std::string large = std::string(mission) + std::string(3000, 'x') + canary;
        if (i == 2) large += "other";
        call.drafts.push_back(
            {scratch::decision(mission, "ALLOW"), {{"arguments", large}, {"effects", "[]"}}});
        calls.push_back(writer->append_now(call).value().records[0].sequence);
      }
    }
    end("m-1");
  }
  void end(const char* mission) {
    ledger::Record record;
    record.type = Type::mission_end;
    record.mission = mission;
    last = writer->append_now(scratch::one(record)).value().records[0].sequence;
  }
  ledger::Draft signed_by_operator(ledger::Record record, const char* answer = "allow") const {
    record.ledger = writer->ledger_id();
    record.operator_ = ledger::Operator{answer, "same-user", base::public_hex(key.public_key()), "", 0};
    record.operator_->signature = key.sign_hex(ledger::custody_text(record));
    return {record, {}};
  }
  ledger::Draft removal(Type type, const Removal& what) const {
    ledger::Record record;
    record.type = type;
    ledger::put(what, record);
    return signed_by_operator(record);
  }
  Removal all_of(const char* mission) const { return {mission, 0, last, 0, last + 1, {}}; }
  ledger::Draft erase_record(std::uint64_t sequence, std::vector<std::string> slots) const {
    ledger::Record record;
    record.type = Type::erase;
    record.answers = ledger::Reference{sequence, scratch::all_records(folder.place())[sequence].leaf};
    ledger::put({scratch::all_records(folder.place())[sequence].record.mission, sequence, sequence, 0, 0,
                 std::move(slots)},
                record);
    return signed_by_operator(record);
  }
  ledger::Record hold(const char* scope, const std::string& of = {}) const {
    ledger::Record record;
    record.type = Type::hold_set;
    record.details = {{"scope", scope}};
    if (!of.empty()) record.details["of"] = of;
    return record;
  }
  std::optional<std::string> arguments_of(std::uint64_t sequence) const {
    const auto reader = ledger::Reader::open(folder.place()).value();
    return reader->payload(reader->record(sequence).value().value(), "arguments").value();
  }
  Report verify() const { return ledger::verify(folder.place()).value(); }
  bool in_files(const std::string& text) const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.place().folder))
      if (entry.is_regular_file() &&
          base::read_file(entry.path(), 64u << 20).value().find(text) != std::string::npos)
        return true;
    return false;
  }

  base::SigningKey key = base::SigningKey::generate();
  scratch::Folder folder;
  std::unique_ptr<Writer> writer;
  std::vector<std::uint64_t> calls;  // decisions: three of m-1, three of m-2
  std::uint64_t last = 0;
};

bool says(const Report& report, const std::string& words) {
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const ledger::Finding& finding) {
    return finding.what.find(words) != std::string::npos;
  });
}

}  // namespace

TEST_CASE("payloads of an old mission go, with their key, and all else verifies", "[removal]") {
  Kept kept;
  Removal purge = kept.all_of("m-1");
  purge.before = later;
  CHECK(kept.writer->remove(kept.removal(Type::purge, purge)).error().code() == base::Code::refused);
  purge.before = base::wall_now().time_since_epoch().count();
  CHECK(kept.writer->remove(kept.removal(Type::purge, purge)).value() == 6);
  CHECK_FALSE(kept.arguments_of(kept.calls[0]));
  CHECK(kept.arguments_of(kept.calls[3])->ends_with(canary));
  const Report report = kept.verify();
  CHECK(report.findings_count == 0);
  CHECK(report.removed == 6);
  CHECK(report.payloads == 6);
  const auto database =
      ledger::Database::open(ledger::database_path(kept.folder.place()), ledger::Database::Mode::read)
          .value();
  CHECK(database.integer("SELECT count(*) FROM cipher WHERE mission = 'm-1'").value() == 0);
}

TEST_CASE("nothing of what was purged is left in the files, not even sealed", "[removal]") {
  Kept kept;
  const auto place = kept.folder.place();
  std::string sealed;
  {
    const auto database =
        ledger::Database::open(ledger::database_path(place), ledger::Database::Mode::read).value();
    auto row = database.prepare("SELECT bytes FROM payload WHERE id = ?").value();
    row.bind_integer(1, static_cast<std::int64_t>(kept.calls[0] * 64));
    REQUIRE(row.step().value());
    sealed = row.blob(0);
  }
  CHECK(kept.in_files(sealed.substr(0, 40)));
  CHECK_FALSE(kept.in_files(canary));
  Removal purge = kept.all_of("m-1");
  purge.before = base::wall_now().time_since_epoch().count();
  kept.writer->remove(kept.removal(Type::purge, purge)).value();
  CHECK_FALSE(kept.in_files(sealed.substr(0, 40)));
}

TEST_CASE("a mission that goes on, what is too young, and what no checkpoint signs yet are refused",
          "[removal]") {
  Kept kept;
  const auto refused = [&](const Removal& what, Type type = Type::erase) {
    const auto removed = kept.writer->remove(kept.removal(type, what));
    return !removed && removed.error().code() == base::Code::refused;
  };
  CHECK(refused(kept.all_of("m-2")));
  Removal purge = kept.all_of("m-1");
  purge.before = 1;
  CHECK(refused(purge, Type::purge));
  Removal erase = kept.all_of("m-1");
  erase.size += 1;
  CHECK(refused(erase));
  CHECK(kept.verify().findings_count == 0);
  CHECK(kept.arguments_of(kept.calls[0]));
}

TEST_CASE("what a hold covers stays until it is released", "[removal]") {
  Kept kept;
  struct Case {
    const char* scope;
    std::string of;
  };
  for (const Case& each : {Case{"mission", "m-1"}, Case{"agent", "robot"}, Case{"all", ""}}) {
    const auto held =
        kept.writer->append_now({{kept.signed_by_operator(kept.hold(each.scope, each.of))}, {}}).value();
    INFO(each.scope);
    CHECK(kept.writer->remove(kept.removal(Type::erase, kept.all_of("m-1"))).error().code() ==
          base::Code::refused);
    CHECK(kept.writer->remove(kept.erase_record(kept.calls[0], {"arguments"})).error().code() ==
          base::Code::refused);
    ledger::Record release;
    release.type = Type::hold_released;
    release.answers = held.records[0];
    kept.writer->append_now({{kept.signed_by_operator(release, "deny")}, {}}).value();
  }
  kept.writer->append_now({{kept.signed_by_operator(kept.hold("mission", "m-2"))}, {}}).value();
  CHECK(kept.writer->remove(kept.removal(Type::erase, kept.all_of("m-1"))).value() == 6);
  CHECK(kept.verify().findings_count == 0);
}

TEST_CASE("a payload is erased alone, and others that shared its bytes keep them", "[removal]") {
  Kept kept;
  CHECK(kept.writer->remove(kept.erase_record(kept.calls[0], {"arguments"})).value() == 1);
  CHECK_FALSE(kept.arguments_of(kept.calls[0]));
  CHECK(kept.arguments_of(kept.calls[1])->ends_with(canary));
  CHECK(kept.verify().findings_count == 0);
  // What is written next refers to nothing that is gone.
  CHECK(kept.writer->remove(kept.erase_record(kept.calls[3], {"arguments", "effects"})).value() == 2);
  ledger::Append call;
  call.drafts.push_back(
      {scratch::decision("m-2", "ALLOW"), {{"arguments", "m-2" + std::string(3000, 'x') + canary}}});
  const auto again = kept.writer->append_now(call).value().records[0].sequence;
  CHECK(kept.arguments_of(again)->ends_with(canary));
  CHECK(kept.verify().findings_count == 0);
  CHECK(kept.writer->remove(kept.erase_record(kept.calls[4], {"nothing"})).error().code() ==
        base::Code::not_found);
}

TEST_CASE("payloads that went without a word, or by a forged one, are found", "[removal]") {
  struct Case {
    std::string name, words;
    std::function<ledger::Draft(const Kept&)> made;
  };
  const std::vector<Case> cases{{"none", "no removal on record", [](const Kept&) { return ledger::Draft{}; }},
                                {"unsigned", "did not sign",
                                 [](const Kept& kept) {
                                   ledger::Draft draft = kept.removal(Type::erase, kept.all_of("m-1"));
                                   draft.record.operator_->signature = std::string(128, '0');
                                   return draft;
                                 }},
                                {"of another key", "did not sign",
                                 [](const Kept& kept) {
                                   ledger::Draft draft = kept.removal(Type::erase, kept.all_of("m-1"));
                                   const auto other = base::SigningKey::generate();
                                   draft.record.operator_->key = base::public_hex(other.public_key());
                                   draft.record.operator_->signature =
                                       other.sign_hex(ledger::custody_text(draft.record));
                                   return draft;
                                 }},
                                {"wider than signed", "did not sign",
                                 [](const Kept& kept) {
                                   ledger::Draft draft = kept.removal(Type::erase, kept.all_of("m-1"));
                                   draft.record.details["from"] = "1";
                                   return draft;
                                 }},
                                {"narrower than what went", "no removal on record",
                                 [](const Kept& kept) {
                                   Removal some = kept.all_of("m-1");
                                   some.from = kept.calls[1];
                                   return kept.removal(Type::erase, some);
                                 }},
                                {"without a checkpoint", "no checkpoint",
                                 [](const Kept& kept) {
                                   Removal all = kept.all_of("m-1");
                                   all.size -= 1, all.to = all.size - 1;
                                   return kept.removal(Type::erase, all);
                                 }},
                                {"of what is young", "no removal on record", [](const Kept& kept) {
                                   Removal all = kept.all_of("m-1");
                                   all.before = 1;
                                   return kept.removal(Type::purge, all);
                                 }}};
  for (const Case& each : cases) {
    Kept kept;
    const ledger::Draft draft = each.made(kept);
    if (draft.record.type != Type::genesis) kept.writer->append_now({{draft}, {}}).value();
    kept.writer.reset();
    {
      const auto database =
          ledger::Database::open(ledger::database_path(kept.folder.place()), ledger::Database::Mode::write)
              .value();
      database
          .run(
              "BEGIN; DROP TRIGGER payload_delete; DELETE FROM payload WHERE id IN (SELECT payload.id FROM "
              "record JOIN "
              "payload ON payload.id / 64 = sequence WHERE mission = 'm-1'); DELETE FROM cipher WHERE "
              "mission = 'm-1'; " +
              std::string(std::find_if(ledger::schema::objects.begin(), ledger::schema::objects.end(),
                                       [](const auto& object) { return object.name == "payload_delete"; })
                              ->sql) +
              "; COMMIT")
          .value();
    }
    const Report report = kept.verify();
    INFO(each.name << ": " << (report.findings.empty() ? "" : report.findings[0].what));
    CHECK(report.level == Report::Level::inconsistent);
    CHECK(report.kind == Kind::purge);
    CHECK(says(report, each.words));
  }
}

TEST_CASE("an erasure of one record over a hold is found", "[removal]") {
  Kept kept;
  kept.writer->append_now({{kept.signed_by_operator(kept.hold("mission", "m-1"))}, {}}).value();
  kept.writer->append_now({{kept.erase_record(kept.calls[0], {"arguments"})}, {}}).value();
  CHECK(kept.verify().kind == Kind::purge);
  CHECK(says(kept.verify(), "takes what hold"));
}

TEST_CASE("of a purge and a hold that race the hold wins, whichever comes first", "[removal]") {
  for (int round = 0; round < 10; ++round) {
    Kept kept;
    auto options = scratch::options();
    const auto other = Writer::open(kept.folder.place(), options).value();
    base::Result<std::uint64_t> removed = base::Error();
    const ledger::Draft removal = kept.removal(Type::erase, kept.all_of("m-1"));
    std::thread purge([&] { removed = other->remove(removal); });
    kept.writer->append_now({{kept.signed_by_operator(kept.hold("mission", "m-1"))}, {}}).value();
    purge.join();
    // Both are on record in their order: what went, went before the hold.
    CHECK((removed || removed.error().code() == base::Code::refused));
    CHECK(kept.verify().findings_count == 0);
    CHECK(kept.arguments_of(kept.calls[0]).has_value() == removed.has_error());
  }
}
