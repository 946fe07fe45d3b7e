#include "ledger/writer.hpp"

#include <sqlite3.h>
#include <sys/stat.h>

#include <future>

#include "ledger/database.hpp"
#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"

namespace {

using ledger::Precondition;
using ledger::Type;
using ledger::Writer;
using Kind = Precondition::Kind;
using Done = base::Result<ledger::Written>;

// Keeps the worker busy in a callback, so that what is queued meanwhile becomes one batch.
class Gate {
 public:
  explicit Gate(Writer& writer) {
    std::promise<void> entered;
    writer.append(scratch::one(scratch::decision("x", "ALLOW")), [&entered, this](const Done&) {
      entered.set_value();
      open_.get_future().wait();
    });
    entered.get_future().wait();
  }
  void open() { open_.set_value(); }

 private:
  std::promise<void> open_;
};

std::unique_ptr<Writer> open_writer(const scratch::Folder& folder) {
  return Writer::open(folder.place(), scratch::options()).value();
}

unsigned mode_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

TEST_CASE("a new ledger begins with genesis and the writer's start, and ends with its stop") {
  const scratch::Folder folder;
  const std::string state = folder.place().folder;
  std::string id;
  {
    const auto writer = open_writer(folder);
    id = writer->id();
    CHECK(writer->state().operator_key() == std::string(64, 'a'));
    CHECK(std::filesystem::exists(state + "/writers/" + id));
    CHECK(mode_of(state) == 0700);
    for (const char* name :
         {"/ledger.db", "/ledger.db-wal", "/ledger.db-shm", "/ledger.mark", "/ledger.lock"})
      CHECK(mode_of(state + name) == 0600);
    CHECK(mode_of(state + "/writers/" + id) == 0600);
  }
  CHECK_FALSE(std::filesystem::exists(state + "/writers/" + id));
  const auto records = scratch::all_records(folder.place());
  REQUIRE(records.size() == 3);
  CHECK(records[0].record.type == Type::genesis);
  CHECK(records[1].record.type == Type::writer_start);
  CHECK(records[2].record.type == Type::writer_stop);
  CHECK(records[2].record.writer == id);
  CHECK(scratch::broken_chain(records).empty());
}

TEST_CASE("appends that are queued while the worker is busy are committed together, and done in order") {
  const scratch::Folder folder;
  const auto writer = open_writer(folder);
  const auto reader = ledger::Reader::open(folder.place()).value();
  Gate gate(*writer);
  std::vector<std::uint64_t> sequences;
  std::uint64_t head_at_first = 0;
  std::promise<void> last;
  for (int i = 0; i < 100; ++i)
    writer->append(scratch::one(scratch::decision("x", "ALLOW")), [&, i](const Done& done) {
      if (i == 0) head_at_first = reader->head().value()->sequence;
      sequences.push_back(done.value().records.at(0).sequence);
      if (i == 99) last.set_value();
    });
  gate.open();
  last.get_future().wait();
  REQUIRE(sequences.size() == 100);
  for (std::size_t i = 0; i < 100; ++i) CHECK(sequences[i] == sequences[0] + i);
  CHECK(head_at_first == sequences.back());
}

TEST_CASE("when too much waits, an outcome is kept without its payload, and a decision is refused") {
  const scratch::Folder folder;
  auto options = scratch::options();
  options.queue_bytes_max = 1000;
  const auto writer = Writer::open(folder.place(), options).value();
  const auto decision = writer->append_now(scratch::one(scratch::decision("m", "ALLOW"))).value().records[0];
  const auto with_payload = [](ledger::Record record, const char* slot) {
    ledger::Append append = scratch::one(std::move(record));
    append.drafts.front().payloads.push_back({slot, std::string(600, 'x')});
    return append;
  };
  Gate gate(*writer);
  std::promise<std::uint64_t> kept;
  std::promise<base::Code> refused;
  writer->append(with_payload(scratch::decision("m", "ALLOW"), "arguments"), {});
  writer->append_later(with_payload(scratch::answering(Type::outcome, decision), "result"),
                       [&](const Done& done) { kept.set_value(done.value().records[0].sequence); });
  writer->append(with_payload(scratch::decision("m", "ALLOW"), "arguments"),
                 [&](const Done& done) { refused.set_value(done.error().code()); });
  gate.open();
  CHECK(refused.get_future().get() == base::Code::limit);
  const auto reader = ledger::Reader::open(folder.place()).value();
  const auto outcome = reader->record(kept.get_future().get()).value().value();
  CHECK(outcome.record.payloads.empty());
  CHECK(outcome.record.detail("left_out") == "result");
}

TEST_CASE("an append in a batch that conflicts or cannot be encoded takes no other with it") {
  const scratch::Folder folder;
  const auto writer = open_writer(folder);
  base::Digest key{};
  key.fill(1);
  const Precondition no_mission{Kind::no_mission_with_key, "", 0, key};
  Gate gate(*writer);
  std::vector<base::Code> codes;
  std::promise<void> last;
  const auto note = [&](const Done& done) {
    codes.push_back(done ? base::Code::internal : done.error().code());
  };
  writer->append(scratch::one(scratch::mission_start("m", 1), {no_mission}), note);
  writer->append(scratch::one(scratch::mission_start("n", 1), {no_mission}), note);
  ledger::Append bad = scratch::one(scratch::decision("m", "ALLOW"));
  bad.drafts.push_back({scratch::decision("m", "perhaps"), {}});
  writer->append(std::move(bad), note);
  writer->append(scratch::one(scratch::answering(Type::outcome, {1, {}})), note);
  writer->append(scratch::one(scratch::decision("m", "DENY"), {{Kind::mission_active, "m", 0, {}}}),
                 [&](const Done& done) {
                   note(done);
                   last.set_value();
                 });
  gate.open();
  last.get_future().wait();
  CHECK(codes == std::vector{base::Code::internal, base::Code::conflict, base::Code::invalid,
                             base::Code::invalid, base::Code::internal});
  CHECK(writer->state().missions().size() == 1);
  const auto records = scratch::all_records(folder.place());
  CHECK(scratch::broken_chain(records).empty());
  CHECK(records.size() == 5);  // genesis, start, gate, mission, decision
}

TEST_CASE("an allowed ask is released once, even when two releases stand in one batch") {
  const scratch::Folder folder;
  const auto writer = open_writer(folder);
  REQUIRE(writer->append_now(scratch::one(scratch::mission_start("m", 1))).has_value());
  const std::int64_t later = std::numeric_limits<std::int64_t>::max();
  const auto ask = writer->append_now(scratch::one(scratch::decision("m", "ASK", later))).value().records[0];
  ledger::Record answer = scratch::answering(Type::answer, ask);
  answer.operator_ =
      ledger::Operator{"allow", "same-user", std::string(64, 'a'), std::string(128, 'b'), later};
  REQUIRE(
      writer->append_now(scratch::one(answer, {{Kind::ask_unanswered, "", ask.sequence, {}}})).has_value());
  Gate gate(*writer);
  std::atomic<int> released = 0;
  std::promise<void> last;
  for (int i = 0; i < 2; ++i)
    writer->append(
        scratch::one(scratch::answering(Type::released, ask), {{Kind::ask_allowed, "", ask.sequence, {}}}),
        [&, i](const Done& done) {
          released += done ? 1 : 0;
          if (i == 1) last.set_value();
        });
  gate.open();
  last.get_future().wait();
  CHECK(released == 1);
}

TEST_CASE("a draft may answer the one before it, and nothing that does not stand") {
  const scratch::Folder folder;
  const auto writer = open_writer(folder);
  ledger::Append both = scratch::one(scratch::decision("m", "ALLOW"));
  both.drafts.push_back({scratch::answering(Type::outcome, {ledger::Append::answers_previous, {}}), {}});
  const auto written = writer->append_now(both).value();
  REQUIRE(written.records.size() == 2);
  const auto reader = ledger::Reader::open(folder.place()).value();
  CHECK(reader->record(written.records[1].sequence).value()->record.answers == written.records[0]);
  auto wrong = written.records[0];
  wrong.leaf[0] ^= 1;
  for (const auto& reference :
       {wrong, ledger::Reference{999, {}}, ledger::Reference{ledger::Append::answers_previous, {}}})
    CHECK(writer->append_now(scratch::one(scratch::answering(Type::outcome, reference))).error().code() ==
          base::Code::invalid);
  ledger::Record genesis;
  CHECK(writer->append_now(scratch::one(genesis)).error().code() == base::Code::invalid);
}

TEST_CASE("payloads are redacted before they are committed to, and read back as redacted") {
  const scratch::Folder folder;
  auto options = scratch::options();
  options.secrets = {"hunter2-hunter2-hunter2"};
  const auto writer = Writer::open(folder.place(), options).value();
  ledger::Append append;
  append.drafts.push_back({scratch::decision("m", "ALLOW"),
                           {{"arguments", "{\"a\":\"hunter2-hunter2-hunter2\"}"}, {"effects", "[]"}}});
  const auto at = writer->append_now(std::move(append)).value().records[0].sequence;
  const auto reader = ledger::Reader::open(folder.place()).value();
  const auto stored = reader->record(at).value().value();
  CHECK(stored.record.payloads.size() == 2);
  CHECK_FALSE(stored.record.redacted.empty());
  const std::string arguments = reader->payload(stored, "arguments").value().value();
  CHECK(arguments.find("hunter2") == std::string::npos);
  CHECK(reader->payload(stored, "effects").value() == "[]");
  CHECK_FALSE(reader->payload(stored, "result").value().has_value());
}

TEST_CASE("two writers fold what the other wrote before their preconditions are checked") {
  const scratch::Folder folder;
  const auto one = open_writer(folder);
  const auto two = open_writer(folder);
  REQUIRE(one->append_now(scratch::one(scratch::mission_start("m", 1))).has_value());
  CHECK(two->state().missions().empty());
  CHECK(two->refresh().value().missions().size() == 1);
  ledger::Record pause;
  pause.type = Type::mission_pause;
  pause.mission = "m";
  REQUIRE(two->append_now(scratch::one(pause)).has_value());
  const auto refused =
      one->append_now(scratch::one(scratch::decision("m", "ALLOW"), {{Kind::mission_active, "m", 0, {}}}));
  CHECK(refused.error().code() == base::Code::conflict);
  CHECK(one->state() == two->state());
  CHECK(one->state() == ledger::Reader::open(folder.place()).value()->state().value());
}

TEST_CASE("a ledger opened again has the state that its records give") {
  const scratch::Folder folder;
  {
    const auto writer = open_writer(folder);
    for (std::uint8_t i = 0; i < 5; ++i) {
      REQUIRE(
          writer->append_now(scratch::one(scratch::mission_start("m" + std::to_string(i), i))).has_value());
      REQUIRE(writer->append_now(scratch::one(scratch::decision("m" + std::to_string(i), "ASK", 77)))
                  .has_value());
    }
    ledger::Record end;
    end.type = Type::mission_end;
    end.mission = "m3";
    REQUIRE(writer->append_now(scratch::one(end)).has_value());
  }
  const auto records = scratch::all_records(folder.place());
  const auto writer = open_writer(folder);
  CHECK(writer->state() == scratch::folded(records));
  CHECK(writer->state().missions().size() == 4);
  CHECK(writer->state().asks().size() == 5);
}

TEST_CASE("a WAL that has grown is checkpointed, and the ledger goes on") {
  const scratch::Folder folder;
  const auto writer = open_writer(folder);
  for (int i = 0; i < 200; ++i) {
    ledger::Append append;
    append.drafts.push_back(
        {scratch::decision("m", "ALLOW"), {{"arguments", base::hex(base::random_bytes(100'000))}}});
    REQUIRE(writer->append_now(std::move(append)).has_value());
  }
  static_cast<void>(writer->refresh());
  CHECK(std::filesystem::file_size(folder.place().folder + "/ledger.db") > 10u << 20);
  CHECK(std::filesystem::file_size(folder.place().folder + "/ledger.db-wal") < 20u << 20);
  CHECK(scratch::broken_chain(scratch::all_records(folder.place())).empty());
}

TEST_CASE("a ledger whose folder or files others could have prepared is refused") {
  const scratch::Folder folder;
  const std::string state = folder.place().folder;
  const auto code = [&] {
    const auto writer = Writer::open(folder.place(), scratch::options());
    return writer ? base::Code::internal : writer.error().code();
  };
  REQUIRE(code() == base::Code::internal);
  std::filesystem::permissions(state, std::filesystem::perms::group_write,
                               std::filesystem::perm_options::add);
  CHECK(code() == base::Code::refused);
  std::filesystem::permissions(state, std::filesystem::perms::owner_all);
  for (const char* name : {"/ledger.db", "/ledger.mark", "/ledger.lock"}) {
    std::filesystem::rename(state + name, state + "/moved");
    std::filesystem::create_symlink(state + "/moved", state + name);
    CHECK(code() != base::Code::internal);
    std::filesystem::remove(state + name);
    std::filesystem::rename(state + "/moved", state + name);
  }
  CHECK(code() == base::Code::internal);
  {
    auto database = ledger::Database::open(state + "/ledger.db", ledger::Database::Mode::write).value();
    database.run("CREATE TRIGGER extra AFTER INSERT ON record BEGIN SELECT 1; END").value();
  }
  CHECK(code() == base::Code::invalid);
}

TEST_CASE("records and payloads cannot be changed or removed by accident") {
  const scratch::Folder folder;
  { open_writer(folder); }
  auto database =
      ledger::Database::open(folder.place().folder + "/ledger.db", ledger::Database::Mode::write).value();
  CHECK_FALSE(database.run("UPDATE record SET time = 1").has_value());
  CHECK_FALSE(database.run("DELETE FROM record").has_value());
}

}  // namespace
