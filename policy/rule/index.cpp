#include "policy/rule/index.hpp"

#include <algorithm>
#include <map>

#include "policy/command/runs.hpp"
#include "policy/path/components.hpp"
#include "policy/path/path.hpp"

namespace policy {

namespace {

std::size_t number(EffectKind kind) { return static_cast<std::size_t>(kind); }

// Whether an effect of this kind can have what the condition wants beside its patterns.
bool concerns(const Condition& condition, EffectKind kind) {
  if (!condition.content.empty() && kind != EffectKind::write && kind != EffectKind::connect) return false;
  return (!condition.elevated && condition.cwd.empty()) || kind == EffectKind::run;
}

const std::vector<PathPattern>& paths_of(const Condition& condition, EffectKind kind) {
  if (kind == EffectKind::read) return condition.read;
  return kind == EffectKind::write ? condition.write : condition.remove;
}

constexpr std::array path_kinds{EffectKind::read, EffectKind::write, EffectKind::remove};

}  // namespace

class RuleIndex::Maker {
 public:
  Maker(const std::vector<Rule>& rules, std::array<Kind, effect_kinds>& kinds)
      : rules_(rules), kinds_(kinds) {}

  void make() {
    for (Kind& kind : kinds_) kind.always = kind.restricting = RuleSet(rules_.size());
    for (const Rule& rule : rules_) count(rule.condition);
    for (place_ = 0; place_ < rules_.size(); ++place_) enter(rules_[place_].condition);
    for (const EffectKind kind : path_kinds)
      for (auto& [path, rules] : roots_[number(kind)]) of(kind).roots.push_back({path, std::move(rules)});
  }

 private:
  using Counts = std::map<std::string, std::size_t, std::less<>>;

  Kind& of(EffectKind kind) { return kinds_[number(kind)]; }

  static void count(const std::vector<Glob>& globs, Counts& counts) {
    for (const Glob& glob : globs)
      if (glob.literal()) ++counts[glob.text()];
  }

  void count(const Condition& condition) {
    for (const EffectKind kind : path_kinds)
      for (const PathPattern& pattern : paths_of(condition, kind)) count(pattern.parts(), names_);
    for (const DestinationPattern& pattern : condition.connect)
      if (pattern.host() != nullptr) count(pattern.host()->labels(), labels_);
  }

  // A workspace stands in most patterns and tells nothing: the word that fewest have is the key.
  void enter(Kind& kind, const std::vector<Glob>& globs, const Counts& counts) {
    const Counts::value_type* rarest = nullptr;
    for (const Glob& glob : globs) {
      if (!glob.literal()) continue;
      const auto found = counts.find(glob.text());
      if (rarest == nullptr || found->second <= rarest->second) rarest = &*found;
    }
    if (rarest == nullptr) return kind.always.add(place_);
    enter(kind.keyed[rarest->first]);
  }

  void enter(Places& places) {
    const auto place = static_cast<std::uint32_t>(place_);
    if (places.empty() || places.back() != place) places.push_back(place);
  }

  void enter(const Condition& condition) {
    bool listed = false;
    for (const EffectKind kind : path_kinds)
      for (const PathPattern& pattern : paths_of(condition, kind)) {
        listed = true;
        enter(of(kind), pattern.parts(), names_);
        if (condition.stance == Stance::restrict) of(kind).restricting.add(place_);
        if (condition.stance == Stance::restrict && !pattern.root().empty())
          enter(roots_[number(kind)][pattern.root()]);
      }
    for (const CommandPattern& pattern : condition.run) {
      listed = true;
      enter(pattern);
    }
    for (const DestinationPattern& pattern : condition.connect) {
      listed = true;
      Kind& kind = of(EffectKind::connect);
      if (pattern.host() == nullptr) {
        kind.always.add(place_);
      } else {
        enter(kind, pattern.host()->labels(), labels_);
      }
      if (condition.stance == Stance::restrict) kind.restricting.add(place_);
    }
    if (listed) return;
    for (std::size_t i = 0; i < effect_kinds; ++i)
      if (concerns(condition, static_cast<EffectKind>(i))) kinds_[i].always.add(place_);
  }

  void enter(const CommandPattern& pattern) {
    for (const Glob& program : pattern.words().front()) {
      if (program.literal()) {
        enter(of(EffectKind::run).keyed[program.text()]);
      } else {
        of(EffectKind::run).always.add(place_);
      }
    }
  }

