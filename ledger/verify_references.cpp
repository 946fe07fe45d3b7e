#include "ledger/verify_references.hpp"

#include <algorithm>
#include <charconv>

#include "ledger/body.hpp"
#include "ledger/checkpoint.hpp"
#include "ledger/custody.hpp"
#include "proxy/base/ed25519.hpp"
#include "proxy/base/text.hpp"

namespace ledger {
namespace {

bool one_of(Type type, std::initializer_list<Type> types) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

// The types that a record of this type may answer; empty: any.
std::vector<Type> answerable(Type type) {
  switch (type) {
    case Type::writer_stop: return {Type::writer_start};
    case Type::mission_resume: return {Type::mission_pause};
    case Type::session_end: return {Type::session_start};
    case Type::hold_released: return {Type::hold_set};
    case Type::tools_changed: return {Type::tools_pinned, Type::tools_changed};
    case Type::policy_changed: return {Type::policy_loaded, Type::policy_changed};
    case Type::answer:
    case Type::expired:
    case Type::withdrawn:
    case Type::detached:
    case Type::released:
    case Type::outcome: return {Type::decision};
    case Type::grant: return {Type::decision, Type::grant};
    case Type::genesis:
    case Type::writer_start:
    case Type::mission_start:
    case Type::mission_pause:
    case Type::mission_terminate:
    case Type::mission_end:
    case Type::session_start:
    case Type::tools_pinned:
    case Type::policy_loaded:
    case Type::policy_trusted:
    case Type::decision:
    case Type::redirect:
    case Type::violation:
    case Type::plan:
    case Type::validation:
    case Type::restore:
    case Type::notification:
    case Type::alert:
    case Type::gate_result:
    case Type::telemetry:
    case Type::checkpoint:
    case Type::key_rotation:
    case Type::hold_set:
    case Type::purge:
    case Type::erase:
    case Type::exported:
    case Type::degraded: return {};
  }
  return {};
}

// Of an ask: these answer the decision that opened it.
bool about_an_ask(Type type) {
  return one_of(type, {Type::answer, Type::expired, Type::withdrawn, Type::detached, Type::released});
}

bool signed_by(const Operator& by, const std::optional<std::string>& operator_key, const std::string& text) {
  return operator_key && by.key == *operator_key && base::verify_hex_signature(by.key, text, by.signature);
}

}  // namespace

References::Earlier References::earlier_of(const Record& record, const base::Digest& leaf) {
  Earlier earlier{record.sequence, leaf, record.type, false, false, record.mission, record.server, {}};
  earlier.ask =
      record.type == Type::decision && record.decision == "ASK" && !record.details.contains("joins");
  earlier.grant = record.type == Type::grant && record.operator_ && record.operator_->answer == "allow";
  if (record.capability) earlier.call = record.capability->call;
  return earlier;
}

void References::remember(const Record& record, const base::Digest& leaf) {
  recent_[record.sequence % recent_records] = earlier_of(record, leaf);
}

base::Result<std::optional<References::Earlier>> References::find(std::uint64_t sequence) {
  const auto& recent = recent_[sequence % recent_records];
  if (recent && recent->sequence == sequence) return recent;
  if (!prepared_) {
    auto made = database_.prepare("SELECT body FROM record WHERE sequence = ?");
    if (!made) return made.error();
    lookup_ = std::move(*made);
    prepared_ = true;
  }
  lookup_.bind_integer(1, static_cast<std::int64_t>(sequence));
  const auto row = lookup_.step();
  if (!row) return row.error();
  std::optional<Earlier> found;
  if (*row)
    if (const auto record = decode(lookup_.blob(0)); record && record->sequence == sequence)
      found = earlier_of(*record, leaf_of(lookup_.blob(0)));
  lookup_.reset();
  return found;
}

base::Result<void> References::check(const Record& record, const Fold& state) {
  if (record.type == Type::policy_trusted) check_trust(record, state);
  if (record.type == Type::hold_set || record.type == Type::hold_released) check_hold(record, state);
  if (record.type == Type::key_rotation) check_rotation(record, state);
  if (record.type == Type::decision && record.decision == "ALLOW") check_granted(record, state);
  if (!record.answers) {
    if (about_an_ask(record.type) || record.type == Type::outcome || record.type == Type::grant)
      findings_.add(Kind::history, record.sequence,
                    std::string("`") + name(record.type) + "` answers no record");
    return {};
  }
  const std::uint64_t target = record.answers->sequence;
  std::optional<Earlier> earlier;
  if (target < record.sequence) {
    auto found = find(target);
    if (!found) return found.error();
    earlier = std::move(*found);
  }
  if (!earlier || earlier->leaf != record.answers->leaf) {
    findings_.add(
        Kind::history, record.sequence,
        "answers record " + std::to_string(target) + ", and no earlier record is there with that leaf");
    return {};
  }
  const auto fitting = answerable(record.type);
  if ((!fitting.empty() && std::find(fitting.begin(), fitting.end(), earlier->type) == fitting.end()) ||
      (about_an_ask(record.type) && !earlier->ask)) {
    findings_.add(Kind::history, record.sequence,
                  std::string("`") + name(record.type) + "` answers record " + std::to_string(target) +
                      ", a `" + name(earlier->type) + "` that it cannot answer");
    return {};
  }
  if (record.type == Type::answer) check_answer(record, *earlier, state);
  if (record.type == Type::grant) check_grant(record, *earlier, state);
  check_state(record, state);
  return {};
}

void References::check_answer(const Record& record, const Earlier& decision, const Fold& state) {
  if (!record.operator_ || !decision.call) {
    findings_.add(Kind::history, record.sequence, "an answer without operator or to no call");
    return;
  }
  const Operator& by = *record.operator_;
  const std::string rationale = record.detail("rationale");
  std::string text = "callgate answer 1\n" + record.ledger + "\n" + std::to_string(record.answers->sequence) +
                     "\n" + base::hex(record.answers->leaf) + "\n" + base::hex(*decision.call) + "\n" +
                     by.answer + "\n" + by.level + "\n" + std::to_string(by.valid_until) + "\n" +
                     (rationale.empty() ? base::hex(base::sha256("")) : rationale) + "\n";
  const bool lines = rationale.empty() || base::digest_from_hex(rationale).has_value();
  if (!lines || !signed_by(by, state.operator_key(), text))
    findings_.add(Kind::history, record.sequence,
                  "the operator's signature is not valid under the key of record 0");
  if (record.mission != decision.mission)
    findings_.add(Kind::history, record.sequence, "an answer whose mission is not the one that was asked");
}

void References::check_grant(const Record& record, const Earlier& target, const Fold& state) {
  if (!record.operator_) return findings_.add(Kind::history, record.sequence, "a grant without operator");
  const Operator& by = *record.operator_;
  const bool gives = by.answer == "allow";
  if (gives ? !state.gives(record) : !target.grant)
    findings_.add(Kind::history, record.sequence,
                  gives ? "a grant that does not follow the answer that allows its ask"
                        : "takes back what is no grant");
  const std::string scope = record.detail("scope");
  std::string text = "callgate grant 1\n" + record.ledger + "\n" + std::to_string(record.answers->sequence) +
                     "\n" + base::hex(record.answers->leaf) + "\n" + by.answer + "\n" + by.level + "\n" +
                     std::to_string(by.valid_until) + "\n" + (scope.empty() ? "none" : scope) + "\n";
  bool lines = scope.find('\n') == std::string::npos;
  for (const char* key : {"rule", "same", "rationale"}) {
    const std::string digest = record.detail(key);
    lines = lines && (digest.empty() || base::digest_from_hex(digest));
    text += (digest.empty() ? base::hex(base::sha256("")) : digest) + "\n";
  }
  if (!lines || !signed_by(by, state.operator_key(), text))
    findings_.add(Kind::history, record.sequence,
                  "the operator's signature is not valid under the key of record 0");
  if (record.mission != target.mission || record.server != target.server)
    findings_.add(Kind::history, record.sequence,
                  "a grant for another mission or server than it was given at");
}

// Of a call that passed by grants: each stood then.
void References::check_granted(const Record& record, const Fold& state) {
  const std::string grants = record.detail("grants");
  for (std::string_view rest = grants; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    std::uint64_t number = 0;
    const auto read = std::from_chars(rest.data(), rest.data() + end, number);
    const auto found = state.grants().find(number);
    const bool stands = read.ec == std::errc{} && read.ptr == rest.data() + end &&
                        found != state.grants().end() && found->second.mission == record.mission &&
                        record.time < found->second.expires;
    if (!stands)
      findings_.add(
          Kind::history, record.sequence,
          "a call passed by grant " + base::printable(rest.substr(0, end)) + ", which did not stand then");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

void References::check_trust(const Record& record, const Fold& state) {
  if (!record.operator_ || !record.policy) {
    findings_.add(Kind::history, record.sequence, "a policy is trusted without operator or digest");
    return;
  }
  const Operator& by = *record.operator_;
  const std::string workspace = record.detail("workspace");
  const std::string text = "callgate trust 1\n" + record.ledger + "\n" + workspace + "\n" +
                           base::hex(*record.policy) + "\n" + by.answer + "\n" + by.level + "\n" +
                           std::to_string(by.valid_until) + "\n";
  if (!base::digest_from_hex(workspace) || !signed_by(by, state.operator_key(), text))
    findings_.add(Kind::history, record.sequence,
                  "the operator's signature is not valid under the key of record 0");
}

void References::check_hold(const Record& record, const Fold& state) {
  const char* wanted = record.type == Type::hold_set ? "allow" : "deny";
  const bool right = record.operator_ && record.operator_->answer == wanted &&
                     signed_by(*record.operator_, state.operator_key(), custody_text(record));
  if (!right)
    findings_.add(Kind::history, record.sequence,
                  "the operator's signature is not valid under the key of record 0");
  if (record.type == Type::hold_set && !hold_of(record, {}))
    findings_.add(Kind::history, record.sequence, "a hold that covers nothing");
}

void References::check_rotation(const Record& record, const Fold& state) {
  const std::string before = state.checkpoint_key().value_or("");
  const std::string after = record.detail("key");
  if (!base::digest_from_hex(after) ||
      !base::verify_hex_signature(before, rotation_text(record.ledger, before, after),
                                  record.detail("signature")))
    findings_.add(Kind::checkpoint, record.sequence,
                  "the key before did not sign the one that takes its place");
}

// What the preconditions kept from being written (approvals/STATES.md).
void References::check_state(const Record& record, const Fold& state) {
  if (record.type != Type::answer && record.type != Type::released) return;
  const Ask* ask = state.ask(record.answers->sequence);
  const bool unanswered =
      ask != nullptr && (ask->state == AskState::open || ask->state == AskState::detached);
  const bool allowed = ask != nullptr && ask->state == AskState::allowed;
  if (record.type == Type::answer && !unanswered)
    findings_.add(Kind::history, record.sequence, "answers an ask that no longer waits");
  if (record.type == Type::released && !allowed)
    findings_.add(Kind::history, record.sequence,
                  "a call was released without an answer that allows it and was not used");
}

}  // namespace ledger
