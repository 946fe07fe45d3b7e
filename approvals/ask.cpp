#include "approvals/ask.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include "policy/variable_note.hpp"
#include "proxy/base/text.hpp"

namespace approvals {
namespace {

using base::json::Value;

base::WallTime wall(std::int64_t nanoseconds) {
  return base::WallTime(std::chrono::nanoseconds(nanoseconds));
}

// `9:48`, `1:02:03`
std::string span_text(std::chrono::nanoseconds span) {
  const auto total = std::max<long long>(0, std::chrono::duration_cast<std::chrono::seconds>(span).count());
  const auto two = [](long long number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  const std::string tail = two(total % 60);
  if (total < 3600) return std::to_string(total / 60) + ":" + tail;
  return std::to_string(total / 3600) + ":" + two(total / 60 % 60) + ":" + tail;
}

Value json_or_text(const std::string& text) {
  auto parsed = base::json::parse(text);
  return parsed ? std::move(*parsed) : Value(text);
}

const ledger::Capability& capability(const AskView& view) {
  static const ledger::Capability none;
  return view.decision.record.capability ? *view.decision.record.capability : none;
}

std::string tool_or_method(const AskView& view) {
  return capability(view).tool.empty() ? capability(view).method : capability(view).tool;
}

std::string claimed(const ledger::Agent& agent) {
  return agent.name + (agent.name.empty() || agent.version.empty() ? "" : " ") + agent.version;
}

// Beside what is asked it needs no rule: a use of the tool, what the shell does itself, a guess.
bool needs_no_rule(const ShownEffect& effect) {
  return effect.rule.empty() && effect.tier == "ALLOW" && effect.grant == 0;
}

// The summary has the path whole: it is told again where links lead away from that.
bool leads_elsewhere(const ShownEffect& effect) {
  return !effect.path.empty() && (effect.summary.find(effect.path) == std::string::npos ||
                                  effect.summary.find(" (really ") != std::string::npos);
}

// Nobody has to see it.
bool is_idle(const ShownEffect& each) {
  return needs_no_rule(each) && !each.opaque && !leads_elsewhere(each);
}

// What a rule decided, the default asks for, is not understood, or leads elsewhere than it says; what asks
// comes before what is allowed beside it.
std::vector<ShownEffect> decided(std::vector<ShownEffect> effects) {
  std::erase_if(effects, is_idle);
  std::stable_partition(effects.begin(), effects.end(),
                        [](const ShownEffect& each) { return each.tier != "ALLOW"; });
  return effects;
}

// Effects that are not shown, but for the plain use of the tool, which every call is.
std::size_t left_out(const AskView& view) {
  const auto all = view.effects.value_or(std::vector<ShownEffect>());
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const ShownEffect& each) {
    return is_idle(each) && each.effect != policy::name(policy::EffectKind::use);
  }));
}

Value effect_json(const ShownEffect& effect) {
  Value object = {{"effect", effect.effect}, {"summary", effect.summary}, {"tier", effect.tier}};
  const std::pair<const char*, const std::string&> others[] = {
      {"path", effect.path},       {"rule", effect.rule},     {"layer", effect.layer},
      {"place", effect.place},     {"why", effect.why},       {"found", effect.found},
      {"history", effect.history}, {"almost", effect.almost}, {"caution", effect.caution},
      {"note", effect.note}};
  for (const auto& [name, text] : others)
    if (!text.empty()) object[name] = text;
  if (effect.opaque) object["opaque"] = true;
  return object;
}

bool has_payload(const ledger::Record& record, std::string_view slot) {
  return std::any_of(record.payloads.begin(), record.payloads.end(),
                     [&](const ledger::Commitment& each) { return each.slot == slot; });
}

// `label «text»`, or the text as a block of its own when it is long.
void add_field(std::vector<std::string>& lines, const std::string& label, std::string_view text,
               const RenderOptions& options) {
  if (text.empty()) return;
  if (text.size() + label.size() + 4 <= options.width && text.find('\n') == std::string_view::npos) {
    lines.push_back(label + " " + render_inline(text, text.size()));
    return;
  }
  lines.push_back(label);
  const Rendered block = render(text, options);
  lines.insert(lines.end(), block.lines.begin(), block.lines.end());
}

