#include "policy/rule/match.hpp"

#include <algorithm>
#include <span>

#include "policy/command/match_command.hpp"
#include "policy/path/components.hpp"
#include "policy/path/path.hpp"
#include "proxy/base/text.hpp"

namespace policy {

std::string_view Roots::real(std::string_view root) {
  // Owns its keys: patterns that are tried (`almost`) do not live as long as this.
  if (const auto known = known_.find(root); known != known_.end()) return known->second;
  return known_.emplace(root, real_path(root, "/", links_).value_or(std::string(root))).first->second;
}

const PathResult& Roots::directory(const std::string& written) {
  const auto [known, fresh] = directories_.try_emplace(written);
  if (fresh) {
    const std::string lexical = fold_path(written, "/");
    const std::string real = real_path(written, "/", links_).value_or(lexical);
    known->second = {written, lexical, real, links_.folds_case(real)};
  }
  return known->second;
}

const detect::Readings& Roots::readings(const std::string& content) {
  if (readings_ && readings_->text == content) return *readings_;
  readings_ = detect::readings(content);
  steps_.spend(reading_steps(readings_->bytes));
  return *readings_;
}

namespace {

bool any_name(const std::vector<NamePattern>& patterns, std::string_view text, bool permit) {
  if (patterns.empty()) return true;
  if (permit && text.empty()) return false;  // nothing is no name
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const NamePattern& pattern) { return pattern.matches(text); });
}

// The path as it would be written if the root's links stood in it; empty: it is not below the real root.
std::string under_root(std::string_view path, std::string_view root, std::string_view real_root) {
  if (real_root == root || !same_or_below(path, real_root)) return {};
  const std::string_view tail = path.substr(real_root == "/" ? 0 : real_root.size());
  std::string moved(root == "/" ? std::string_view() : root);
  moved += tail == "/" ? std::string_view() : tail;
  return moved.empty() ? "/" : moved;
}

// A cheap look before the pattern's own matching.
bool root_admits(const PathPattern& pattern, std::string_view path) {
  return pattern.root().empty() || same_or_below(path, pattern.root());
}

// Of what is meant: the path itself, or all that its names match.
bool covers_itself(const PathPattern& pattern, std::string_view path, const Reach& reach, Steps& steps) {
  steps.spend(pattern.steps(path) * (1 + reach.names.size()));
  if (!root_admits(pattern, path) && !(!reach.names.empty() && same_or_below(pattern.root(), path)))
    return false;
  return reach.names.empty() ? pattern.matches(path) : pattern.matches_all_names(path, reach.names);
}

bool covers(const PathPattern& pattern, std::string_view path, const Reach& reach, Steps& steps) {
  return covers_itself(pattern, path, reach, steps) &&
         (!reach.recursive || !reach.names.empty() || pattern.matches_all_below(path));
}

// Both results must match. A link that leads elsewhere is followed for the workspace and the home as a whole
// only: links further down may have been made by the agent.
bool permits_path(const PathPattern& pattern, const PathResult& path, const Reach& reach, Roots& roots) {
  Steps& steps = roots.steps();
  if (path.lexical.empty() || !covers(pattern, path.lexical, reach, steps)) return false;
  if (path.real == path.lexical || covers(pattern, path.real, reach, steps)) return true;
  for (const std::string* anchor : {&roots.anchors().workspace, &roots.anchors().home}) {
    if (anchor->empty() || !same_or_below(pattern.root(), *anchor)) continue;
    const std::string moved = under_root(path.real, *anchor, roots.real(*anchor));
    if (!moved.empty() && covers(pattern, moved, reach, steps)) return true;
  }
  return false;
}

bool may_hold(const PathPattern& pattern, std::string_view directory, const Reach& reach, Steps& steps) {
  steps.spend(pattern.steps(directory) * (1 + reach.names.size()));
  const bool related = pattern.root().empty() || same_or_below(directory, pattern.root()) ||
                       same_or_below(pattern.root(), directory);
  if (!reach.names.empty()) return related && pattern.may_match_names(directory, reach.names);
  return related && pattern.may_match_below(directory);
}

// Whether the tail (`/a/b`) is of names like these; without any every tail is.
bool goes_by(std::string_view tail, std::span<const NameGlob> names) {
  if (names.empty()) return true;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].glob.is_deep()) {
      // Names behind it stand at the end.
      std::size_t start = tail.size();
      for (std::size_t left = names.size() - i - 1; left > 0; --left) {
        if (start == 0) return false;
        start = tail.rfind('/', start - 1);
      }
      if (names[i].hides_dots && tail.substr(0, start).find("/.") != std::string_view::npos) return false;
      tail.remove_prefix(start);
      continue;
    }
    if (tail.empty()) return false;
    const std::size_t slash = std::min(tail.find('/', 1), tail.size());
    if (!names[i].matches(tail.substr(1, slash - 1))) return false;
    tail.remove_prefix(slash);
  }
  return tail.empty();
}

