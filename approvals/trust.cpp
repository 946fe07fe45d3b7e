#include "approvals/trust.hpp"

#include <utility>

#include "approvals/operator_key.hpp"
#include "proxy/base/sha256.hpp"

namespace approvals {
namespace {

std::string signed_text(const ledger::Record& record) {
  std::string text = "callgate trust 1\n" + record.ledger + "\n" + record.detail("workspace") + "\n";
  text += base::hex(*record.policy) + "\n" + record.operator_->answer + "\n" + record.operator_->level +
          "\n" + std::to_string(record.operator_->valid_until) + "\n";
  return text;
}

ledger::Draft make_record(const std::string& ledger_id, const base::Digest& workspace,
                          const base::Digest& policy, const char* answer, const base::SigningKey& key) {
  ledger::Draft draft;
  ledger::Record& record = draft.record;
  record.ledger = ledger_id;
  record.type = ledger::Type::policy_trusted;
  record.policy = policy;
  record.details["workspace"] = base::hex(workspace);
  record.operator_ = ledger::Operator{.answer = answer, .level = "same-user", .key = public_text(key)};
  record.operator_->signature = key.sign_hex(signed_text(record));
  return draft;
}

}  // namespace

ledger::Append make_trust(const std::string& ledger_id, const base::Digest& workspace, std::string_view bytes,
                          const base::SigningKey& key) {
  ledger::Append append;
  append.drafts.push_back(make_record(ledger_id, workspace, base::sha256(bytes), "allow", key));
  append.drafts.back().payloads.push_back({"policy", std::string(bytes)});
  return append;
}

ledger::Append make_withdrawal(const std::string& ledger_id, const base::Digest& workspace,
                               const base::Digest& policy, const base::SigningKey& key) {
  ledger::Append append;
  append.drafts.push_back(make_record(ledger_id, workspace, policy, "deny", key));
  return append;
}

bool genuine_trust(const ledger::Record& record, const std::string& operator_key) {
  if (record.type != ledger::Type::policy_trusted || !record.policy || !record.operator_) return false;
  const ledger::Operator& by = *record.operator_;
  return by.key == operator_key &&
         base::verify_hex_signature(operator_key, signed_text(record), by.signature);
}

}  // namespace approvals
