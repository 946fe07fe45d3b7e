#include "approvals/answer.hpp"

#include <functional>

#include "approvals/asks.hpp"
#include "approvals/binding.hpp"
#include "approvals/operator_key.hpp"
#include "tests/approvals/samples.hpp"
#include "tests/catch.hpp"

using namespace approvals;
using approvals::samples::answer_to;
using approvals::samples::ask;
using approvals::samples::key;

TEST_CASE("an answer by the operator's key is genuine") {
  const auto decision = ask(7);
  for (const Verdict verdict : {Verdict::allow, Verdict::deny}) {
    const auto answer = answer_to(decision, verdict, "as agreed");
    CHECK(genuine(answer.record, decision.record, decision.leaf, public_text(key())));
    CHECK(verdict_of(answer.record) == verdict);
    CHECK_FALSE(
        genuine(answer.record, decision.record, decision.leaf, public_text(base::SigningKey::generate())));
    CHECK_FALSE(genuine(answer.record, decision.record, decision.leaf, ""));
  }
}

TEST_CASE("an answer is not genuine with any field altered") {
  const auto decision = ask(7);
  const auto good = answer_to(decision, Verdict::allow, "as agreed").record;
  const std::vector<std::function<void(ledger::Record&)>> changes{
      [](auto& r) { r.type = ledger::Type::grant; },
      [](auto& r) { r.ledger[0] = r.ledger[0] == '0' ? '1' : '0'; },
      [](auto& r) { r.mission = "another"; },
      [](auto& r) { r.answers.reset(); },
      [](auto& r) { r.answers->sequence = 8; },
      [](auto& r) { r.answers->leaf[31] ^= 1; },
      [](auto& r) { r.operator_.reset(); },
      [](auto& r) { r.operator_->answer = "deny"; },
      [](auto& r) { r.operator_->answer = "maybe"; },
      [](auto& r) { r.operator_->level = "pin"; },
      [](auto& r) { r.operator_->level = "root"; },
      [](auto& r) { r.operator_->key = std::string(64, '0'); },
      [](auto& r) { r.operator_->signature[5] = r.operator_->signature[5] == 'a' ? 'b' : 'a'; },
      [](auto& r) { r.operator_->signature.pop_back(); },
      [](auto& r) { r.operator_->signature.clear(); },
      [](auto& r) { r.operator_->valid_until += 1; },
      [](auto& r) { r.details["rationale"] = std::string(64, 'a'); },
      [](auto& r) { r.details["rationale"] += "\n"; },
      [](auto& r) { r.details.erase("rationale"); },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    INFO("change " << i);
    auto changed = good;
    changes[i](changed);
    CHECK_FALSE(genuine(changed, decision.record, decision.leaf, public_text(key())));
  }
}

TEST_CASE("an answer to one ask is not genuine for another") {
  const auto decision = ask(7);
  const auto answer = answer_to(decision, Verdict::allow, "").record;
  const auto with = [&](const std::function<void(ledger::StoredRecord&)>& change) {
    auto other = decision;
    change(other);
    return genuine(answer, other.record, other.leaf, public_text(key()));
  };
  CHECK(with([](auto&) {}));
  CHECK_FALSE(with([](auto& d) { d.leaf[0] ^= 1; }));
  CHECK_FALSE(with([](auto& d) { d.record.sequence = 8; }));
  CHECK_FALSE(with([](auto& d) { d.record.mission = "other"; }));
  CHECK_FALSE(with([](auto& d) { d.record.capability->call[0] ^= 1; }));
  CHECK_FALSE(with([](auto& d) { d.record.capability.reset(); }));
  CHECK_FALSE(with([](auto& d) { d.record.decision = "ALLOW"; }));
  CHECK_FALSE(with([](auto& d) { d.record.details["joins"] = "3"; }));
  CHECK_FALSE(with([](auto& d) { d.record.type = ledger::Type::outcome; }));
}

TEST_CASE("the operator's words are shown only when they are the ones that were signed") {
  const auto decision = ask(7);
  const auto append = make_answer(decision.record, decision.leaf, Verdict::deny, "use the test\ndatabase",
                                  samples::at(std::chrono::seconds(0)), key(), std::string(16, 'n'));
  const auto& draft = append.drafts.front();
  REQUIRE(draft.payloads.size() == 1);
  CHECK(rationale_of(draft.record, draft.payloads[0].bytes) == "use the test\ndatabase");
  CHECK_FALSE(rationale_of(draft.record, draft.payloads[0].bytes + "!"));
  CHECK_FALSE(rationale_of(draft.record, "use the test\ndatabase"));
  CHECK(append.preconditions.front().kind == ledger::Precondition::Kind::ask_unanswered);
  CHECK(append.preconditions.front().sequence == 7);
}

TEST_CASE("no text of a call can pass from one part to the next unnoticed") {
  const Binding call{.mission = "m",
                     .server = "files",
                     .method = "tools/call",
                     .tool = "write",
                     .definition = {},
                     .arguments = "{}"};
  const auto digest = call_digest(call);
  auto moved = call;
  moved.server = "file";
  moved.method = "stools/call";
  CHECK(call_digest(moved) != digest);
  auto spaced = call;
  spaced.arguments = "{ }";
  CHECK(call_digest(spaced) != digest);
  auto with_task = call;
  with_task.beside = R"({"task":{}})";
  CHECK(call_digest(with_task) != digest);
  auto defined = call;
  defined.definition[3] = 1;
  CHECK(call_digest(defined) != digest);
  auto other_agent = call;
  other_agent.agent = "boot 2 1";
  CHECK(call_digest(other_agent) != digest);
  CHECK(call_digest(call) == digest);
}

TEST_CASE("a repeat is known by what its arguments say, however they are spelled") {
  const auto digests = [](std::string_view arguments) {
    return call_digests({.mission = "m", .arguments = arguments}, base::json::parse(arguments).value());
  };
  const auto first = digests(R"({"path":"a","size":1,"deep":[true,{"b":2,"a":1}]})");
  const auto rewritten = digests(R"({ "size": 1.0, "deep": [true, {"a":1, "b":2}], "path": "\u0061" })");
  CHECK(first.exact != rewritten.exact);
  CHECK(first.repeat == rewritten.repeat);
  for (const std::string_view other :
       {R"({"path":"a","size":2,"deep":[true,{"b":2,"a":1}]})",
        R"({"path":"a","size":"1","deep":[true,{"b":2,"a":1}]})",
        R"({"path":"a","size":1,"deep":[{"b":2,"a":1},true]})", R"({"path":"a","size":1})"})
    CHECK(digests(other).repeat != first.repeat);
  CHECK(digests("[9007199254740993]").repeat != digests("[9007199254740992]").repeat);
}