// A path as a pattern is to meet it: as it stands, or in small letters for a folded pattern.
struct Met {
  const std::string& lexical;
  const std::string& real;
  const std::string& there;  // what stands on the disk
  bool folded = false;
};

// Whether what stands below is meant.
bool is_meant(const Below& below, const std::string& tail, const Reach& reach) {
  if ((reach.listing && !below.directory) || !goes_by(tail, reach.names)) return false;
  bool left_out = false;
  if (!reach.without.empty())
    each_component(
        std::string_view(below.tail).substr(0, below.directory ? below.tail.size() : below.tail.rfind('/')),
        [&](std::string_view name) {
          left_out =
              left_out || std::find(reach.without.begin(), reach.without.end(), name) != reach.without.end();
        });
  return !left_out;
}

// Whether the pattern meets something that stands below now.
bool holds_now(const PathPattern& pattern, const Met& path, const Reach& reach, Roots& roots) {
  const std::vector<Below>* tree = roots.trees().below(path.there, reach.part);
  if (tree == nullptr) return true;
  const auto meets = [&](const std::string& below) {
    const std::string real = path.real == "/" ? below : path.real + below;
    roots.steps().spend(pattern.steps(real));
    if (pattern.matches(real)) return true;
    return path.lexical != path.real && pattern.matches((path.lexical == "/" ? "" : path.lexical) + below);
  };
  return std::any_of(tree->begin(), tree->end(), [&](const Below& below) {
    const std::string tail = path.folded ? base::lower(below.tail) : below.tail;
    return is_meant(below, tail, reach) && meets(tail);
  });
}

// Of `**/NAME/…`, where no folder of the path is such a NAME: what it meets below is told by names there
// alone. Then it meets them below what is copied, too, and they could not have been put there.
bool meets_alone(const PathPattern& pattern, const Met& path) {
  const std::vector<Glob>& parts = pattern.parts();
  if (parts.size() < 2 || !parts[0].is_deep() || parts[1].is_deep()) return false;
  bool alone = true;
  for (const std::string* each : {&path.lexical, &path.real})
    each_component(*each, [&](std::string_view name) { alone = alone && !parts[1].matches(name); });
  return alone;
}

// Whether it meets something that stands now below what is copied.
bool copies_now(const PathPattern& pattern, const Met& path, const Reach& reach, Roots& roots) {
  return std::any_of(reach.sources.begin(), reach.sources.end(), [&](const std::string& source) {
    const std::vector<Below>* tree = roots.trees().below(source, GitPart::all);
    return tree == nullptr || std::any_of(tree->begin(), tree->end(), [&](const Below& below) {
             roots.steps().spend(pattern.steps(below.tail));
             return pattern.matches(path.folded ? base::lower(below.tail) : below.tail);
           });
  });
}

Match restricts_met(const PathPattern& pattern, const Met& path, const Reach& reach, Roots& roots) {
  Steps& steps = roots.steps();
  const bool wide = reach.wide();
  if (covers_itself(pattern, path.lexical, reach, steps)) return Match::full;
  if (path.real != path.lexical && covers_itself(pattern, path.real, reach, steps)) return Match::full;
  bool below =
      wide && (may_hold(pattern, path.lexical, reach, steps) || may_hold(pattern, path.real, reach, steps));
  if (below && reach.settled) below = holds_now(pattern, path, reach, roots);
  if (below && !reach.sources.empty() && meets_alone(pattern, path))
    below = copies_now(pattern, path, reach, roots);
  if (pattern.root().size() > 1) {
    const std::string_view real_root = roots.real(pattern.root());
    if (real_root != pattern.root()) {
      for (const std::string* result : {&path.lexical, &path.real}) {
        const std::string moved = under_root(*result, pattern.root(), real_root);
        if (!moved.empty() && covers_itself(pattern, moved, reach, steps)) return Match::full;
        below = below || (wide && (same_or_below(real_root, *result) ||
                                   (!moved.empty() && may_hold(pattern, moved, reach, steps))));
      }
    }
  }
  return below ? Match::below : Match::none;
}

