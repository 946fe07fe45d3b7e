#include "proxy/call/records.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <chrono>

#include "tests/catch.hpp"

using namespace proxy;
using namespace std::chrono_literals;
using policy::Tier;

namespace {

const CallAt at{{"m-1", base::sha256("policy")}, "files", 7};

transports::Message message(const std::string& method, const std::string& params) {
  auto parsed = transports::parse(
      R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params + "}", {});
  REQUIRE(parsed);
  return std::move(parsed.message());
}

transports::Message tool_call() {
  return message("tools/call", R"({"name":"write_file","arguments":{"path":"\u0061"}})");
}

policy::Effect effect(policy::EffectKind kind) {
  policy::Effect made;
  made.kind = kind;
  return made;
}

Judgement judged(Tier tier) {
  Judgement judgement;
  judgement.decision.tier = tier;
  judgement.decision.effects = {effect(policy::EffectKind::use), effect(policy::EffectKind::write),
                                effect(policy::EffectKind::write)};
  judgement.decision.reasons = {{.effect = 0, .tier = Tier::allow},  // by the default, beside the others
                                {.effect = 1, .tier = tier, .rule = "w", .layer = policy::Layer::user},
                                {.effect = 2, .tier = tier, .rule = "w", .layer = policy::Layer::user}};
  judgement.effects = "[]";
  judgement.digests.exact = base::sha256("binding");
  return judgement;
}

using Kind = ledger::Precondition::Kind;

std::vector<Kind> kinds(const ledger::Append& records) {
  std::vector<Kind> found;
  for (const auto& each : records.preconditions) found.push_back(each.kind);
  return found;
}

ResultFinding finding(const std::string& rule, policy::Severity severity,
                      std::vector<std::string> detectors) {
  ResultFinding found;
  found.rule = rule;
  found.severity = severity;
  found.detectors = std::move(detectors);
  return found;
}

}  // namespace

TEST_CASE("a decision records the call, its effects and rules once each, and the exact argument bytes") {
  const ledger::Append records = decision_records(at, tool_call(), judged(Tier::allow));
  REQUIRE(records.drafts.size() == 1);
  const auto& [record, payloads] = records.drafts.front();
  CHECK(record.type == ledger::Type::decision);
  CHECK(record.mission == "m-1");
  CHECK(record.server == "files");
  CHECK(record.call == 7);
  CHECK(record.policy == base::sha256("policy"));
  CHECK(record.decision == "ALLOW");
  CHECK(record.capability ==
        ledger::Capability{"tools/call", "write_file", {"use", "write"}, base::sha256("binding")});
  CHECK(record.rules == std::vector<ledger::Rule>{{"w", "user", "ALLOW"}});
  REQUIRE(payloads.size() == 2);
  CHECK(payloads[0].slot == "arguments");
  CHECK(payloads[0].bytes == R"({"path":"\u0061"})");
  CHECK(payloads[1].slot == "effects");
  CHECK(kinds(records) == std::vector<Kind>{Kind::mission_active});
}

