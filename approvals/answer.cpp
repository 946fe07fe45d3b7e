#include "approvals/answer.hpp"

#include <utility>

#include "approvals/operator_key.hpp"
#include "proxy/base/check.hpp"
#include "proxy/base/sha256.hpp"

namespace approvals {
namespace {

constexpr std::size_t nonce_digits = 32;

// Of a record whose `answers` and `operator_` are set.
std::string signed_text(const ledger::Record& answer, const base::Digest& call) {
  const std::string rationale = answer.detail("rationale");
  std::string text;
  for (const std::string& line :
       {std::string("callgate answer 1"), answer.ledger, std::to_string(answer.answers->sequence),
        base::hex(answer.answers->leaf), base::hex(call), answer.operator_->answer, answer.operator_->level,
        std::to_string(answer.operator_->valid_until),
        rationale.empty() ? base::hex(base::sha256("")) : rationale})
    text += line + "\n";
  return text;
}

}  // namespace

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::deny: return "deny";
    case Verdict::allow: return "allow";
  }
  return "deny";
}

ledger::Append make_answer(const ledger::Record& decision, const base::Digest& leaf, Verdict verdict,
                           std::string_view rationale, base::WallTime now, const base::SigningKey& key,
                           std::string_view nonce) {
  CHECK(decision.capability.has_value());
  CHECK(nonce.size() * 2 == nonce_digits);
  ledger::Draft draft;
  ledger::Record& record = draft.record;
  record.ledger = decision.ledger;
  record.type = ledger::Type::answer;
  record.mission = decision.mission;
  record.server = decision.server;
  record.answers = ledger::Reference{decision.sequence, leaf};
  ledger::Operator by;
  by.answer = name(verdict);
  by.level = "same-user";
  by.key = public_text(key);
  by.valid_until = (now + usable_for).time_since_epoch().count();
  if (!rationale.empty()) {
    std::string payload = base::hex(nonce) + "\n" + std::string(rationale);
    record.details["rationale"] = base::hex(base::sha256(payload));
    draft.payloads.push_back({"rationale", std::move(payload)});
  }
  record.operator_ = by;
  record.operator_->signature = key.sign_hex(signed_text(record, decision.capability->call));
  ledger::Append append;
  append.drafts.push_back(std::move(draft));
  append.preconditions.push_back({.kind = ledger::Precondition::Kind::ask_unanswered,
                                  .mission = decision.mission,
                                  .sequence = decision.sequence,
                                  .digest = {}});
  return append;
}

bool genuine(const ledger::Record& answer, const ledger::Record& decision, const base::Digest& leaf,
             const std::string& operator_key) {
  if (decision.type != ledger::Type::decision || decision.decision != "ASK" ||
      decision.details.contains("joins"))
    return false;
  if (answer.type != ledger::Type::answer || !answer.operator_ || !answer.answers || !decision.capability)
    return false;
  const ledger::Operator& by = *answer.operator_;
  if (answer.ledger != decision.ledger || answer.mission != decision.mission) return false;
  if (*answer.answers != ledger::Reference{decision.sequence, leaf}) return false;
  if (by.answer != "allow" && by.answer != "deny") return false;
  if (by.level != "same-user" && by.level != "pin" && by.level != "separate-user") return false;
  // What is signed is lines: nothing in it may hold a line feed.
  if (const std::string rationale = answer.detail("rationale");
      !rationale.empty() && !base::digest_from_hex(rationale))
    return false;
  return by.key == operator_key &&
         base::verify_hex_signature(operator_key, signed_text(answer, decision.capability->call),
                                    by.signature);
}

Verdict verdict_of(const ledger::Record& answer) {
  return answer.operator_ && answer.operator_->answer == "allow" ? Verdict::allow : Verdict::deny;
}

std::optional<std::string> rationale_of(const ledger::Record& answer, std::string_view payload) {
  return signed_words(answer.detail("rationale"), payload);
}

std::optional<std::string> signed_words(const std::string& digest, std::string_view payload) {
  if (digest != base::hex(base::sha256(payload))) return std::nullopt;
  if (payload.size() <= nonce_digits || payload[nonce_digits] != '\n') return std::nullopt;
  return std::string(payload.substr(nonce_digits + 1));
}

}  // namespace approvals