// Number, server, tool.
std::string called(const AskView& view) {
  return std::to_string(view.id()) + "  " + render_inline(view.decision.record.server, 40) + " " +
         render_inline(tool_or_method(view), 60);
}

// As `call 12 «read /w/a.txt»`.
std::string name_of(const CameFrom& call) {
  return "call " + std::to_string(call.decision) +
         (call.summary.empty() ? std::string() : " " + render_inline(call.summary, 100));
}

std::string first_effect(const AskView& view) {
  if (view.came_from) return "  answer of " + name_of(*view.came_from);
  const auto effects = decided(view.effects.value_or(std::vector<ShownEffect>()));
  if (effects.empty()) return {};
  return "  " + render_inline(effects.front().summary, 100) +
         (effects.size() > 1 ? " and " + std::to_string(effects.size() - 1) + " more" : "");
}

// One JSON text of the request.
void add_json(std::vector<std::string>& lines, const std::string& label, const std::string& json,
              const AskView& view, const RenderOptions& options, bool raw) {
  const Rendered block = raw ? render(json, options) : render_json(json, options);
  lines.push_back(label + ", " + std::to_string(json.size()) + " bytes" +
                  (view.decision.record.redacted.empty() ? "" : ", secrets left out"));
  lines.insert(lines.end(), block.lines.begin(), block.lines.end());
  if (block.marks > 0)
    lines.push_back("! " + std::to_string(block.marks) +
                    (block.marks == 1 ? " character that hides, moves or imitates text is shown as a ⟨mark⟩"
                                      : " characters that hide, move or imitate text are shown as ⟨marks⟩"));
}

}  // namespace

std::vector<ledger::Ask> waiting_asks(const ledger::Fold& fold, base::WallTime now) {
  std::vector<ledger::Ask> waiting;
  for (const auto& [sequence, ask] : fold.asks()) {
    const bool unanswered = ask.state == ledger::AskState::open || ask.state == ledger::AskState::detached;
    if (unanswered && ask.expires > now.time_since_epoch().count()) waiting.push_back(ask);
  }
  std::stable_sort(waiting.begin(), waiting.end(),
                   [](const ledger::Ask& a, const ledger::Ask& b) { return a.expires < b.expires; });
  return waiting;
}

namespace {

// `number`: of the decision that let the call pass.
base::Result<CameFrom> call_of(const ledger::Reader& reader, const std::string& number) {
  CameFrom call;
  std::from_chars(number.data(), number.data() + number.size(), call.decision);
  const auto stored = reader.record(call.decision);
  if (!stored) return stored.error();
  if (!*stored) return call;
  auto arguments = reader.payload(**stored, "arguments");
  if (!arguments) return arguments.error();
  call.arguments = std::move(*arguments);
  const auto payload = reader.payload(**stored, "effects");
  if (!payload) return payload.error();
  auto effects = effects_from_payload(payload->value_or("[]"));
  if (!effects) return effects.error();
  const auto shown = decided(std::move(*effects));
  if (!shown.empty()) call.summary = shown.front().summary;
  return call;
}

}  // namespace

base::Result<AskView> view_of(const ledger::Reader& reader, const ledger::Ask& ask) {
  auto decision = reader.record(ask.decision);
  if (!decision) return decision.error();
  if (!*decision || (*decision)->leaf != ask.leaf || (*decision)->record.type != ledger::Type::decision)
    return base::Error(base::Code::invalid,
                       "record " + std::to_string(ask.decision) + " is not the ask it should be");
  AskView view;
  view.decision = std::move(**decision);
  view.expires = wall(ask.expires);
  view.detached = ask.detached();
  for (const ledger::Commitment& each : view.decision.record.payloads) {
    auto bytes = reader.payload(view.decision, each.slot);
    if (!bytes) return bytes.error();
    if (each.slot == "arguments") view.arguments = std::move(*bytes);
    if (each.slot == "redirected") view.redirected = std::move(*bytes);
    if (each.slot == "grantable") view.grantable = std::move(*bytes);
    if (each.slot == "beside") view.beside = std::move(*bytes);
    if (each.slot == "effects" && *bytes) {
      auto effects = effects_from_payload(**bytes);
      if (!effects) return effects.error();
      view.effects = std::move(*effects);
    }
  }
  if (view.of_answer()) {
    auto call = call_of(reader, view.decision.record.detail("answer_of"));
    if (!call) return call.error();
    view.came_from = std::move(*call);
  }
  return view;
}

