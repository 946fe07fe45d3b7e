#include "policy/redirect.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "policy/describe/declared.hpp"
#include "policy/describe/declared_request.hpp"
#include "policy/earlier.hpp"
#include "policy/path/file_uri.hpp"
#include "policy/path/path.hpp"
#include "policy/rule/index.hpp"
#include "policy/rule/match.hpp"
#include "proxy/base/text.hpp"

namespace policy {

namespace {

using base::json::Value;

constexpr unsigned path_kinds =
    kind_bit(EffectKind::read) | kind_bit(EffectKind::write) | kind_bit(EffectKind::remove);

bool any_starts(std::string_view pointer, const std::vector<std::string>& starts) {
  return std::any_of(starts.begin(), starts.end(),
                     [&](const std::string& start) { return starts_with_pointer(pointer, start); });
}

bool is_site(const network::Site& site, const network::Site& wanted) {
  return site.host == wanted.host && (site.scheme.empty() || site.scheme == wanted.scheme) &&
         (site.port == 0 || site.port == wanted.port);
}

// Where links lead the path elsewhere; those of the workspace and the home as a whole do not count.
bool linked(const PathResult& path, Roots& roots) {
  if (path.real == path.lexical) return false;
  for (const std::string* anchor : {&roots.anchors().workspace, &roots.anchors().home})
    if (!anchor->empty() && same_or_below(path.lexical, *anchor) &&
        path.real == std::string(roots.real(*anchor)) + path.lexical.substr(anchor->size()))
      return false;
  return true;
}

// `path`, which is `from` or below it, below `to`.
std::string moved(const std::string& path, const std::string& from, const std::string& to) {
  const std::string tail = path.substr(from == "/" ? 0 : from.size());
  return tail == "/" ? to : (to == "/" && !tail.empty() ? "" : to) + tail;
}

// As the call wrote the path it had: relative where it was and still can be.
std::string written_as(const std::string& path, const std::string& before, const std::string& directory) {
  std::string text = path;
  if (!before.starts_with('/') && directory != "/" && same_or_below(path, directory)) {
    text = path == directory ? "." : path.substr(directory.size() + 1);
    if (text.starts_with('~') || is_file_uri(cleaned_address(text))) text = "./" + text;
  }
  return before.ends_with('/') && !text.ends_with('/') ? text + '/' : text;
}

// The address up to its path.
std::size_t authority_end(const std::string& url) {
  const std::size_t slashes = url.find("://");
  if (slashes == std::string::npos) return slashes;
  return std::min(url.find_first_of("/?#", slashes + 3), url.size());
}

bool declares(const ToolDeclaration& tool, const Effect& effect) {
  switch (effect.kind) {
    case EffectKind::read: return any_starts(effect.argument, tool.read);
    case EffectKind::write: return any_starts(effect.argument, tool.write);
    case EffectKind::remove: return any_starts(effect.argument, tool.remove);
    case EffectKind::connect:
      return any_starts(effect.argument, tool.connect) || any_starts(effect.argument, tool.resource);
    case EffectKind::run:
    case EffectKind::use:
    case EffectKind::sample:
    case EffectKind::elicit: return false;
  }
  return false;
}

class Redirecting {
 public:
  Redirecting(const CompiledRules& rules, const Call& call, const Scene& scene,
              const std::vector<Effect>& effects, const History& history, Roots& roots)
      : rules_(rules),
        history_(history),
        call_(call),
        scene_(scene),
        effects_(effects),
        roots_(roots),
        declared_(declared_for(call, rules.declarations, *rules.catalogue)) {}

  Redirection run() {
    for (const Effect& effect : effects_) subjects_.push_back(make_subject(effect));
    for (const Rule& rule : rules_.rules) {
      if (!rule.redirect || !scope_matches(rule.condition, call_)) continue;
      for (std::size_t i = 0; i < effects_.size() && !found_.refused; ++i) look(rule, i);
    }
    for (const std::string& pointer : named_) check_overlap(pointer);
    if (!found_.refused && !changes_.empty()) apply();
    if (found_.refused) found_.changes.clear();
    return std::move(found_);
  }

 private:
  struct Wanted {
    const Rule* rule = nullptr;
    const Effect* effect = nullptr;
    Value value;
  };

  void refuse(const Effect& effect, const Rule& rule, std::string why) {
    if (!found_.refused) found_.refused = RedirectRefused{effect, &rule, std::move(why)};
  }

