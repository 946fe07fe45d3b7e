#include "proxy/replay/build_timeline.hpp"

#include "tests/catch.hpp"

namespace proxy::replay {
namespace {

using ledger::Record;
using ledger::Type;

constexpr std::int64_t second = 1'000'000'000;

// Records of one mission, made one after another, a second apart.
class Recording {
 public:
  Record& add(Type type) {
    Record record;
    record.type = type;
    record.sequence = records_.size() + 1;
    record.time = static_cast<std::int64_t>(record.sequence) * second;
    record.mission = "m-1";
    record.writer = "w1";
    records_.push_back({std::move(record), {}});
    return records_.back().first;
  }
  Record& decision(std::uint64_t call, const std::string& tier, const std::string& arguments = "{}") {
    Record& record = add(Type::decision);
    record.call = call;
    record.server = "files";
    record.capability = ledger::Capability{"tools/call", "write_file", {"write"}, {}};
    record.decision = tier;
    record.rules = {{"a-rule", "user", tier}};
    record.payloads = {{"arguments", {}, arguments.size()}};
    payload("arguments", arguments);
    return record;
  }
  Record& answering(Type type, std::uint64_t record) {
    Record& answer = add(type);
    answer.answers = ledger::Reference{record, {}};
    if (type == Type::outcome) answer.outcome = ledger::Outcome{"answered", "", false, 40, 3000};
    return answer;
  }
  Record& answer(std::uint64_t record, const std::string& verdict) {
    Record& answer = answering(Type::answer, record);
    answer.operator_ = ledger::Operator{verdict, "same-user", "", "", 0};
    return answer;
  }
  void payload(const std::string& slot, const std::string& bytes) { records_.back().second[slot] = bytes; }

  Timeline timeline() const {
    TimelineBuilder builder({"m-1", 1});
    for (const auto& [record, payloads] : records_)
      if (builder.concerns(record)) builder.add(record, payloads);
    return builder.take();
  }
  std::vector<Call> calls() const {
    std::vector<Call> calls;
    for (const Entry& entry : timeline().entries)
      if (const Call* call = std::get_if<Call>(&entry)) calls.push_back(*call);
    return calls;
  }

 private:
  std::vector<std::pair<Record, Payloads>> records_;
};

TEST_CASE("an approved call says who let it pass, after how long, and how it ended") {
  Recording recording;
  recording.add(Type::mission_start);
  recording.decision(1, "ASK");
  recording.answer(2, "allow");
  recording.answering(Type::released, 2);
  recording.answering(Type::outcome, 2);
  const auto calls = recording.calls();
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].number == 1);
  CHECK(calls[0].state == "answered");
  REQUIRE(calls[0].answer.has_value());
  CHECK(calls[0].answer->verdict == "allow");
  CHECK(calls[0].answer->level == "same-user");
  CHECK(calls[0].settled == 3 * second);
  CHECK(calls[0].duration == 3000);
  CHECK(totals_of(recording.timeline()).waited == second);
}

TEST_CASE("each way that an ask can end is told apart") {
  for (const auto& [type, state] :
       {std::pair{Type::expired, "expired"}, {Type::withdrawn, "withdrawn"}, {Type::detached, "detached"}}) {
    Recording recording;
    recording.decision(1, "ASK");
    CHECK(recording.calls()[0].state == "waiting");
    recording.answering(type, 1);
    CHECK(recording.calls()[0].state == state);
    CHECK(recording.calls()[0].settled == 2 * second);
  }
  Recording denied;
  denied.decision(1, "ASK");
  denied.answer(1, "deny");
  CHECK(denied.calls()[0].state == "denied");
  denied.answering(Type::outcome, 1).outcome->status = "refused";
  CHECK(denied.calls()[0].state == "refused");
}

TEST_CASE("a detached ask that is allowed later waited until then, and its repeat ends it") {
  Recording recording;
  recording.decision(1, "ASK");
  recording.answering(Type::detached, 1);
  recording.answering(Type::outcome, 1).outcome->status = "refused";
  CHECK(recording.calls()[0].state == "detached");
  recording.answer(1, "allow");
  recording.answering(Type::released, 1);
  recording.answering(Type::outcome, 1);
  CHECK(recording.calls()[0].state == "answered");
  CHECK(recording.calls()[0].settled == 4 * second);
}

