#include "approvals/trust.hpp"

#include <algorithm>
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

}  // namespace

ledger::Append make_trust(const std::string& ledger_id, const base::Digest& workspace, std::string_view bytes,
                          Trust trust, const base::SigningKey& key) {
  ledger::Append append;
  ledger::Draft draft;
  ledger::Record& record = draft.record;
  record.ledger = ledger_id;
  record.type = ledger::Type::policy_trusted;
  record.policy = base::sha256(bytes);
  record.details["workspace"] = base::hex(workspace);
  record.operator_ = ledger::Operator{
      .answer = trust == Trust::give ? "allow" : "deny", .level = "same-user", .key = public_text(key)};
  const base::Signature signature = key.sign(signed_text(record));
  record.operator_->signature =
      base::hex({reinterpret_cast<const char*>(signature.data()), signature.size()});
  draft.payloads.push_back({"policy", std::string(bytes)});
  append.drafts.push_back(std::move(draft));
  return append;
}

bool genuine_trust(const ledger::Record& record, const std::string& operator_key) {
  if (record.type != ledger::Type::policy_trusted || !record.policy || !record.operator_) return false;
  if (record.operator_->key != operator_key) return false;
  const auto key_digest = base::digest_from_hex(operator_key);
  const auto signature_bytes = base::from_hex(record.operator_->signature);
  base::Signature signature{};
  if (!key_digest || !signature_bytes || signature_bytes->size() != signature.size()) return false;
  std::copy(signature_bytes->begin(), signature_bytes->end(), signature.begin());
  base::PublicKey key{};
  std::copy(key_digest->begin(), key_digest->end(), key.begin());
  return base::verify_signature(key, signed_text(record), signature);
}

}  // namespace approvals
