#include "approvals/custody.hpp"

#include "approvals/operator_key.hpp"

namespace approvals {
namespace {

void sign(ledger::Draft& draft, const std::string& ledger_id, const char* answer,
          const base::SigningKey& key) {
  ledger::Record& record = draft.record;
  record.ledger = ledger_id;
  record.operator_ = ledger::Operator{.answer = answer, .level = "same-user", .key = public_text(key)};
  record.operator_->signature = key.sign_hex(ledger::custody_text(record));
}

}  // namespace

ledger::Draft make_hold(const std::string& ledger_id, const ledger::Hold& hold, std::string_view rationale,
                        const base::SigningKey& key, std::string_view nonce) {
  ledger::Draft draft;
  draft.record.type = ledger::Type::hold_set;
  auto& details = draft.record.details;
  details["scope"] = ledger::name(hold.scope);
  if (!hold.of.empty()) details["of"] = hold.of;
  if (hold.scope == ledger::Hold::Scope::time) {
    details["from"] = std::to_string(hold.from);
    details["until"] = std::to_string(hold.until);
  }
  if (!rationale.empty()) {
    std::string payload = base::hex(nonce) + "\n" + std::string(rationale);
    details["rationale"] = base::hex(base::sha256(payload));
    draft.payloads.push_back({"rationale", std::move(payload)});
  }
  sign(draft, ledger_id, "allow", key);
  return draft;
}

ledger::Draft release_hold(const std::string& ledger_id, const ledger::Hold& hold,
                           const base::SigningKey& key) {
  ledger::Draft draft;
  draft.record.type = ledger::Type::hold_released;
  draft.record.answers = ledger::Reference{hold.record, hold.leaf};
  sign(draft, ledger_id, "deny", key);
  return draft;
}

ledger::Draft make_removal(const std::string& ledger_id, ledger::Type type, const ledger::Removal& removal,
                           const std::optional<ledger::Reference>& target, const base::SigningKey& key) {
  ledger::Draft draft;
  draft.record.type = type;
  draft.record.answers = target;
  ledger::put(removal, draft.record);
  sign(draft, ledger_id, "allow", key);
  return draft;
}

}  // namespace approvals
