#include "policy/show_rules.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "proxy/base/text.hpp"

namespace policy {
namespace {

std::string whole(std::string_view text) { return base::quoted(text, text.size() * 8 + 8); }

std::string words_of(const std::string& text) { return text; }
template <class Pattern>
std::string words_of(const Pattern& pattern) {
  return pattern.text();
}

// `KEY `a`, `b``, behind what stands there already.
template <class Pattern>
void add(std::string& line, std::string_view key, const std::vector<Pattern>& patterns) {
  if (patterns.empty()) return;
  line += (line.empty() ? "" : "; ") + std::string(key);
  for (std::size_t i = 0; i < patterns.size(); ++i)
    line += (i == 0 ? " " : ", ") + whole(words_of(patterns[i]));
}

void add(std::string& line, std::string_view words) {
  line += (line.empty() ? "" : "; ") + std::string(words);
}

bool same(const std::vector<PathPattern>& a, const std::vector<PathPattern>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const PathPattern& x, const PathPattern& y) { return x.text() == y.text(); });
}

}  // namespace

std::string show_condition(const Condition& condition) {
  std::string line;
  add(line, "server", condition.server);
  add(line, "tool", condition.tool);
  add(line, "method", condition.method);
  add(line, "agent", condition.agent);
  add(line, "mission", condition.mission);
  add(line, "host_user", condition.host_user);
  add(line, "argument", condition.argument);
  if (same(condition.read, condition.write) && same(condition.read, condition.remove)) {
    add(line, "path", condition.read);
  } else {
    add(line, "read", condition.read);
    add(line, "write", condition.write);
    add(line, "delete", condition.remove);
  }
  add(line, "run", condition.run);
  add(line, "connect", condition.connect);
  add(line, "cwd", condition.cwd);
  if (condition.elevated) add(line, *condition.elevated ? "elevated" : "not elevated");
  add(line, "content", condition.content);
  if (condition.opaque) add(line, condition.stance == Stance::permit ? "opaque too" : "opaque only");
  if (!condition.names_effects() && condition.content.empty()) add(line, "every effect");
  return line;
}

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
  for (std::size_t i = 0; i < effect_kinds; ++i)
    if (!rules.defaults[i].place.empty())
      line += (line.empty() ? "" : ", ") + std::string(name(static_cast<EffectKind>(i))) + " " +
              name(rules.defaults[i].tier);
  return line.empty() ? line : "default: " + line;
}

}  // namespace

std::string show_rules(const CompiledRules& rules) {
  std::string text;
  const auto add_line = [&](const std::string& line) {
    if (!line.empty()) text += "  " + line + "\n";
  };
  add_line(show_defaults(rules));
  for (const Rule& rule : rules.rules) add_line(show(rule));
  for (const auto& rule : rules.result_rules) add_line(show(*rule));
  for (const ToolDeclaration& tool : rules.declarations) add_line(show(tool));
  return text;
}

}  // namespace policy