Match restricts_path(const PathPattern& pattern, const PathResult& path, const Reach& reach, Roots& roots) {
  if (path.lexical.empty()) return Match::none;
  const Match plain = restricts_met(pattern, {path.lexical, path.real, path.real}, reach, roots);
  if (!path.folds || plain == Match::full) return plain;
  const std::string lexical = base::lower(path.lexical);
  const std::string real = base::lower(path.real);
  Reach small = reach;
  for (NameGlob& name : small.names) name.glob = name.glob.folded();
  const Match folded = restricts_met(pattern.folded(), {lexical, real, path.real, true}, small, roots);
  return std::max(plain, folded);
}

// Whether the pattern says nothing of one file of the workspace, since it covers them all.
bool sweeping(const PathPattern& pattern, const PathResult& path, Roots& roots) {
  const std::string& workspace = roots.anchors().workspace;
  if (workspace.empty() || !same_or_below(path.lexical, workspace) ||
      !same_or_below(path.real, roots.real(workspace)))
    return false;
  roots.steps().spend(pattern.steps(workspace));
  return pattern.matches_all_below(workspace);
}

Match any_path(const std::vector<PathPattern>& patterns, const PathResult& path, const Reach& reach,
               Stance stance, Roots& roots, bool bare_word = false) {
  Match best = Match::none;
  for (const PathPattern& pattern : patterns) {
    if (bare_word && sweeping(pattern, path, roots)) continue;
    if (reach.copied && stance == Stance::restrict && pattern.names_only()) continue;
    const Match match = stance == Stance::permit
                            ? (permits_path(pattern, path, reach, roots) ? Match::full : Match::none)
                            : restricts_path(pattern, path, reach, roots);
    best = std::max(best, match);
    if (best == Match::full) break;
  }
  return best;
}

Match any_command(const std::vector<CommandPattern>& patterns, const Effect& effect, Stance stance,
                  Steps& steps) {
  if (stance == Stance::permit) {
    const auto permits = [&](const CommandPattern& pattern) {
      return command::permits(pattern, effect.command);
    };
    return std::any_of(patterns.begin(), patterns.end(), permits) ? Match::full : Match::none;
  }
  Match best = Match::none;
  for (const CommandPattern& pattern : patterns) {
    switch (command::restricts(pattern, effect.command, steps)) {
      case command::Meets::no: break;
      case command::Meets::maybe: best = std::max(best, Match::below); break;
      case command::Meets::yes: return Match::full;
    }
  }
  return best;
}

Match own_list(const Condition& condition, const Subject& subject, Roots& roots) {
  const Effect& effect = *subject.effect;
  const bool bare_word = effect.bare_word && condition.leaves_bare_words;
  const auto yes = [](bool matched) { return matched ? Match::full : Match::none; };
  const Reach& reach = effect.reach;
  switch (effect.kind) {
    case EffectKind::read:
      return any_path(condition.read, effect.path, reach, condition.stance, roots, bare_word);
    case EffectKind::write:
      return any_path(condition.write, effect.path, reach, condition.stance, roots, bare_word);
    case EffectKind::remove:
      return any_path(condition.remove, effect.path, reach, condition.stance, roots, bare_word);
    case EffectKind::run: return any_command(condition.run, effect, condition.stance, roots.steps());
    case EffectKind::connect:
      return yes(std::any_of(
          condition.connect.begin(), condition.connect.end(), [&](const DestinationPattern& pattern) {
            roots.steps().spend(pattern.steps(subject.target));
            return !roots.steps().spent() && pattern.matches(subject.target);  // then refused
          }));
    case EffectKind::use:
    case EffectKind::sample:
    case EffectKind::elicit: return Match::none;
  }
  return Match::none;
}

bool content_matches(const Condition& condition, const Effect& effect, Roots& roots) {
  if (condition.content.empty()) return true;
  if (effect.kind != EffectKind::write && effect.kind != EffectKind::connect) return false;
  if (!effect.content) return false;
  const detect::Readings& content = roots.readings(*effect.content);
  return std::any_of(condition.content.begin(), condition.content.end(), [&](const ContentPattern& pattern) {
    roots.steps().spend(pattern.steps(content));
    return !roots.steps().spent() && pattern.matches(content, condition.stance);  // then refused
  });
}

bool context_matches(const Condition& condition, const Subject& subject, Roots& roots) {
  if (!condition.elevated && condition.cwd.empty()) return true;
  if (subject.effect->kind != EffectKind::run) return false;
  if (condition.elevated && subject.effect->command.elevated != *condition.elevated) return false;
  if (condition.cwd.empty()) return true;
  // Where it is not known it may be any.
  if (subject.effect->command.directory.empty()) return condition.stance == Stance::restrict;
  const PathResult& directory = roots.directory(subject.effect->command.directory);
  return any_path(condition.cwd, directory, {}, condition.stance, roots) == Match::full;
}

