#include "approvals/grant.hpp"

#include <array>
#include <utility>

#include "approvals/answer.hpp"
#include "approvals/operator_key.hpp"
#include "proxy/base/check.hpp"

namespace approvals {
namespace {

constexpr std::array<const char*, 4> scopes{"call", "effects", "tool", "rule"};

std::string or_of_nothing(const std::string& digest) {
  return digest.empty() ? base::hex(base::sha256("")) : digest;
}

// Of a record whose `answers` and `operator_` are set.
std::string signed_text(const ledger::Record& record) {
  const ledger::Operator& by = *record.operator_;
  const std::string scope = record.detail("scope");
  std::string text;
  for (const std::string& line :
       {std::string("callgate grant 1"), record.ledger, std::to_string(record.answers->sequence),
        base::hex(record.answers->leaf), by.answer, by.level, std::to_string(by.valid_until),
        scope.empty() ? "none" : scope, or_of_nothing(record.detail("rule")),
        or_of_nothing(record.detail("same")), or_of_nothing(record.detail("rationale"))})
    text += line + "\n";
  return text;
}

// What is signed is lines: nothing in it may hold a line feed.
bool digests_only(const ledger::Record& record) {
  for (const char* key : {"rule", "same", "rationale"})
    if (const std::string text = record.detail(key); !text.empty() && !base::digest_from_hex(text))
      return false;
  return true;
}

// With chance before it, so that its digest tells nothing of a short text that was erased.
void commit(ledger::Draft& draft, const char* slot, std::string_view text, std::string_view nonce) {
  if (text.empty()) return;
  std::string payload = base::hex(nonce) + "\n" + std::string(text);
  draft.record.details[slot] = base::hex(base::sha256(payload));
  draft.payloads.push_back({slot, std::move(payload)});
}

ledger::Draft about(const ledger::StoredRecord& target, const char* answer, const base::SigningKey& key) {
  ledger::Draft draft;
  ledger::Record& record = draft.record;
  record.ledger = target.record.ledger;
  record.type = ledger::Type::grant;
  record.mission = target.record.mission;
  record.server = target.record.server;
  record.answers = ledger::Reference{target.record.sequence, target.leaf};
  record.operator_ = ledger::Operator{.answer = answer, .level = "same-user", .key = public_text(key)};
  return draft;
}

}  // namespace

const char* name(GrantScope scope) { return scopes.at(static_cast<std::size_t>(scope)); }

std::optional<GrantScope> scope_from_name(std::string_view text) {
  for (std::size_t i = 0; i < scopes.size(); ++i)
    if (text == scopes.at(i)) return static_cast<GrantScope>(i);
  return std::nullopt;
}

ledger::Draft make_grant(const ledger::StoredRecord& decision, const GrantTerms& terms,
                         const base::SigningKey& key, std::string_view nonce) {
  CHECK((terms.scope == GrantScope::call) == terms.same.has_value());
  ledger::Draft draft = about(decision, "allow", key);
  ledger::Record& record = draft.record;
  record.operator_->valid_until = terms.until.time_since_epoch().count();
  record.details["scope"] = name(terms.scope);
  if (terms.same) record.details["same"] = base::hex(*terms.same);
  commit(draft, "rule", terms.rule, nonce);
  commit(draft, "rationale", terms.rationale, nonce);
  record.operator_->signature = key.sign_hex(signed_text(record));
  return draft;
}

ledger::Append make_revocation(const ledger::StoredRecord& grant, std::string_view rationale,
                               const base::SigningKey& key, std::string_view nonce) {
  ledger::Append append;
  append.drafts.push_back(about(grant, "deny", key));
  ledger::Draft& draft = append.drafts.front();
  commit(draft, "rationale", rationale, nonce);
  draft.record.operator_->signature = key.sign_hex(signed_text(draft.record));
  append.preconditions.push_back(stands(grant.record.mission, grant.record.sequence));
  return append;
}

bool genuine_grant(const ledger::Record& grant, const ledger::StoredRecord& decision,
                   const std::string& operator_key) {
  const ledger::Record& ask = decision.record;
  if (ask.type != ledger::Type::decision || ask.decision != "ASK" || ask.details.contains("joins"))
    return false;
  if (grant.type != ledger::Type::grant || !grant.operator_ || !grant.answers) return false;
  const ledger::Operator& by = *grant.operator_;
  if (grant.ledger != ask.ledger || grant.mission != ask.mission || grant.server != ask.server) return false;
  if (*grant.answers != ledger::Reference{ask.sequence, decision.leaf} || by.answer != "allow") return false;
  if (by.level != "same-user" && by.level != "pin" && by.level != "separate-user") return false;
  const auto scope = scope_from_name(grant.detail("scope"));
  if (!scope || (*scope == GrantScope::call) != grant.details.contains("same")) return false;
  return digests_only(grant) && by.key == operator_key &&
         base::verify_hex_signature(operator_key, signed_text(grant), by.signature);
}

std::optional<std::string> rule_of(const ledger::Record& grant, std::string_view payload) {
  return signed_words(grant.detail("rule"), payload);
}

ledger::Precondition stands(const std::string& mission, std::uint64_t grant) {
  return {
      .kind = ledger::Precondition::Kind::grant_stands, .mission = mission, .sequence = grant, .digest = {}};
}

}  // namespace approvals
