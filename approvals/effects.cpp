#include "approvals/effects.hpp"

#include <algorithm>

#include "policy/describe/effect_list.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/text.hpp"
#include "proxy/base/utf8.hpp"

namespace approvals {
namespace {

using base::json::Value;

// Of one effect's members, and the effect itself.
constexpr std::size_t values_of_effect_max = 16;

ShownEffect shown(const policy::Effect& effect) {
  ShownEffect line;
  line.effect = policy::name(effect.kind);
  line.summary = policy::summary(effect);
  if (effect.path.real != effect.path.written) line.path = effect.path.real;
  line.opaque = effect.opaque;
  line.caution = effect.caution;
  line.note = effect.note;
  return line;
}

// Paths and arguments may be no UTF-8: what is not is shown escaped; the call itself stands in `arguments`.
void append_member(std::string& out, std::string_view key, std::string_view value) {
  if (value.empty()) return;
  if (out.back() != '{') out += ',';
  base::json::append_string(out, key);
  out += ':';
  if (base::utf8::valid(value)) return base::json::append_string(out, value);
  base::json::append_string(out, base::printable(value, value.size() * 4));
}

// By hand, since it is on the way of every call. Empty members are left out.
void append_line(std::string& out, const ShownEffect& line) {
  out += out.back() == '[' ? "{" : ",{";
  append_member(out, "effect", line.effect);
  append_member(out, "summary", line.summary);
  append_member(out, "path", line.path);
  append_member(out, "tier", line.tier);
  append_member(out, "rule", line.rule);
  append_member(out, "layer", line.layer);
  append_member(out, "place", line.place);
  append_member(out, "why", line.why);
  append_member(out, "found", line.found);
  append_member(out, "history", line.history);
  append_member(out, "remedy", line.remedy);
  append_member(out, "almost", line.almost);
  if (line.grant != 0) out += ",\"grant\":" + std::to_string(line.grant);
  if (line.opaque) out += ",\"opaque\":true";
  append_member(out, "caution", line.caution);
  append_member(out, "note", line.note);
  out += '}';
}

// Mostly the one at the same index: looking for each from the front would be quadratic in a call's effects.
auto reason_of(const policy::Decision& decision, std::size_t effect) {
  const auto& reasons = decision.reasons;
  const auto same = [effect](const policy::Reason& each) { return each.effect == effect; };
  if (effect < reasons.size() && same(reasons[effect]))
    return reasons.begin() + static_cast<std::ptrdiff_t>(effect);
  return std::find_if(reasons.begin(), reasons.end(), same);
}

std::string text(const Value& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

ShownEffect from_json(const Value& object) {
  ShownEffect line;
  line.effect = text(object, "effect");
  line.summary = text(object, "summary");
  line.path = text(object, "path");
  line.tier = text(object, "tier");
  line.rule = text(object, "rule");
  line.layer = text(object, "layer");
  line.place = text(object, "place");
  line.why = text(object, "why");
  line.found = text(object, "found");
  line.history = text(object, "history");
  line.remedy = text(object, "remedy");
  line.almost = text(object, "almost");
  const auto grant = object.find("grant");
  if (grant != object.end() && grant->is_number_unsigned()) line.grant = grant->get<std::uint64_t>();
  const auto opaque = object.find("opaque");
  line.opaque = opaque != object.end() && opaque->is_boolean() && opaque->get<bool>();
  line.caution = text(object, "caution");
  line.note = text(object, "note");
  return line;
}

enum class Tells { without_history, history_too };

std::string payload(const policy::Decision& decision, Tells tells) {
  std::string list = "[";
  for (std::size_t i = 0; i < decision.effects.size(); ++i) {
    ShownEffect line = shown(decision.effects[i]);
    const auto reason = reason_of(decision, i);
    line.tier = policy::name(policy::Tier::deny);
    if (reason != decision.reasons.end()) {
      line.tier = policy::name(reason->tier);
      line.rule = reason->rule;
      line.layer = policy::name(reason->layer);
      line.place = reason->place;
      line.why = reason->why;
      line.found = reason->found;
      if (tells == Tells::history_too) line.history = reason->history;
      if (tells == Tells::history_too) line.almost = reason->almost.text;
      line.remedy = reason->remedy;
      line.grant = reason->grant;
    }
    append_line(list, line);
  }
  return list + ']';
}

}  // namespace

std::string effects_payload(const policy::Decision& decision) {
  return payload(decision, Tells::history_too);
}

std::string bound_effects(const policy::Decision& decision) {
  return payload(decision, Tells::without_history);
}

std::string effects_alone(const policy::Decision& decision) {
  std::string list = "[";
  for (const policy::Effect& effect : decision.effects) {
    ShownEffect line = shown(effect);
    line.place = effect.command.directory;
    append_line(list, line);
  }
  return list + ']';
}

base::Result<std::vector<ShownEffect>> effects_from_payload(std::string_view payload) {
  const auto parsed = base::json::parse(payload, {.values_max = policy::effects_max * values_of_effect_max});
  if (!parsed) return parsed.error();
  if (!parsed->is_array() || parsed->size() > policy::effects_max)
    return base::Error(base::Code::invalid, "the recorded effects are not a list");
  std::vector<ShownEffect> lines;
  for (const Value& each : *parsed) {
    if (!each.is_object()) return base::Error(base::Code::invalid, "a recorded effect is not an object");
    lines.push_back(from_json(each));
  }
  return lines;
}

}  // namespace approvals