bool all_literal(const std::vector<NamePattern>& patterns) {
  return !patterns.empty() && std::all_of(patterns.begin(), patterns.end(),
                                          [](const NamePattern& pattern) { return pattern.literal(); });
}

bool opaque_admits(const Condition& condition, const Effect& effect) {
  const bool opaque = effect.opaque || (effect.command.elsewhere && condition.cwd.empty());
  if (condition.stance == Stance::restrict) return !condition.opaque || opaque;
  return !opaque || (condition.opaque && all_literal(condition.server) && all_literal(condition.tool));
}

}  // namespace

Subject make_subject(const Effect& effect) {
  Subject subject(effect);
  if (effect.kind == EffectKind::connect)
    subject.target = network::read_target(effect.destination, effect.request);
  return subject;
}

bool scope_matches(const Condition& condition, const Call& call) {
  const bool permit = condition.stance == Stance::permit;
  // A user that is not known may be any.
  const bool user =
      (call.host_user.empty() && !permit) || any_name(condition.host_user, call.host_user, permit);
  return user && any_name(condition.server, call.server, permit) &&
         any_name(condition.tool, call.tool, permit) && any_name(condition.method, call.method, permit) &&
         any_name(condition.agent, call.agent, permit) && any_name(condition.mission, call.mission, permit) &&
         std::all_of(condition.argument.begin(), condition.argument.end(),
                     [&](const ArgumentCondition& argument) { return argument.matches(call.arguments); });
}

Match effect_matches(const Condition& condition, const Subject& subject, Roots& roots) {
  if (!opaque_admits(condition, *subject.effect) || !context_matches(condition, subject, roots))
    return Match::none;
  const Match match = condition.names_effects() ? own_list(condition, subject, roots) : Match::full;
  // The costliest test last.
  return match != Match::none && content_matches(condition, *subject.effect, roots) ? match : Match::none;
}

namespace {

// Of a condition that matches something below the subject: whether it does so beyond the exception.
bool meets_beyond(const Condition& condition, const Condition& except, const Subject& subject, Roots& roots) {
  const Effect& effect = *subject.effect;
  if (effect.path.real.empty() || !effect.reach.settled) return true;
  const std::vector<Below>* tree = roots.trees().below(effect.path.real, effect.reach.part);
  if (tree == nullptr) return true;
  Effect one = effect;
  one.reach = {.settled = true};
  const Subject each(one);
  return std::any_of(tree->begin(), tree->end(), [&](const Below& below) {
    if (!is_meant(below, below.tail, effect.reach)) return false;
    one.path.lexical = (effect.path.lexical == "/" ? "" : effect.path.lexical) + below.tail;
    one.path.real = (effect.path.real == "/" ? "" : effect.path.real) + below.tail;
    return effect_matches(condition, each, roots) != Match::none &&
           effect_matches(except, each, roots) == Match::none;
  });
}

}  // namespace

Match rule_matches(const Rule& rule, const Subject& subject, bool except_in_scope, Roots& roots) {
  const Match match = effect_matches(rule.condition, subject, roots);
  if (match == Match::none || !except_in_scope) return match;
  if (effect_matches(*rule.except, subject, roots) != Match::none) return Match::none;
  const bool spared = match == Match::below && !meets_beyond(rule.condition, *rule.except, subject, roots);
  return spared ? Match::none : match;
}

Match rule_matches(const Rule& rule, const Call& call, const Subject& subject, Roots& roots) {
  if (!scope_matches(rule.condition, call)) return Match::none;
  return rule_matches(rule, subject, rule.except && scope_matches(*rule.except, call), roots);
}

bool covers_every_reading(const Condition& condition, const Subject& subject) {
  const network::Target& target = subject.target;
  if (subject.effect->kind != EffectKind::connect) return false;
  const auto matched = [&](const network::Target& one) {
    return std::any_of(condition.connect.begin(), condition.connect.end(),
                       [&](const DestinationPattern& pattern) { return pattern.matches(one); });
  };
  network::Target one = target;
  one.any_site = false;
  const bool sites = std::all_of(target.sites.begin(), target.sites.end(), [&](const network::Site& site) {
    one.sites = {site};
    return matched(one);
  });
  return sites && (!target.any_site || matched({.any_site = true}));
}

}  // namespace policy