  const std::vector<Rule>& rules_;
  std::array<Kind, effect_kinds>& kinds_;
  std::size_t place_ = 0;
  Counts names_;   // of paths
  Counts labels_;  // of hosts
  std::array<std::map<std::string, Places>, effect_kinds> roots_;
};

RuleIndex::RuleIndex(const std::vector<Rule>& rules)
    : rules_(rules.size()), redirects_(std::any_of(rules.begin(), rules.end(), [](const Rule& rule) {
        return rule.redirect.has_value();
      })) {
  Maker(rules, kinds_).make();
}

RuleFinder::RuleFinder(const CompiledRules& rules, Roots& roots)
    : index_(rules.index.get()), roots_(roots), found_(rules.rules.size()) {
  if (index_ == nullptr)
    for (std::size_t i = 0; i < rules.rules.size(); ++i) found_.add(i);
}

const RuleSet& RuleFinder::find(const Subject& subject) {
  if (index_ == nullptr) return found_;
  const Effect& effect = *subject.effect;
  const RuleIndex::Kind& kind = index_->kinds_[number(effect.kind)];
  found_.clear();
  found_.add_all(kind.always);
  switch (effect.kind) {
    case EffectKind::read:
    case EffectKind::write:
    case EffectKind::remove: add_paths(kind, effect); break;
    case EffectKind::run:
      // Of what is not understood any word may be a program.
      add_programs(kind, effect.command.words, !effect.command.line.empty() || effect.command.may_wrap);
      for (const std::vector<std::string>& words : effect.command.maybe_lines)
        add_programs(kind, words, false);
      for (const Wrapping& wrapping : effect.command.wrapped_in) add_programs(kind, wrapping.words, false);
      break;
    case EffectKind::connect: add_destinations(kind, subject.target); break;
    case EffectKind::use:
    case EffectKind::sample:
    case EffectKind::elicit: break;
  }
  return found_;
}

void RuleFinder::add(const RuleIndex::Places& rules) {
  for (const std::uint32_t rule : rules) found_.add(rule);
}

void RuleFinder::add_keyed(const RuleIndex::Kind& kind, std::string_view key) {
  if (const auto found = kind.keyed.find(key); found != kind.keyed.end()) add(found->second);
}

void RuleFinder::add_components(const RuleIndex::Kind& kind, std::string_view path) {
  each_component(path, [&](std::string_view name) { add_keyed(kind, name); });
}

void RuleFinder::add_paths(const RuleIndex::Kind& kind, const Effect& effect) {
  const PathResult& path = effect.path;
  if (path.folds) found_.add_all(kind.restricting);  // their words may stand in it in other letters
  add_components(kind, path.lexical);
  if (path.real != path.lexical) add_components(kind, path.real);
  for (const NameGlob& name : effect.reach.names)
    if (name.glob.literal()) add_keyed(kind, name.glob.text());
  if (!kind.roots.empty()) found_.add_all(linked(effect.kind));
  if (!effect.reach.wide()) return;
  // A deny or ask meets a part of it where its words may yet stand further down.
  add_related(kind, path.lexical);
  if (path.real != path.lexical) add_related(kind, path.real);
}

// Those that start above the path, there, or below it.
void RuleFinder::add_related(const RuleIndex::Kind& kind, std::string_view path) {
  const auto from = [&](std::string_view text) {
    return std::lower_bound(kind.roots.begin(), kind.roots.end(), text,
                            [](const RuleIndex::Root& root, std::string_view at) { return root.path < at; });
  };
  const auto add_one = [&](std::string_view text) {
    if (const auto found = from(text); found != kind.roots.end() && found->path == text) add(found->rules);
  };
  add_one("/");
  for (std::size_t slash = path.find('/', 1); slash != std::string_view::npos;
       slash = path.find('/', slash + 1))
    add_one(path.substr(0, slash));
  add_one(path);
  std::string below(path);
  if (!below.ends_with('/')) below += '/';
  for (auto root = from(below); root != kind.roots.end() && root->path.starts_with(below); ++root)
    add(root->rules);
}

// Those that start in a folder which is really another: their words need not stand in the path.
const RuleSet& RuleFinder::linked(EffectKind kind) {
  std::optional<RuleSet>& linked = linked_[number(kind)];
  if (linked) return *linked;
  linked.emplace(index_->rules_);
  for (const RuleIndex::Root& root : index_->kinds_[number(kind)].roots)
    if (root.path.size() > 1 && roots_.real(root.path) != root.path)
      for (const std::uint32_t rule : root.rules) linked->add(rule);
  return *linked;
}

void RuleFinder::add_programs(const RuleIndex::Kind& kind, const std::vector<std::string>& words, bool any) {
  const std::size_t programs = any ? words.size() : std::min<std::size_t>(words.size(), 1);
  for (std::size_t i = 0; i < programs; ++i) {
    add_keyed(kind, words[i]);
    add_keyed(kind, command::base_name(words[i]));
  }
}

void RuleFinder::add_destinations(const RuleIndex::Kind& kind, const network::Target& target) {
  if (target.any_site) found_.add_all(kind.restricting);
  for (const network::Site& site : target.sites) {
    std::string_view name = site.host.name;
    while (!name.empty()) {
      const std::size_t dot = std::min(name.find('.'), name.size());
      add_keyed(kind, name.substr(0, dot));
      name.remove_prefix(std::min(dot + 1, name.size()));
    }
  }
}

}  // namespace policy