TEST_CASE("a call that joins an ask has that ask's answer and an outcome of its own") {
  Recording recording;
  recording.decision(1, "ASK");
  Record& joining = recording.decision(2, "ASK");
  joining.answers = ledger::Reference{1, {}};
  joining.writer = "w2";
  recording.answer(1, "allow");
  recording.answering(Type::outcome, 2).outcome->is_error = true;
  const auto calls = recording.calls();
  REQUIRE(calls.size() == 2);
  CHECK(calls[1].joins == 1);
  REQUIRE(calls[1].answer.has_value());
  CHECK(calls[1].is_error);
  CHECK(calls[0].state == "allowed");
  CHECK(totals_of(recording.timeline()).waited == 2 * second);  // one wait, not two
}

TEST_CASE("a call that is judged again is a call of its own that says so") {
  Recording recording;
  recording.decision(7, "ASK");
  recording.answering(Type::withdrawn, 1);
  recording.decision(7, "DENY");
  recording.decision(7, "ASK").writer = "w2";  // of another run: another call
  const auto calls = recording.calls();
  REQUIRE(calls.size() == 3);
  CHECK(calls[0].judged_again);
  CHECK(calls[1].again_of == 1);
  CHECK_FALSE(calls[2].again_of.has_value());
}

TEST_CASE("violations stand with the call that they are about, of its decision or of what came back") {
  Recording recording;
  recording.decision(1, "DENY");
  recording.answering(Type::violation, 1).violation = ledger::Violation{"rule", "malicious", "high", "a"};
  recording.decision(2, "ALLOW");
  recording.answering(Type::outcome, 3).details["result"] = "withheld";
  recording.answering(Type::violation, 4).violation = ledger::Violation{"result", "malicious", "high", "b"};
  const auto calls = recording.calls();
  REQUIRE(calls.size() == 2);
  REQUIRE(calls[0].breaches.size() == 1);
  CHECK(calls[0].breaches[0].rule == "a");
  REQUIRE(calls[1].breaches.size() == 1);
  CHECK(calls[1].breaches[0].rule == "b");
  CHECK(calls[1].result == "withheld");
}

TEST_CASE("arguments that are gone are said to be gone, and make no request to compare") {
  Recording recording;
  recording.decision(1, "ALLOW", R"({"path":"a"})");
  recording.decision(2, "ALLOW", R"({ "path" : "a" })");
  recording.decision(3, "ALLOW", R"({"path":"a"})");
  recording.payload("arguments", "");
  Recording gone;
  Record& record = gone.add(Type::decision);
  record.decision = "ALLOW";
  record.payloads = {{"arguments", {}, 12}};
  CHECK(gone.calls()[0].arguments_gone);
  CHECK_FALSE(gone.calls()[0].request.has_value());
  const auto calls = recording.calls();
  CHECK(calls[0].request == calls[1].request);
  CHECK(calls[0].request != calls[2].request);
}

TEST_CASE("the mission's state follows its records, and what others do beside it is left out") {
  Recording recording;
  recording.add(Type::mission_start);
  recording.add(Type::mission_pause).details["reason"] = "a violation";
  CHECK(recording.timeline().state == "paused");
  recording.answering(Type::mission_resume, 2);
  recording.add(Type::decision).mission = "m-2";
  Record& loss = recording.add(Type::degraded);
  loss.mission.clear();
  loss.details["reason"] = "loss_adopted";
  recording.add(Type::mission_end);
  const Timeline timeline = recording.timeline();
  CHECK(timeline.state == "ended");
  REQUIRE(timeline.entries.size() == 5);
  CHECK(std::get<Event>(timeline.entries[1]).text == "mission paused: a violation");
  CHECK(std::get<Event>(timeline.entries[2]).text == "mission went on");
  CHECK(std::get<Event>(timeline.entries[3]).kind == Event::Kind::trouble);
}

TEST_CASE("a note of the verifier stands before its record, and nowhere outside of the mission") {
  TimelineBuilder builder({"m-1", 1});
  Record start;
  start.sequence = 1;
  start.type = Type::mission_start;
  start.mission = "m-1";
  builder.add(start, {});
  builder.note(1, "the wall clock stepped back");
  builder.note(9, "elsewhere");
  const Timeline timeline = builder.take();
  REQUIRE(timeline.entries.size() == 2);
  CHECK(std::get<Event>(timeline.entries[0]).kind == Event::Kind::clock);
}

}  // namespace
}  // namespace proxy::replay