  void look(const Rule& rule, std::size_t i) {
    const Effect& effect = effects_[i];
    if (rule.tier == Tier::allow && (rule.counts_for & kind_bit(effect.kind)) == 0) return;
    if (!holds_for(rule, history_, subjects_, i, roots_)) return;
    roots_.steps().spend(1);
    const Match match = rule_matches(rule, call_, subjects_[i], roots_);
    if (roots_.steps().spent()) return refuse(effect, rule, "it takes too long to tell");
    if (match == Match::none) return;
    for (const Redirect::Path& path : rule.redirect->paths)
      if ((path.kinds & kind_bit(effect.kind)) != 0) look_at_path(rule, path, effect);
    if (rule.redirect->address && effect.kind == EffectKind::connect)
      look_at_address(rule, *rule.redirect->address, effect, subjects_[i].target);
    if (rule.tier == Tier::allow && effect.guessed) return;  // not what an allow allows
    for (const Redirect::Argument& argument : rule.redirect->arguments)
      look_at_argument(rule, argument, effect);
  }

  void look_at_path(const Rule& rule, const Redirect::Path& path, const Effect& effect) {
    const std::string_view real_from = roots_.real(path.from);
    const bool touches = same_or_below(effect.path.lexical, path.from) ||
                         same_or_below(effect.path.real, path.from) ||
                         same_or_below(effect.path.real, real_from);
    const bool holds = effect.reach.wide() && (same_or_below(path.from, effect.path.lexical) ||
                                               same_or_below(real_from, effect.path.real));
    if (!touches && !holds) return;
    std::string why = trouble(effect, effect.path.written);
    if (why.empty() && !touches) why = "the call covers more than what is redirected";
    if (why.empty() && linked(effect.path, roots_)) why = "links lead the path elsewhere";
    if (why.empty() && several(effect)) why = "the path can be read in several ways";
    if (!why.empty()) return refuse(effect, rule, std::move(why));
    const std::string to = moved(effect.path.lexical, path.from, path.to);
    want(rule, effect, effect.argument, written_as(to, effect.path.written, scene_.directory));
  }

  void look_at_address(const Rule& rule, const Redirect::Address& address, const Effect& effect,
                       const network::Target& target) {
    const bool touches =
        target.any_site || std::any_of(target.sites.begin(), target.sites.end(),
                                       [&](const auto& site) { return is_site(site, address.from_site); });
    if (!touches) return;
    std::string why = trouble(effect, effect.destination);
    const std::size_t end = authority_end(effect.destination);
    if (why.empty() && (!target.agreed() || target.sites.size() != 1 || end == std::string::npos))
      why = "the address can be read in several ways";
    std::string url = why.empty() ? address.to + effect.destination.substr(end) : std::string();
    const network::Target moved_target = network::read_target(url, effect.request);
    if (why.empty() && (!moved_target.agreed() || moved_target.sites != std::vector{address.to_site}))
      why = "the address that it would become can be read in several ways";
    if (!why.empty()) return refuse(effect, rule, std::move(why));
    want(rule, effect, effect.argument, std::move(url));
  }

  void look_at_argument(const Rule& rule, const Redirect::Argument& argument, const Effect& effect) {
    std::string why;
    if (call_.method != "tools/call") why = "only arguments of tool calls are redirected";
    bool known = false;
    for (const Declared& each : declared_) {
      const ToolDeclaration& tool = *each.declaration;
      for (const auto* pointers : pointers_of(tool))
        known = known || (!tool.adds_only && any_starts(argument.pointer, *pointers));
      for (const std::string& run : tool.run)
        if (starts_with_pointer(argument.pointer, run) || starts_with_pointer(run, argument.pointer))
          why = "what runs is not redirected";
    }
    if (why.empty() && !known) why = "no declaration of the tool names " + base::quoted(argument.pointer);
    if (!why.empty()) return refuse(effect, rule, std::move(why));
    named_.insert(argument.pointer);
    want(rule, effect, argument.pointer, argument.value);
  }

  // Why what the effect comes from cannot be rewritten; empty: it is a declared argument, and this text.
  std::string trouble(const Effect& effect, const std::string& written) const {
    if (call_.method != "tools/call") return "only arguments of tool calls are redirected";
    if (effect.guessed) return "it is only guessed from the arguments";
    if (effect.opaque || !effect.refused.empty()) return "it is not understood";
    bool known = false;
    for (const Declared& each : declared_) {
      const ToolDeclaration& tool = *each.declaration;
      if (any_starts(effect.argument, tool.run)) return "it stands in what runs, which is never rewritten";
      known = known || (!tool.adds_only && declares(tool, effect));
    }
    const Value* value = at_pointer(call_.arguments, effect.argument);
    if (!known || value == nullptr || !value->is_string() || value->get_ref<const std::string&>() != written)
      return "it is no argument that is declared as such";
    return {};
  }

