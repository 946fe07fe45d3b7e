#include "proxy/call/records.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "approvals/grant.hpp"
#include "proxy/base/check.hpp"
#include "proxy/mission/passed_calls.hpp"
#include "recovery/violation.hpp"

namespace proxy {
namespace {

// The latest that a record names.
constexpr std::size_t earlier_calls_max = 64;

bool is_tool_call(const transports::Message& message) { return message.method == "tools/call"; }

std::vector<std::string> kinds_of(const std::vector<policy::Effect>& effects) {
  std::vector<std::string> kinds;
  for (const auto& effect : effects)
    if (std::find(kinds.begin(), kinds.end(), policy::name(effect.kind)) == kinds.end())
      kinds.emplace_back(policy::name(effect.kind));
  return kinds;
}

std::vector<ledger::Rule> rules_of(const policy::Decision& decision) {
  std::vector<ledger::Rule> rules;
  for (const auto& reason : decision.reasons) {
    const policy::Tier tier = reason.grant == 0 ? reason.tier : policy::Tier::ask;  // what the rule says
    if (reason.rule.empty() && tier == policy::Tier::allow) continue;  // judged beside another effect
    ledger::Rule rule{reason.rule.empty() ? "default" : reason.rule, policy::name(reason.layer),
                      policy::name(tier)};
    if (std::find(rules.begin(), rules.end(), rule) == rules.end()) rules.push_back(std::move(rule));
  }
  return rules;
}

// Ids with a blank between, each once.
std::string redirected_by(const policy::Redirected& redirected) {
  std::vector<std::string> ids;
  for (const policy::Change& change : redirected.changes)
    if (std::find(ids.begin(), ids.end(), change.rule) == ids.end()) ids.push_back(change.rule);
  std::string text;
  for (const std::string& id : ids) text += (text.empty() ? "" : " ") + id;
  return text;
}

// Which earlier calls decided, and what this one is counted for by later ones.
void add_history(ledger::Record& record, const Judgement& judgement) {
  const policy::Decision& decision = judgement.decision;
  if (!decision.tallies.empty() && decision.tier != policy::Tier::deny)
    record.details["tallies"] = tallies_text(decision.tallies);
  if (judgement.history_to) record.details["history_to"] = std::to_string(*judgement.history_to);
  std::set<std::uint64_t> earlier;
  bool unknown = false;
  for (const policy::Reason& reason : decision.reasons) {
    earlier.insert(reason.earlier.begin(), reason.earlier.end());
    unknown = unknown || (!reason.history.empty() && reason.earlier.empty());
  }
  std::string numbers;
  const std::size_t left = std::min(earlier.size(), earlier_calls_max);
  for (auto each = std::prev(earlier.end(), static_cast<std::ptrdiff_t>(left)); each != earlier.end(); ++each)
    numbers += (numbers.empty() ? "" : " ") + (*each == 0 ? "under-way" : std::to_string(*each));
  if (numbers.empty() && unknown) numbers = "unknown";
  if (!numbers.empty()) record.details["history"] = numbers;
}

// A call that grants let pass says by which, and passes only while they stand under this policy.
void add_grants(ledger::Append& records, const CallAt& at, const policy::Decision& decision) {
  std::set<std::uint64_t> grants;
  for (const policy::Reason& reason : decision.reasons)
    if (reason.grant != 0) grants.insert(reason.grant);
  if (grants.empty()) return;
  std::string numbers;
  for (const std::uint64_t grant : grants) {
    numbers += (numbers.empty() ? "" : " ") + std::to_string(grant);
    records.preconditions.push_back(approvals::stands(at.standing.mission, grant));
  }
  records.drafts.front().record.details["grants"] = numbers;
  records.preconditions.push_back({.kind = ledger::Precondition::Kind::policy_is,
                                   .mission = at.standing.mission,
                                   .sequence = 0,
                                   .digest = at.standing.policy});
}

ledger::Draft draft_of(const CallAt& at, ledger::Type type) {
  ledger::Draft draft;
  draft.record.type = type;
  draft.record.mission = at.standing.mission;
  draft.record.call = at.call;
  draft.record.server = at.server;
  return draft;
}

// The gravest of what deny rules found in the answer, of the outcome before it. nullopt: nothing.
std::optional<ledger::Draft> violation_record(const CallAt& at, const std::vector<ResultFinding>& findings) {
  const auto graver = [](const ResultFinding& a, const ResultFinding& b) {
    if (a.tier != b.tier) return b.tier == policy::Tier::deny;
    return a.violation_class.empty() != b.violation_class.empty() ? a.violation_class.empty()
                                                                  : a.severity < b.severity;
  };
  const auto worst = std::max_element(findings.begin(), findings.end(), graver);
  if (worst == findings.end() || worst->tier != policy::Tier::deny) return std::nullopt;
  ledger::Draft breach = draft_of(at, ledger::Type::violation);
  breach.record.answers = ledger::Reference{ledger::Append::answers_previous, {}};
  breach.record.violation =
      ledger::Violation{"result", worst->violation_class.empty() ? "configuration" : worst->violation_class,
                        policy::name(worst->severity), worst->rule};
  return breach;
}

// What became of an answer in which something was found; nullptr: it was passed on as it came.
const char* done_to(const Call::Answer& answer) {
  if (answer.withheld) return "withheld";
  const bool cut = std::any_of(answer.findings.begin(), answer.findings.end(),
                               [](const ResultFinding& each) { return each.tier == policy::Tier::deny; });
  return cut ? "redacted" : nullptr;
}

// As the ledger says it: what was forwarded and never answered has failed.
const char* status_of(Ending ending) {
  switch (ending) {
    case Ending::answered: return "answered";
    case Ending::refused: return "refused";
    case Ending::cancelled: return "cancelled";
    case Ending::peer_gone:
    case Ending::none: break;
  }
  return "failed";
}

}  // namespace

transports::Span judged_part(const transports::Message& request) {
  return is_tool_call(request) ? request.arguments : request.params;
}

std::string tool_of(const transports::Message& request) { return is_tool_call(request) ? request.name : ""; }

std::string called(const transports::Message& request) {
  const std::string tool = tool_of(request);
  return tool.empty() ? request.method : tool;
}

ledger::Append decision_records(const CallAt& at, const transports::Message& request,
                                const Judgement& judgement) {
  ledger::Append records;
  ledger::Draft draft = draft_of(at, ledger::Type::decision);
  draft.record.policy = at.standing.policy;
  draft.record.capability = ledger::Capability{request.method, tool_of(request),
                                               kinds_of(judgement.decision.effects), judgement.digests.exact};
  draft.record.decision = policy::name(judgement.decision.tier);
  draft.record.rules = rules_of(judgement.decision);
  const transports::Span judged = judged_part(request);
  if (judged.present()) draft.payloads.push_back({"arguments", std::string(request.at(judged))});
  if (!request.beside.empty()) draft.payloads.push_back({"beside", request.beside});
  if (const auto& redirected = judgement.decision.redirected; redirected && !judgement.redirected.empty()) {
    draft.payloads.push_back({"redirected", judgement.redirected});
    draft.record.details["redirected_by"] = redirected_by(*redirected);
  }
  draft.payloads.push_back({"effects", judgement.effects});
  if (!judgement.folders.empty()) draft.payloads.push_back({"folders", judgement.folders});
  if (!judgement.seen.empty()) draft.payloads.push_back({"seen", judgement.seen});
  add_history(draft.record, judgement);
  records.drafts.push_back(std::move(draft));
  records.preconditions = {
      {.kind = ledger::Precondition::Kind::mission_active, .mission = at.standing.mission}};
  add_grants(records, at, judgement.decision);
  if (auto violation = recovery::violation_of(judgement.decision)) {
    ledger::Draft breach = draft_of(at, ledger::Type::violation);
    breach.record.answers = ledger::Reference{ledger::Append::answers_previous, {}};
    breach.record.violation = std::move(violation);
    records.drafts.push_back(std::move(breach));
  }
  return records;
}

void name_answer(ledger::Append& records, const transports::Message& request, std::uint64_t decision) {
  records.drafts.resize(1);
  ledger::Record& record = records.drafts.front().record;
  record.capability->tool = tool_of(request);
  record.details["answer_of"] = std::to_string(decision);
}

void open_ask(ledger::Append& records, const ledger::Agent& agent, const Judgement& judgement,
              const CallAt& at, std::int64_t expires) {
  CHECK(judgement.decision.tier == policy::Tier::ask);
  ledger::Draft& decision = records.drafts.front();
  decision.record.agent = agent;
  decision.record.details["expires"] = std::to_string(expires);
  if (const GrantOffer& offer = judgement.offer; offer.each_time == policy::EachTime::no) {
    decision.record.details["same"] = base::hex(offer.same);
    if (!offer.rule.empty()) decision.payloads.push_back({"grantable", offer.rule});
  } else {
    decision.record.details["each_time"] = policy::name(offer.each_time);
  }
  records.preconditions = approvals::opening(at.standing, judgement.digests.exact);
}

void join_ask(ledger::Append& records, const CallAt& at, const ledger::Ask& ask) {
  ledger::Record& decision = records.drafts.front().record;
  decision.details["joins"] = std::to_string(ask.decision);
  decision.answers = ledger::Reference{ask.decision, ask.leaf};
  records.preconditions = approvals::joining(at.standing, ask.decision);
}

ledger::Append outcome_record(const CallAt& at, const ledger::Reference& decision, Ending ending,
                              const Call& call, std::chrono::steady_clock::time_point now) {
  ledger::Draft draft = draft_of(at, ledger::Type::outcome);
  draft.record.answers = decision;
  ledger::Outcome outcome;
  outcome.status = status_of(ending);
  if (call.forwarded) outcome.duration = std::chrono::nanoseconds(now - call.forwarded_at).count();
  if (call.answer) {
    outcome.is_error = call.answer->is_error;
    outcome.size = call.answer->size;
    if (!call.answer->withheld) draft.payloads.push_back({"result", call.answer->result});
    if (const char* done = done_to(*call.answer); done != nullptr) draft.record.details["result"] = done;
    if (!call.answer->findings.empty()) draft.record.details["found"] = findings_text(call.answer->findings);
  }
  draft.record.outcome = std::move(outcome);
  ledger::Append records;
  records.drafts.push_back(std::move(draft));
  if (call.answer)
    if (auto breach = violation_record(at, call.answer->findings))
      records.drafts.push_back(std::move(*breach));
  return records;
}

}  // namespace proxy
