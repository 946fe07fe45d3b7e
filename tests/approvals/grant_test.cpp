#include "approvals/grant.hpp"

#include <functional>
#include <vector>

#include "approvals/operator_key.hpp"
#include "tests/approvals/samples.hpp"
#include "tests/catch.hpp"

using namespace approvals;
using samples::at;
using samples::key;
using namespace std::chrono_literals;

namespace {

const std::string rule = "[[allow]]\nid = \"grant\"\nserver = \"files\"\n";

ledger::Draft draft(const ledger::StoredRecord& ask, GrantScope scope = GrantScope::call) {
  GrantTerms terms{
      .scope = scope, .rule = rule, .same = std::nullopt, .until = at(1h), .rationale = "as agreed"};
  if (scope == GrantScope::call) terms.same = base::sha256("the same");
  return make_grant(ask, terms, key(), std::string(16, 'n'));
}

ledger::Record given(const ledger::StoredRecord& ask, GrantScope scope = GrantScope::call) {
  return samples::stored(draft(ask, scope).record, 9).record;
}

bool counts(const ledger::Record& grant, const ledger::StoredRecord& ask) {
  return genuine_grant(grant, ask, public_text(key()));
}

}  // namespace

TEST_CASE("a grant counts with the operator's signature, for the ask it was given at") {
  const auto ask = samples::ask(5);
  for (const GrantScope scope : {GrantScope::call, GrantScope::effects, GrantScope::tool, GrantScope::rule}) {
    CHECK(counts(given(ask, scope), ask));
    CHECK(scope_from_name(name(scope)) == scope);
  }
  CHECK_FALSE(counts(given(ask), samples::ask(6)));
  CHECK_FALSE(genuine_grant(given(ask), ask, public_text(base::SigningKey::generate())));
  auto joined = ask;
  joined.record.details["joins"] = "3";
  CHECK_FALSE(counts(given(joined), joined));
}

TEST_CASE("a grant that was changed after it was signed does not count") {
  const auto ask = samples::ask(5);
  const auto changes = std::vector<std::function<void(ledger::Record&)>>{
      [](auto& r) { r.mission = "m-2"; },
      [](auto& r) { r.server = "other"; },
      [](auto& r) { r.ledger = std::string(32, 'b'); },
      [](auto& r) { r.type = ledger::Type::answer; },
      [](auto& r) { r.answers->sequence = 4; },
      [](auto& r) { r.answers.reset(); },
      [](auto& r) { r.operator_->answer = "deny"; },
      [](auto& r) { r.operator_->level = "pin"; },
      [](auto& r) { r.operator_->valid_until += 1; },
      [](auto& r) { r.operator_.reset(); },
      [](auto& r) { r.details["scope"] = "tool"; },
      [](auto& r) { r.details["scope"] = "call\nx"; },
      [](auto& r) { r.details.erase("same"); },
      [](auto& r) { r.details["same"] = base::hex(base::sha256("another")); },
      [](auto& r) { r.details["rule"] = base::hex(base::sha256("another")); },
      [](auto& r) { r.details["rationale"] = "x"; },
      [](auto& r) { r.details.erase("rationale"); },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    INFO(i);
    ledger::Record changed = given(ask);
    changes[i](changed);
    CHECK_FALSE(counts(changed, ask));
  }
}

TEST_CASE("the rule of a grant is the payload that was signed, and no other") {
  const auto ask = samples::ask(5);
  const ledger::Draft made = draft(ask);
  REQUIRE(made.payloads.size() == 2);
  CHECK(made.payloads.front().slot == "rule");
  CHECK(rule_of(made.record, made.payloads.front().bytes) == rule);
  CHECK_FALSE(rule_of(made.record, made.payloads.front().bytes + "write = [\"**\"]\n").has_value());
  CHECK_FALSE(rule_of(made.record, rule).has_value());
}

TEST_CASE("a grant is taken back by a record that answers it, while it stands") {
  const auto ask = samples::ask(5);
  const auto grant = samples::stored(draft(ask).record, 9);
  const auto append = make_revocation(grant, "", key(), std::string(16, 'n'));
  REQUIRE(append.drafts.size() == 1);
  const ledger::Record& record = append.drafts.front().record;
  CHECK(record.answers == ledger::Reference{9, grant.leaf});
  CHECK(record.operator_->answer == "deny");
  REQUIRE(append.preconditions.size() == 1);
  CHECK(append.preconditions.front().kind == ledger::Precondition::Kind::grant_stands);
  CHECK(append.preconditions.front().sequence == 9);
  CHECK_FALSE(counts(record, ask));
}
