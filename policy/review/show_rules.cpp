#include "policy/review/show_rules.hpp"

#include <algorithm>
#include <vector>

#include "policy/rule/show_condition.hpp"
#include "policy/rule/shown_list.hpp"

namespace policy {

using shown::add;
using shown::whole;

namespace {

std::string show(const Redirect& redirect) {
  std::string line;
  const auto add_move = [&](const std::string& what, const std::string& from, const std::string& to) {
    line += (line.empty() ? "" : ", ") + what + whole(from) + " to " + whole(to);
  };
  for (const Redirect::Path& path : redirect.paths) {
    std::string kinds;
    for (const EffectKind kind : {EffectKind::read, EffectKind::write, EffectKind::remove})
      if ((path.kinds & kind_bit(kind)) != 0) kinds += std::string(name(kind)) + " ";
    add_move(kinds, path.from, path.to);
  }
  if (redirect.address)
    add_move("connect ", network::text_of(redirect.address->from_site), redirect.address->to);
  for (const Redirect::Argument& argument : redirect.arguments)
    add_move("argument ", argument.pointer, argument.value.dump());
  return line;
}

std::string show(const Rule& rule) {
  std::string line =
      std::string(name(rule.tier)) + " " + whole(rule.id) + ": " + show_condition(rule.condition);
  if (rule.except) line += "; except where " + show_condition(*rule.except);
  if (rule.after) line += "; only after " + rule.after->text + " with " + show_condition(rule.after->effects);
  if (rule.rate) line += "; at most " + rule.rate->text;
  if (!rule.result.empty()) add(line, rule.redact ? "redacts in the result" : "in the result", rule.result);
  if (rule.redirect) line += "; redirects " + show(*rule.redirect);
  return line;
}

std::string show(const ToolDeclaration& tool) {
  std::string line;
  add(line, "read", tool.read);
  add(line, "write", tool.write);
  add(line, "delete", tool.remove);
  add(line, "run", tool.run);
  add(line, "connect", tool.connect);
  add(line, "resource", tool.resource);
  add(line, "content", tool.content);
  add(line, "cwd", tool.cwd);
  add(line, "env", tool.env);
  add(line, "method", tool.method);
  add(line, "headers", tool.headers);
  add(line, "ignore", tool.ignore);
  if (tool.shell) add(line, std::string("shell ") + name(*tool.shell));
  if (line.empty()) line = "no effect but its use";
  return "tool " + whole(tool.server.text() + "/" + tool.tool.text()) + ": " + line;
}

std::string show_defaults(const CompiledRules& rules) {
  std::string line;
  const Default& first = rules.defaults.front();
  const bool same = std::all_of(rules.defaults.begin(), rules.defaults.end(), [&](const Default& each) {
    return each.tier == first.tier && !each.place.empty();
  });
  if (same) return std::string("default: ") + name(first.tier);
  for (std::size_t i = 0; i < effect_kinds; ++i)
    if (!rules.defaults[i].place.empty())
      line += (line.empty() ? "" : ", ") + std::string(name(static_cast<EffectKind>(i))) + " " +
              name(rules.defaults[i].tier);
  return line.empty() ? line : "default: " + line;
}

// One statement, and what tells it from others.
struct Line {
  std::string key, text;
};

std::vector<Line> lines_of(const CompiledRules& rules) {
  std::vector<Line> lines;
  if (std::string text = show_defaults(rules); !text.empty()) lines.push_back({"default", std::move(text)});
  const auto add_rule = [&](const Rule& rule) {
    lines.push_back({std::string("rule ") + name(rule.layer) + " " + rule.id, show(rule)});
  };
  for (const Rule& rule : rules.rules) add_rule(rule);
  for (const auto& rule : rules.result_rules) add_rule(*rule);
  for (const ToolDeclaration& tool : rules.declarations)
    lines.push_back(
        {std::string("tool ") + name(tool.layer) + " " + tool.server.text() + "/" + tool.tool.text(),
         show(tool)});
  return lines;
}

}  // namespace

std::string show_rules(const CompiledRules& rules) {
  std::string text;
  for (const Line& line : lines_of(rules)) text += "  " + line.text + "\n";
  return text;
}

ShownChanges show_changes(const CompiledRules& before, const CompiledRules& after) {
  std::vector<Line> was = lines_of(before);
  ShownChanges changes;
  for (const Line& line : lines_of(after)) {
    auto same = std::find_if(was.begin(), was.end(), [&](const Line& each) {
      return each.key == line.key && each.text == line.text;
    });
    if (same != was.end()) {
      ++changes.kept;
    } else {
      same = std::find_if(was.begin(), was.end(), [&](const Line& each) { return each.key == line.key; });
      if (same != was.end()) changes.text += "  - " + same->text + "\n";
      changes.text += "  + " + line.text + "\n";
    }
    if (same != was.end()) was.erase(same);
  }
  for (const Line& line : was) changes.text += "  - " + line.text + "\n";
  return changes;
}

}  // namespace policy
