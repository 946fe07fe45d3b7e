#include "policy/rule/almost.hpp"

#include <algorithm>
#include <optional>

#include "policy/earlier.hpp"
#include "policy/path/path.hpp"
#include "policy/rule/show_condition.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

constexpr std::size_t shown_bytes_max = 120;

// Tries one rule with one of its keys left out after the other.
class Attempt {
 public:
  Attempt(const Rule& rule, const Call& call, const Subject& subject, const History& history, Roots& roots)
      : rule_(rule), call_(call), subject_(subject), held_(holds(rule, history)), roots_(roots) {}

  // The key that does not hold, if it is one, and what it would take; else nothing.
  Almost clause() {
    if (!held_) return matches(rule_, subject_) ? after_clause() : Almost();
    if (Almost found = folder_clause(); found) return found;
    if (Almost found = destination_clause(); found) return found;
    if (Almost found = context_clause(); found) return found;
    if (Almost found = scope_clause(); found) return found;
    if (rule_.except && without([](Rule& rule) { rule.except.reset(); }))
      return {"except", "if its `except` did not take that out"};
    return opaque_clause();
  }

 private:
  bool matches(const Rule& rule, const Subject& subject) {
    return !roots_.steps().spent() && rule_matches(rule, call_, subject, roots_) != Match::none;
  }

  template <class Change>
  bool without(Change change) {
    Rule relaxed = rule_;
    change(relaxed);
    return matches(relaxed, subject_);
  }

  static std::string shown(const std::string& text) { return base::quoted(text, shown_bytes_max); }

  template <class Pattern>
  static std::string shown(const std::vector<Pattern>& patterns) {
    return shown(patterns.front().text()) + (patterns.size() == 1 ? "" : ", …");
  }

  Almost after_clause() const {
    return {"after", "after " + rule_.after->text + " with " + show_condition(rule_.after->effects)};
  }

  // `src`, where `src/` was meant.
  Almost folder_clause() {
    const EffectKind kind = subject_.effect->kind;
    const auto list = kind == EffectKind::read     ? &Condition::read
                      : kind == EffectKind::write  ? &Condition::write
                      : kind == EffectKind::remove ? &Condition::remove
                                                   : nullptr;
    if (list == nullptr) return {};
    for (const PathPattern& pattern : rule_.condition.*list) {
      const bool alone = !pattern.root().empty() && pattern.root() == pattern.canonical();
      if (!alone || !same_or_below(subject_.effect->path.lexical, pattern.root())) continue;
      const auto folder = PathPattern::compile(pattern.text() + "/", roots_.anchors(), Stance::permit);
      if (folder && without([&](Rule& rule) { rule.condition.*list = {*folder}; }))
        return {name(kind), "if its " + shown(pattern.text()) + " were " + shown(folder->text()) +
                                ", which is all below"};
    }
    return {};
  }

  Almost destination_clause() {
    for (const DestinationPattern& pattern : rule_.condition.connect) {
      const auto only = [&](const DestinationPattern& wider) {
        return without([&](Rule& rule) { rule.condition.connect = {wider}; });
      };
      if (!pattern.method().empty() && only(pattern.without_method())) return method_clause(pattern);
      if (pattern.host() != nullptr && only(pattern.without_site()))
        return {"connect", "at the scheme and port of " + shown(pattern.text())};
    }
    return {};
  }

  Almost method_clause(const DestinationPattern& pattern) const {
    const std::string text = "if the method were " + shown(pattern.method());
    const network::Target& target = subject_.target;
    if (target.any_method || target.methods.empty())
      return {"connect", text +
                             ", which cannot be known here: declare the argument that says it as the "
                             "tool's `method`, or leave the method out of the rule"};
    return {"connect", text + ", and it is " + shown(target.methods.back())};
  }

  Almost context_clause() {
    const Condition& condition = rule_.condition;
    if (!condition.argument.empty() && without([](Rule& rule) { rule.condition.argument.clear(); }))
      return {"argument", "if its `argument` " + shown(condition.argument) + " held"};
    const bool sends =
        subject_.effect->kind == EffectKind::write || subject_.effect->kind == EffectKind::connect;
    if (!condition.content.empty() && sends && without([](Rule& rule) { rule.condition.content.clear(); }))
      return {"content", "if its `content` " + shown(condition.content) + " were in the text"};
    if (subject_.effect->kind != EffectKind::run) return {};
    if (condition.elevated && without([](Rule& rule) { rule.condition.elevated.reset(); }))
      return {"elevated", *condition.elevated ? "if it ran elevated" : "if it did not run elevated"};
    // Not cleared: without a `cwd` an allow is for callgate's own directory.
    if (!condition.cwd.empty() && without([&](Rule& rule) { rule.condition.cwd = anywhere(); }))
      return {"cwd", "if its `cwd` " + shown(condition.cwd) + " covered " +
                         shown(subject_.effect->command.directory)};
    if (condition.cwd.empty() && subject_.effect->command.elsewhere &&
        without([&](Rule& rule) { rule.condition.cwd = anywhere(); }))
      return {"cwd", "if it named " + shown(subject_.effect->command.directory) + " as its `cwd`"};
    return {};
  }

  std::vector<PathPattern> anywhere() const {
    auto pattern = PathPattern::compile("/**", roots_.anchors(), Stance::permit);
    if (!pattern) return {};
    return {std::move(*pattern)};
  }

  Almost scope_clause() {
    using Names = std::vector<NamePattern> Condition::*;
    struct Key {
      const char* name;
      Names names;
      const std::string& value;
      bool of_tool;
    };
    const Key keys[] = {{"host_user", &Condition::host_user, call_.host_user, false},
                        {"agent", &Condition::agent, call_.agent, false},
                        {"mission", &Condition::mission, call_.mission, false},
                        {"method", &Condition::method, call_.method, true},
                        {"server", &Condition::server, call_.server, true},
                        {"tool", &Condition::tool, call_.tool, true}};
    for (const Key& key : keys) {
      const std::vector<NamePattern>& names = rule_.condition.*key.names;
      if (names.empty() || (key.of_tool && !rule_.condition.names_effects())) continue;
      if (without([&](Rule& rule) { (rule.condition.*key.names).clear(); }))
        return {key.name,
                std::string("if its `") + key.name + "` " + shown(names) + " covered " + shown(key.value)};
    }
    return {};
  }

  Almost opaque_clause() {
    const bool open = !rule_.condition.opaque && rule_.condition.names_effects();
    if (!subject_.effect->opaque || !open) return {};
    Effect understood = *subject_.effect;
    understood.opaque = false;
    const Subject other = make_subject(understood);
    if (!matches(rule_, other)) return {};
    return {"opaque", "if it were understood: for what is not it takes `opaque = true`"};
  }

  const Rule& rule_;
  const Call& call_;
  const Subject& subject_;
  const bool held_;
  Roots& roots_;
};

}  // namespace

Almost almost_allowed(const std::vector<const Rule*>& allows, const Call& call, const Subject& subject,
                      const History& history, Roots& roots) {
  for (const Rule* rule : allows) {
    Almost found = Attempt(*rule, call, subject, history, roots).clause();
    if (roots.steps().spent()) return {};
    if (!found) continue;
    found.text = "rule " + base::quoted(rule->id) +
                 (rule->place.empty() ? std::string() : " at " + base::quoted(rule->place)) +
                 " would allow it " + found.text;
    return found;
  }
  return {};
}

}  // namespace policy
