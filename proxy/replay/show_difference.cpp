// What two missions differ in, for people and machines.

#include <algorithm>

#include "proxy/base/text.hpp"
#include "proxy/base/utf8.hpp"
#include "proxy/replay/difference.hpp"
#include "proxy/replay/words.hpp"

namespace proxy::replay {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t text_bytes_max = 500;

std::string shown(const std::string& text) { return base::printable(text, text_bytes_max); }

std::string name_of(const Timeline& timeline) { return base::quoted(timeline.span.id); }

std::string call_text(const Timeline& timeline, const Call& call) {
  const std::string what = telling_effect(timeline, call);
  return shown(call.server) + "/" + shown(call.what()) + (what.empty() ? "" : "  " + shown(what));
}

std::string side_text(const Call& call, const std::vector<std::string>& changed) {
  const auto has = [&](const char* what) {
    return std::find(changed.begin(), changed.end(), what) != changed.end();
  };
  std::string text = call.decision;
  if (has("decision") || has("rule")) text += " by " + shown(decided_by(call));
  return text + ", " + shown(outcome_text(call));
}

std::string list_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& each : words) text += (text.empty() ? "" : ", ") + each;
  return text;
}

Json text(const std::string& bytes) {
  if (bytes.empty()) return {};
  return base::utf8::valid(bytes) ? Json(bytes) : Json(base::printable(bytes, bytes.size() * 4));
}

Json side_json(const Call& call) {
  return {{"call", call.number},       {"record", call.record},
          {"decision", call.decision}, {"rule", text(call.rule)},
          {"state", call.state},       {"answer", call.answer ? Json(call.answer->verdict) : Json()},
          {"is_error", call.is_error}, {"duration_ns", call.duration},
          {"size", call.size}};
}

Json alone_json(const Timeline& timeline, const std::vector<const Call*>& calls) {
  Json list = Json::array();
  for (const Call* call : calls) {
    Json each = {{"server", text(call->server)},
                 {"tool", text(call->what())},
                 {"what", text(telling_effect(timeline, *call))}};
    each.update(side_json(*call));
    list.push_back(std::move(each));
  }
  return list;
}

}  // namespace

Json difference_json(const Difference& difference, const Timeline& a, const Timeline& b) {
  Json settings = Json::array(), changed = Json::array();
  for (const Setting& each : difference.settings)
    settings.push_back({{"name", text(each.name)}, {"a", text(each.a)}, {"b", text(each.b)}});
  for (const Pair& each : difference.changed)
    changed.push_back({{"server", text(each.a->server)},
                       {"tool", text(each.a->what())},
                       {"what", text(telling_effect(a, *each.a))},
                       {"changed", each.changed},
                       {"duration", each.slower   ? Json("slower")
                                    : each.faster ? Json("faster")
                                                  : Json()},
                       {"a", side_json(*each.a)},
                       {"b", side_json(*each.b)}});
  return {{"version", 1},
          {"a", {{"id", text(a.span.id)}, {"record", a.span.first}}},
          {"b", {{"id", text(b.span.id)}, {"record", b.span.first}}},
          {"different", difference.any()},
          {"configuration", settings},
          {"removed", alone_json(a, difference.removed)},
          {"added", alone_json(b, difference.added)},
          {"changed", changed},
          {"same", difference.same},
          {"not_compared", difference.unknown}};
}

std::vector<std::string> difference_lines(const Difference& difference, const Timeline& a,
                                          const Timeline& b) {
  std::vector<std::string> lines{"A " + name_of(a) + ", record " + std::to_string(a.span.first) + ";  B " +
                                 name_of(b) + ", record " + std::to_string(b.span.first)};
  for (const Setting& each : difference.settings)
    lines.push_back(shown(each.name) + ": " + (each.a.empty() ? "none" : shown(each.a)) + " → " +
                    (each.b.empty() ? "none" : shown(each.b)));
  for (const Call* call : difference.removed)
    lines.push_back("- A " + std::to_string(call->number) + "  " + call_text(a, *call));
  for (const Call* call : difference.added)
    lines.push_back("+ B " + std::to_string(call->number) + "  " + call_text(b, *call));
  for (const Pair& each : difference.changed) {
    const std::string time = each.slower ? "slower" : each.faster ? "faster" : "";
    const std::string words = list_of(each.changed);
    lines.push_back((words.empty() ? "  A " : "~ A ") + std::to_string(each.a->number) + ", B " +
                    std::to_string(each.b->number) + "  " + call_text(a, *each.a) + "  (" + words +
                    (words.empty() || time.empty() ? "" : ", ") + time + ")");
    lines.push_back("    A " + side_text(*each.a, each.changed));
    lines.push_back("    B " + side_text(*each.b, each.changed));
  }
  if (difference.unknown > 0)
    lines.push_back(std::to_string(difference.unknown) + " calls are not compared: their arguments are gone");
  const auto changed = std::count_if(difference.changed.begin(), difference.changed.end(),
                                     [](const Pair& each) { return !each.changed.empty(); });
  lines.push_back(std::to_string(difference.same) + " same, " + std::to_string(changed) + " changed, " +
                  std::to_string(difference.removed.size()) + " removed, " +
                  std::to_string(difference.added.size()) + " added");
  return lines;
}

}  // namespace proxy::replay
