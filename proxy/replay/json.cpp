#include "proxy/replay/json.hpp"

#include <chrono>

#include "proxy/base/clock.hpp"
#include "proxy/base/text.hpp"
#include "proxy/base/utf8.hpp"

namespace proxy::replay {
namespace {

using Json = nlohmann::ordered_json;

std::string utc(std::int64_t nanoseconds) {
  return base::utc_text(base::WallTime(std::chrono::nanoseconds(nanoseconds)));
}

// A string, escaped where it is not UTF-8.
Json text(const std::string& bytes) {
  return base::utf8::valid(bytes) ? Json(bytes) : Json(base::printable(bytes, bytes.size() * 4));
}
Json text_or_null(const std::string& bytes) { return bytes.empty() ? Json() : text(bytes); }
template <class Number>
Json or_null(const std::optional<Number>& number) {
  return number ? Json(*number) : Json();
}

Json answer_json(const Call& call) {
  if (!call.answer) return {};
  const auto words = call.answer->words;
  return {{"record", call.answer->record},
          {"time", utc(call.answer->time)},
          {"verdict", call.answer->verdict},
          {"level", call.answer->level},
          {"after_ns", call.answer->time - call.time},
          {"rationale", words == Answered::Words::none || words == Answered::Words::gone
                            ? Json()
                            : text(call.answer->rationale)},
          {"rationale_proven", words == Answered::Words::proven}};
}

Json outcome_json(const Call& call) {
  if (!call.has_outcome) return {};
  return {{"status", call.state},
          {"error", text_or_null(call.error)},
          {"is_error", call.is_error},
          {"duration_ns", call.duration},
          {"size", call.size},
          {"result", text_or_null(call.result)},
          {"found", text_or_null(call.found)}};
}

Json call_json(const Call& call) {
  Json effects = Json::array();
  for (const Effect& each : call.effects)
    effects.push_back(
        {{"summary", text(each.summary)}, {"tier", each.tier}, {"rule", text_or_null(each.rule)}});
  Json breaches = Json::array();
  for (const Breach& each : call.breaches)
    breaches.push_back({{"record", each.record},
                        {"kind", text(each.kind)},
                        {"class", text(each.violation_class)},
                        {"severity", each.severity},
                        {"rule", text_or_null(each.rule)}});
  return {{"entry", "call"},
          {"call", call.number},
          {"record", call.record},
          {"time", utc(call.time)},
          {"server", text(call.server)},
          {"method", text(call.method)},
          {"tool", text_or_null(call.tool)},
          {"decision", call.decision},
          {"rule", text_or_null(call.rule)},
          {"layer", text_or_null(call.layer)},
          {"place", text_or_null(call.place)},
          {"why", text_or_null(call.why)},
          {"grants", call.grants},
          {"redirected_by", text_or_null(call.redirected_by)},
          {"effects", effects},
          {"effects_count", call.effects_count},
          {"again_of", or_null(call.again_of)},
          {"answer_of", or_null(call.answer_of)},
          {"joins", or_null(call.joins)},
          {"state", call.state},
          {"waited_ns", call.settled ? Json(*call.settled - call.time) : Json()},
          {"answer", answer_json(call)},
          {"grant", or_null(call.grant)},
          {"outcome", outcome_json(call)},
          {"violations", breaches},
          {"arguments", call.arguments_size == 0 || call.arguments_gone ? Json() : text(call.arguments)},
          {"arguments_size", call.arguments_size},
          {"redacted", call.redacted}};
}

Json event_json(const Event& event) {
  return {{"entry", "event"},        {"kind", name(event.kind)}, {"record", event.record},
          {"time", utc(event.time)}, {"type", event.type},       {"server", text_or_null(event.server)},
          {"text", text(event.text)}};
}

Json mission_json(const Timeline& timeline) {
  Json servers = Json::array();
  for (const ServerSeen& each : timeline.servers)
    servers.push_back({{"name", text(each.name)},
                       {"server_name", text_or_null(each.server_name)},
                       {"server_version", text_or_null(each.server_version)},
                       {"tools", text_or_null(each.tools)}});
  Json policies = Json::array();
  for (const PolicySeen& each : timeline.policies)
    policies.push_back({{"digest", each.digest}, {"files", text(each.files)}, {"record", each.record}});
  return {{"id", text(timeline.span.id)},
          {"record", timeline.span.first},
          {"state", timeline.state},
          {"start", utc(timeline.start)},
          {"end", utc(timeline.end)},
          {"agent", text_or_null(timeline.agent)},
          {"protocol", text_or_null(timeline.protocol)},
          {"process", timeline.process},
          {"commit", text_or_null(timeline.commit)},
          {"workspace", text_or_null(timeline.workspace)},
          {"servers", servers},
          {"policies", policies}};
}

}  // namespace

Json checked_json(const Checked& checked) {
  Json findings = Json::array();
  for (const ledger::Finding& each : checked.here) {
    Json finding = Json::object();
    if (each.sequence != ledger::Finding::no_record) finding["record"] = each.sequence;
    finding["what"] = base::printable(each.what, 500);
    findings.push_back(std::move(finding));
  }
  return {{"level", ledger::name(checked.level)},
          {"records", checked.records},
          {"loss", text_or_null(checked.loss)},
          {"findings", findings},
          {"findings_elsewhere", checked.elsewhere},
          {"findings_not_listed", checked.not_listed},
          {"unproven", checked.unproven}};
}

Json timeline_json(const Timeline& timeline, const std::vector<std::size_t>& places, const Checked& checked) {
  const Totals totals = totals_of(timeline);
  Json entries = Json::array();
  for (const std::size_t place : places) {
    const Entry& entry = timeline.entries[place];
    const Call* call = std::get_if<Call>(&entry);
    entries.push_back(call != nullptr ? call_json(*call) : event_json(std::get<Event>(entry)));
  }
  return {{"version", 1},
          {"ledger", checked_json(checked)},
          {"mission", mission_json(timeline)},
          {"totals",
           {{"calls", totals.calls},
            {"allowed", totals.allowed},
            {"asked", totals.asked},
            {"denied", totals.denied},
            {"approved", totals.approved},
            {"refused", totals.refused},
            {"unanswered", totals.unanswered},
            {"violations", totals.violations},
            {"errors", totals.errors},
            {"withheld", totals.withheld},
            {"waited_ns", totals.waited}}},
          {"entries", entries}};
}

}  // namespace proxy::replay