base::Result<std::vector<AskView>> waiting_views(const ledger::Reader& reader, base::WallTime now,
                                                 const std::vector<AskView>& known) {
  const auto fold = reader.state();
  if (!fold) return fold.error();
  std::vector<AskView> views;
  for (const ledger::Ask& ask : waiting_asks(*fold, now)) {
    const auto seen = std::find_if(known.begin(), known.end(), [&](const AskView& each) {
      return each.id() == ask.decision && each.decision.leaf == ask.leaf;
    });
    auto view = seen != known.end() ? base::Result<AskView>(*seen) : view_of(reader, ask);
    if (!view) return view.error();
    view->expires = wall(ask.expires);
    view->detached = ask.detached();
    views.push_back(std::move(*view));
  }
  return views;
}

Value to_json(const AskView& view) {
  Value object = {{"id", view.id()},
                  {"server", view.decision.record.server},
                  {"tool", capability(view).tool},
                  {"method", capability(view).method},
                  {"mission", view.decision.record.mission},
                  {"agent", nullptr},
                  {"asked", base::utc_text(wall(view.decision.record.time))},
                  {"expires", base::utc_text(view.expires)},
                  {"detached", view.detached},
                  {"effects", Value::array()},
                  {"arguments", nullptr},
                  {"beside", nullptr}};
  if (const auto& agent = view.decision.record.agent)
    object["agent"] = {{"name", agent->name}, {"version", agent->version}, {"pid", agent->process.pid}};
  for (const ShownEffect& each : view.effects.value_or(std::vector<ShownEffect>()))
    object["effects"].push_back(effect_json(each));
  if (view.arguments) object["arguments"] = json_or_text(*view.arguments);
  if (view.redirected) object["redirected"] = json_or_text(*view.redirected);
  if (const auto& call = view.came_from) {
    object["answer_of"] = {{"id", call->decision}, {"summary", call->summary}, {"arguments", nullptr}};
    if (call->arguments) object["answer_of"]["arguments"] = json_or_text(*call->arguments);
  }
  if (view.beside) object["beside"] = json_or_text(*view.beside);
  return object;
}

std::string json_text(const Value& value) {
  return value.dump(-1, ' ', true, Value::error_handler_t::replace);
}

std::string headline(const AskView& view, base::WallTime now) {
  return called(view) + "  expires in " + span_text(view.expires - now) +
         (view.detached ? "  (the agent was told to repeat it later)" : "") + first_effect(view);
}

std::string answered_line(const AskView& view) { return called(view) + first_effect(view); }

void add_effect(std::vector<std::string>& lines, const ShownEffect& effect, const RenderOptions& options) {
  if (effect.grant != 0)
    lines.push_back("allowed by grant " + std::to_string(effect.grant) + ", of what is asked");
  else
    lines.push_back(effect.tier == "ASK"     ? "asks"
                    : effect.tier != "ALLOW" ? "denies"
                    : needs_no_rule(effect)  ? "beside that, perhaps, and no rule concerns it"
                                             : "allows");
  const Rendered summary = render(effect.summary, options);
  lines.insert(lines.end(), summary.lines.begin(), summary.lines.end());
  if (leads_elsewhere(effect)) add_field(lines, "  leads to", effect.path, options);
  if (effect.opaque) lines.push_back("  not understood: nobody can say what this does");
  if (effect.rule.empty() && (effect.tier == "ASK" || effect.grant != 0))
    lines.push_back("  by the default of the policy");
  if (effect.rule.empty() && effect.tier == "DENY") lines.push_back("  no rule allows it");
  if (!effect.rule.empty())
    add_field(lines, "  by rule", effect.rule + (effect.layer.empty() ? "" : " (" + effect.layer + ")"),
              options);
  add_field(lines, "  at", effect.place, options);
  add_field(lines, "  because", effect.why, options);
  add_field(lines, "  found in its content", effect.found, options);
  add_field(lines, "  history", effect.history, options);
  add_field(lines, "  almost", effect.almost, options);
  add_field(lines, "  caution", effect.caution, options);
  if (effect.why != "not understood: " + effect.note) add_field(lines, "  note", effect.note, options);
  if (effect.opaque && !policy::variable_of(effect.note).empty())
    lines.push_back(
        "  if that variable changes nothing of what runs, `neutral_variables` of your policy can name it");
}