TEST_CASE("of other methods all of the params are judged, and no tool is named") {
  const auto read = message("resources/read", R"({"uri":"file:///a"})");
  CHECK(read.at(judged_part(read)) == R"({"uri":"file:///a"})");
  CHECK(tool_of(read).empty());
  const auto prompt = message("prompts/get", R"({"name":"p","arguments":{"a":"b"}})");
  CHECK(prompt.at(judged_part(prompt)) == R"({"name":"p","arguments":{"a":"b"}})");
  CHECK(tool_of(prompt).empty());
  CHECK_FALSE(judged_part(message("tools/call", R"({"name":"t"})")).present());
}

TEST_CASE(
    "what a tool call says beside its arguments is on record with it, and of other methods is judged "
    "anyway") {
  const auto call =
      message("tools/call", R"({"task":{"ttl":1.0},"_meta":{"x":1},"name":"t","arguments":{},"\u0061":2})");
  CHECK(call.beside == R"({"task":{"ttl":1.0},"a":2})");
  const auto records = decision_records(at, call, judged(Tier::allow));
  REQUIRE(records.drafts.front().payloads.size() == 3);
  CHECK(records.drafts.front().payloads[1].slot == "beside");
  CHECK(records.drafts.front().payloads[1].bytes == call.beside);
  CHECK(message("resources/read", R"({"uri":"file:///a"})").beside.empty());
}

TEST_CASE("a call without arguments has no such payload") {
  const auto records = decision_records(at, message("tools/call", R"({"name":"t"})"), judged(Tier::allow));
  REQUIRE(records.drafts.front().payloads.size() == 1);
  CHECK(records.drafts.front().payloads.front().slot == "effects");
}

TEST_CASE("a DENY has its violation behind it, which answers it") {
  const ledger::Append records = decision_records(at, tool_call(), judged(Tier::deny));
  REQUIRE(records.drafts.size() == 2);
  CHECK(records.drafts[0].record.decision == "DENY");
  const ledger::Record& breach = records.drafts[1].record;
  CHECK(breach.type == ledger::Type::violation);
  CHECK(breach.call == 7);
  CHECK(breach.answers == ledger::Reference{ledger::Append::answers_previous, {}});
  REQUIRE(breach.violation.has_value());
  CHECK(breach.violation->rule == "w");
}

TEST_CASE("an ASK opens an ask under the preconditions of STATES.md, or joins the one that stands") {
  ledger::Append opening = decision_records(at, tool_call(), judged(Tier::ask));
  open_ask(opening, {.name = "hasty", .version = "1.0"}, judged(Tier::ask), at, 99);
  CHECK(opening.drafts.front().record.agent->name == "hasty");
  CHECK(opening.drafts.front().record.detail("expires") == "99");
  CHECK_FALSE(opening.drafts.front().record.answers.has_value());
  CHECK(kinds(opening) == std::vector<Kind>{Kind::mission_active, Kind::policy_is, Kind::no_ask_for_call});
  CHECK(opening.preconditions.back().digest == base::sha256("binding"));

  ledger::Ask standing;
  standing.decision = 5;
  standing.leaf = base::sha256("leaf");
  ledger::Append joining = decision_records(at, tool_call(), judged(Tier::ask));
  join_ask(joining, at, standing);
  CHECK(joining.drafts.front().record.detail("joins") == "5");
  CHECK(joining.drafts.front().record.detail("expires").empty());
  CHECK(joining.drafts.front().record.answers == ledger::Reference{5, base::sha256("leaf")});
  CHECK(kinds(joining) == std::vector<Kind>{Kind::mission_active, Kind::policy_is, Kind::ask_not_final});
}

TEST_CASE(
    "an outcome answers its decision, says how the call ended, and holds the answer where there is one") {
  boost::asio::io_context loop;
  const ledger::Reference decision{3, base::sha256("decision")};
  const auto begin = std::chrono::steady_clock::time_point(10s);
  const auto record = [&](Ending ending, const Call& call) {
    const ledger::Append records = outcome_record(at, decision, ending, call, begin + 2s);
    REQUIRE(records.drafts.size() == 1);
    CHECK(records.preconditions.empty());
    CHECK(records.drafts.front().record.type == ledger::Type::outcome);
    CHECK(records.drafts.front().record.answers == decision);
    REQUIRE(records.drafts.front().record.outcome.has_value());
    return records.drafts.front();
  };

  Call call(loop.get_executor(), {}, Direction::to_server);
  CHECK(record(Ending::refused, call).record.outcome->status == "refused");
  CHECK(record(Ending::cancelled, call).record.outcome->status == "cancelled");
  CHECK(record(Ending::none, call).record.outcome->status == "failed");
  CHECK(record(Ending::peer_gone, call).record.outcome->status == "failed");
  CHECK(record(Ending::peer_gone, call).record.outcome->duration == 0);
  CHECK(record(Ending::peer_gone, call).payloads.empty());

  call.forwarded = true;
  call.forwarded_at = begin;
  call.answer = Call::Answer{R"({"content":[]})", 40, true};
  const ledger::Draft answered = record(Ending::answered, call);
  CHECK(answered.record.outcome == ledger::Outcome{"answered", "", true, 40, 2'000'000'000});
  REQUIRE(answered.payloads.size() == 1);
  CHECK(answered.payloads.front().slot == "result");
  CHECK(answered.payloads.front().bytes == R"({"content":[]})");
}

TEST_CASE("a redirected call records its arguments before and after, and by which rules") {
  Judgement judgement = judged(Tier::allow);
  judgement.redirected = R"({"path":"b"})";
  judgement.decision.redirected =
      policy::Redirected{{{"/path", "\"a\"", "\"b\"", "r", policy::Layer::user, ""},
                          {"/x", "", "1", "s", policy::Layer::user, ""},
                          {"/y", "", "1", "r", policy::Layer::user, ""}},
                         judgement.redirected};
  const auto draft = decision_records(at, tool_call(), judgement).drafts.front();
  CHECK(draft.record.details.at("redirected_by") == "r s");
  REQUIRE(draft.payloads.size() == 3);
  CHECK(draft.payloads[0].bytes == R"({"path":"\u0061"})");
  CHECK(draft.payloads[1].slot == "redirected");
  CHECK(draft.payloads[1].bytes == R"({"path":"b"})");
}

TEST_CASE("an outcome says what rules found in the answer, and a violation follows") {
  boost::asio::io_context loop;
  Call call(loop.get_executor(), tool_call(), Direction::to_server);
  call.forwarded = true;
  call.answer = Call::Answer{
      "",
      10,
      false,
      true,
      {finding("low", policy::Severity::low, {"a"}), finding("x", policy::Severity::high, {"b", "c"})}};
  const auto records = outcome_record(at, {3, {}}, Ending::answered, call, call.forwarded_at);
  REQUIRE(records.drafts.size() == 2);
  const auto& outcome = records.drafts.front();
  CHECK(outcome.record.details.at("result") == "withheld");
  CHECK(outcome.record.details.at("found") == "low a; x b,c");
  CHECK(outcome.payloads.empty());
  CHECK(records.drafts.back().record.violation == ledger::Violation{"result", "configuration", "high", "x"});
  call.answer = Call::Answer{"{}", 10, false, false, {}};
  CHECK(outcome_record(at, {3, {}}, Ending::answered, call, call.forwarded_at).drafts.size() == 1);
}

TEST_CASE("what an ask rule found in an answer is on record and no violation") {
  boost::asio::io_context loop;
  Call call(loop.get_executor(), tool_call(), Direction::to_server);
  ResultFinding asks = finding("look", policy::Severity::critical, {"a"});
  asks.tier = policy::Tier::ask;
  for (const bool withheld : {false, true}) {
    call.answer = Call::Answer{"{}", 10, false, withheld, {asks}};
    const auto records = outcome_record(at, {3, {}}, Ending::answered, call, {});
    REQUIRE(records.drafts.size() == 1);
    CHECK(records.drafts.front().record.details.at("found") == "look a");
    CHECK(records.drafts.front().record.details.contains("result") == withheld);
  }
  // Beside a deny rule, that is the violation, however grave the other is.
  call.answer->findings = {asks, finding("x", policy::Severity::low, {"b"})};
  const auto records = outcome_record(at, {3, {}}, Ending::answered, call, {});
  REQUIRE(records.drafts.size() == 2);
  CHECK(records.drafts.back().record.violation->rule == "x");
}

TEST_CASE("a decision has what it saw of the file system, and nothing where it asked for nothing") {
  Judgement judgement = judged(Tier::allow);
  const auto has_seen = [&] {
    const ledger::Append records = decision_records(at, tool_call(), judgement);
    const auto& payloads = records.drafts.front().payloads;
    return std::any_of(payloads.begin(), payloads.end(), [](const ledger::PayloadDraft& each) {
      return each.slot == "seen" && each.bytes == R"({"plain":["/w"]})";
    });
  };
  CHECK_FALSE(has_seen());
  judgement.seen = R"({"plain":["/w"]})";
  CHECK(has_seen());
}
