#include "proxy/replay/build_timeline.hpp"

#include <algorithm>
#include <charconv>

#include "approvals/answer.hpp"
#include "approvals/effects.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/text.hpp"
#include "proxy/replay/request_key.hpp"

namespace proxy::replay {
namespace {

using ledger::Record;
using ledger::Type;

constexpr std::size_t text_bytes_max = 2000;
constexpr std::size_t summary_bytes_max = 400;

const std::string* payload(const Payloads& payloads, std::string_view slot) {
  const auto found = payloads.find(slot);
  return found == payloads.end() || !found->second ? nullptr : &*found->second;
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<std::uint64_t> numbers(std::string_view text) {
  std::vector<std::uint64_t> all;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    if (const auto each = number(text.substr(0, blank))) all.push_back(*each);
    text.remove_prefix(std::min(blank + 1, text.size()));
  }
  return all;
}

// What decided: the first effect of the decision's tier that a rule decided, else the first of that tier.
void add_effects(Call& call, const std::string& bytes) {
  const auto effects = approvals::effects_from_payload(bytes);
  if (!effects) return;
  const approvals::ShownEffect* deciding = nullptr;
  for (const approvals::ShownEffect& each : *effects) {
    if (call.effects.size() < effects_max)
      call.effects.push_back({base::bounded(each.summary, summary_bytes_max), each.tier, each.rule});
    const bool tells = each.grant != 0 || each.tier == call.decision;
    if (tells && (deciding == nullptr || (deciding->rule.empty() && !each.rule.empty()))) deciding = &each;
  }
  call.effects_count = effects->size();
  if (deciding == nullptr) return;
  call.rule = deciding->rule;
  call.layer = deciding->layer;
  call.place = deciding->place;
  call.why = base::bounded(deciding->why, text_bytes_max);
}

}  // namespace

TimelineBuilder::TimelineBuilder(MissionSpan span) { timeline_.span = std::move(span); }

bool TimelineBuilder::concerns(const Record& record) const {
  if (timeline_.span.holds(record)) return true;
  if (record.sequence < timeline_.span.first || record.sequence > timeline_.span.last) return false;
  if (record.answers && at_.contains(record.answers->sequence)) return true;
  if (timeline_.state == "ended") return false;
  return record.type == Type::degraded ||
         (record.type == Type::writer_stop && writers_.contains(record.detail("of")));
}

std::vector<std::string_view> TimelineBuilder::slots(const Record& record, bool results) {
  switch (record.type) {
    case Type::mission_start: return {"workspace"};
    case Type::policy_loaded:
    case Type::policy_changed: return {"policy-files"};
    case Type::decision: return {"arguments", "effects"};
    case Type::answer: return {"rationale"};
    case Type::outcome:
      if (results) return {"result"};
      return {};
    default: return {};
  }
}

void TimelineBuilder::add(const Record& record, const Payloads& payloads) {
  timeline_.end = std::max(timeline_.end, record.time);
  if (!record.mission.empty()) writers_.try_emplace(record.writer);
  if (record.type == Type::decision)
    add_decision(record, payloads);
  else if (record.answers && record.type != Type::grant && !record.detail("of").size())
    add_to_call(record, payloads);
  else
    add_event(record, payloads);
}

void TimelineBuilder::add_decision(const Record& record, const Payloads& payloads) {
  Call call;
  call.number = ++calls_;
  call.record = record.sequence;
  call.time = record.time;
  call.writer = record.writer;
  call.server = record.server;
  if (record.capability) {
    call.method = record.capability->method;
    call.tool = record.capability->tool;
  }
  call.decision = record.decision;
  for (const ledger::Rule& rule : record.rules)
    if (rule.tier == record.decision && call.rule.empty() && rule.id != "default") {
      call.rule = rule.id;
      call.layer = rule.layer;
    }
  call.redacted = !record.redacted.empty();
  call.grants = numbers(record.detail("grants"));
  call.redirected_by = record.detail("redirected_by");
  call.answer_of = number(record.detail("answer_of"));
  for (const ledger::Commitment& each : record.payloads)
    if (each.slot == "arguments") call.arguments_size = each.size;
  if (const std::string* bytes = payload(payloads, "effects")) add_effects(call, *bytes);
  if (const std::string* bytes = payload(payloads, "arguments")) {
    call.arguments = base::bounded(*bytes, argument_bytes_max);
    call.request = request_key(*bytes, timeline_.workspace, call.tool.empty());
  } else if (call.arguments_size == 0 && record.detail("left_out").empty()) {
    call.request = request_key("", timeline_.workspace, false);
  } else {
    call.arguments_gone = true;
  }
  call.state = call.decision == "ASK" ? "waiting" : call.decision == "DENY" ? "refused" : "open";
  const std::size_t place = timeline_.entries.size();
  if (record.answers && call.decision == "ASK") {
    call.joins = record.answers->sequence;
    joined_.emplace(*call.joins, place);
  }
  if (!call.answer_of && record.call != 0) {
    const auto [before, first] = last_.try_emplace({record.writer, record.call}, place);
    if (!first) {
      Call& earlier = std::get<Call>(timeline_.entries[before->second]);
      earlier.judged_again = true;
      call.again_of = earlier.number;
      before->second = place;
    }
  }
  at_.emplace(call.record, place);
  timeline_.entries.emplace_back(std::move(call));
}

Call* TimelineBuilder::call_at(std::uint64_t decision) {
  const auto found = at_.find(decision);
  return found == at_.end() ? nullptr : &std::get<Call>(timeline_.entries[found->second]);
}

void TimelineBuilder::add_to_call(const Record& record, const Payloads& payloads) {
  const std::uint64_t answered = record.answers->sequence;
  if (record.type == Type::violation && record.violation) {
    const auto outcome = outcomes_.find(answered);
    if (Call* call = call_at(outcome == outcomes_.end() ? answered : outcome->second))
      call->breaches.push_back({record.sequence, record.violation->kind, record.violation->violation_class,
                                record.violation->severity, record.violation->rule});
    return;
  }
  Call* call = call_at(answered);
  if (call == nullptr) return add_event(record, payloads);
  const auto settle = [&](const char* state, bool over) {
    call->state = state;
    if (!call->settled) call->settled = record.time;
    const auto [from, to] = joined_.equal_range(answered);
    for (auto each = from; each != to && over; ++each) {
      Call& joined = std::get<Call>(timeline_.entries[each->second]);
      if (joined.has_outcome) continue;
      joined.state = state;
      if (!joined.settled) joined.settled = std::max(record.time, joined.time);
      joined.answer = call->answer;
    }
  };
  switch (record.type) {
    case Type::answer:
      add_answer(*call, record, payloads);
      settle(call->answer && call->answer->verdict == "allow" ? "allowed" : "denied", true);
      break;
    case Type::expired: settle("expired", true); break;
    case Type::withdrawn: settle("withdrawn", true); break;
    case Type::detached: settle("detached", false); break;
    case Type::released: call->state = "open"; break;
    case Type::outcome: add_outcome(*call, record, payloads); break;
    default: add_event(record, payloads);
  }
}

void TimelineBuilder::add_answer(Call& call, const Record& record, const Payloads& payloads) {
  if (!record.operator_) return;
  Answered answer{.record = record.sequence,
                  .time = record.time,
                  .verdict = record.operator_->answer,
                  .level = record.operator_->level};
  const bool committed = std::any_of(record.payloads.begin(), record.payloads.end(),
                                     [](const ledger::Commitment& each) { return each.slot == "rationale"; });
  if (const std::string* bytes = payload(payloads, "rationale")) {
    const auto words = approvals::rationale_of(record, *bytes);
    answer.words = words ? Answered::Words::proven : Answered::Words::unproven;
    answer.rationale = base::bounded(words ? *words : *bytes, text_bytes_max);
  } else if (committed) {
    answer.words = Answered::Words::gone;
  }
  if (call.state == "detached") call.settled = record.time;  // the wait for the person went on
  call.answer = std::move(answer);
  answers_.emplace(record.sequence, call.record);
}

void TimelineBuilder::add_outcome(Call& call, const Record& record, const Payloads& payloads) {
  if (!record.outcome) return;
  outcomes_.emplace(record.sequence, call.record);
  // Told to come back later is not how the call ended.
  if (call.state == "detached" && record.outcome->status == "refused") return;
  call.has_outcome = true;
  call.state = record.outcome->status;
  call.error = record.outcome->error;
  call.is_error = record.outcome->is_error;
  call.duration = record.outcome->duration;
  call.size = record.outcome->size;
  call.result = record.detail("result");
  call.found = base::bounded(record.detail("found"), text_bytes_max);
  if (const std::string* bytes = payload(payloads, "result")) call.returned = base::sha256(*bytes);
}

Timeline TimelineBuilder::take() { return std::move(timeline_); }

}  // namespace proxy::replay