std::vector<std::string> full_text(const AskView& view, base::WallTime now, const RenderOptions& options,
                                   bool raw) {
  std::vector<std::string> lines;
  lines.push_back("approval " + std::to_string(view.id()) + ", asked " +
                  span_text(now - wall(view.decision.record.time)) + " ago, expires in " +
                  span_text(view.expires - now));
  add_field(lines, "server", view.decision.record.server, options);
  add_field(lines, "tool", capability(view).tool, options);
  if (capability(view).tool.empty()) add_field(lines, "method", capability(view).method, options);
  if (const auto& call = view.came_from) {
    lines.push_back("asked for is the answer of call " + std::to_string(call->decision) +
                    ", which was executed; refused, the agent does not get it");
    add_field(lines, "  the call was", call->summary, options);
    if (call->arguments) add_json(lines, "  with arguments", *call->arguments, view, options, raw);
  }
  add_field(lines, "mission", view.decision.record.mission, options);
  if (const auto& agent = view.decision.record.agent) {
    add_field(lines, "agent, as it claims,", claimed(*agent), options);
    lines.push_back("  process " + std::to_string(agent->process.pid));
  }
  if (view.detached)
    lines.push_back("the agent was told to repeat it later: once allowed, it passes within ten minutes");
  if (!view.effects) lines.push_back("effects: none on record");
  const auto effects = decided(view.effects.value_or(std::vector<ShownEffect>()));
  for (const ShownEffect& each : effects) add_effect(lines, each, options);
  if (const std::size_t rest = left_out(view); rest > 0)
    lines.push_back("beside that " + std::to_string(rest) + (rest == 1 ? " effect" : " effects") +
                    " on record that no rule covers: a guess, or what the shell does itself");
  const std::string redirected_by = view.decision.record.detail("redirected_by");
  if (!redirected_by.empty()) add_field(lines, "redirected by rule", redirected_by, options);
  if (view.redirected)
    add_json(lines, "arguments as they would be passed on", *view.redirected, view, options, raw);
  else if (has_payload(view.decision.record, "redirected"))
    lines.push_back("arguments as they would be passed on: erased");
  if (view.arguments)
    add_json(lines,
             view.of_answer()        ? "answer"
             : redirected_by.empty() ? "arguments"
                                     : "arguments as the agent has them",
             *view.arguments, view, options, raw);
  else
    lines.push_back("arguments: none on record");
  if (view.beside)
    add_json(lines, "beside the arguments", *view.beside, view, options, raw);
  else if (has_payload(view.decision.record, "beside"))
    lines.push_back("beside the arguments: erased");
  return lines;
}

std::optional<std::string> end_of(const ledger::Reader& reader, const ledger::StoredRecord& decision) {
  const ledger::Reference ask{decision.record.sequence, decision.leaf};
  std::optional<std::string> end;
  const auto scanned =
      reader.scan(ask.sequence + 1, ~std::uint64_t{0} >> 1, [&](const ledger::StoredRecord& each) {
        const ledger::Record& record = each.record;
        if (record.answers != ask) return true;
        const std::string at = " at " + base::utc_text(wall(record.time));
        if (record.type == ledger::Type::answer && record.operator_)
          end = std::string(record.operator_->answer == "allow" ? "was allowed" : "was denied") +
                " by an operator (" + record.operator_->level + ", key " +
                record.operator_->key.substr(0, 8) + ")" + at;
        else if (record.type == ledger::Type::expired)
          end = end ? *end + " and has run out" : "expired" + at;
        else if (record.type == ledger::Type::withdrawn)
          end = "was withdrawn" + at;
        else if (record.type == ledger::Type::released)
          end = end.value_or("was allowed") + " and has been used";
        return record.type != ledger::Type::expired && record.type != ledger::Type::withdrawn &&
               record.type != ledger::Type::released;
      });
  return scanned ? end : std::nullopt;
}

}  // namespace approvals