  // Whether the argument may be more than one path.
  bool several(const Effect& effect) {
    if (readings_.empty())
      for (const Effect& each : effects_)
        if ((path_kinds & kind_bit(each.kind)) != 0) {
          const auto [first, fresh] = readings_.try_emplace(each.argument, &each.path.lexical);
          if (!fresh && (first->second == nullptr || *first->second != each.path.lexical))
            first->second = nullptr;
        }
    return readings_[effect.argument] == nullptr;
  }

  void want(const Rule& rule, const Effect& effect, const std::string& pointer, Value value) {
    const auto [place, fresh] = changes_.try_emplace(pointer, Wanted{&rule, &effect, value});
    const Wanted& first = place->second;
    if (!fresh && first.value != value)
      refuse(effect, rule, "it conflicts with that of " + base::quoted(first.rule->id));
  }

  // Only an argument that a rule names may hold another that is redirected: paths and addresses are strings.
  void check_overlap(const std::string& named) {
    for (const auto& [pointer, wanted] : changes_)
      if (pointer != named && (starts_with_pointer(pointer, named) || starts_with_pointer(named, pointer)))
        refuse(*wanted.effect, *wanted.rule,
               "it conflicts with that of " + base::quoted(changes_.at(named).rule->id));
  }

  void apply() {
    found_.arguments = call_.arguments;
    for (const auto& [pointer, wanted] : changes_) {
      const Value* was = at_pointer(call_.arguments, pointer);
      if (was != nullptr && *was == wanted.value) continue;
      const base::json::Value::json_pointer place(pointer);
      const Value* parent = at_pointer(call_.arguments, place.parent_pointer().to_string());
      if (was == nullptr && (parent == nullptr || !parent->is_object())) {
        refuse(*wanted.effect, *wanted.rule, "the call has nothing to set " + base::quoted(pointer) + " in");
        return;
      }
      found_.arguments[place] = wanted.value;
      found_.changes.push_back({pointer, was == nullptr ? "" : was->dump(), wanted.value.dump(),
                                wanted.rule->id, wanted.rule->layer, wanted.rule->place});
    }
  }

  const CompiledRules& rules_;
  const History& history_;
  const Call& call_;
  const Scene& scene_;
  const std::vector<Effect>& effects_;
  Roots& roots_;
  const std::vector<Declared> declared_;
  std::vector<Subject> subjects_;
  std::map<std::string, const std::string*> readings_;  // argument → its path; nullptr: several
  std::map<std::string, Wanted> changes_;               // by pointer
  std::set<std::string> named_;                         // of them those that a rule names itself
  Redirection found_;
};

bool redirects(const CompiledRules& rules) {
  if (rules.index != nullptr) return rules.index->redirects();
  return std::any_of(rules.rules.begin(), rules.rules.end(),
                     [](const Rule& rule) { return rule.redirect.has_value(); });
}

}  // namespace

Redirection redirection(const CompiledRules& rules, const Call& call, const Scene& scene,
                        const std::vector<Effect>& effects, const History& history, Roots& roots) {
  return redirects(rules) ? Redirecting(rules, call, scene, effects, history, roots).run() : Redirection();
}

std::optional<RedirectRefused> misled(const CompiledRules& rules, const Call& rewritten, const Scene& scene,
                                      const std::vector<Effect>& effects, const History& history,
                                      const std::vector<Change>& changes, Roots& roots) {
  const auto rule_of = [&](const Change& change) {
    return &*std::find_if(rules.rules.begin(), rules.rules.end(), [&](const Rule& rule) {
      return rule.id == change.rule && rule.layer == change.layer && rule.redirect;
    });
  };
  for (const Change& change : changes)
    for (const Effect& effect : effects)
      if (effect.argument == change.argument && (path_kinds & kind_bit(effect.kind)) != 0 &&
          linked(effect.path, roots))
        return RedirectRefused{effect, rule_of(change),
                               "links lead elsewhere where it would be redirected to"};
  Redirection again = redirection(rules, rewritten, scene, effects, history, roots);
  if (again.none()) return std::nullopt;
  if (again.refused) return again.refused;
  const Change& change = again.changes.front();
  return RedirectRefused{effects.front(), rule_of(change), "the call has been redirected once already"};
}

}  // namespace policy
