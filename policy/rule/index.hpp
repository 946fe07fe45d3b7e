#pragma once
// Which rules may match an effect, found by what their patterns cannot do without: a component of a path, the
// first word of a command, a label of a host. Made once for a policy, so that what a judgement costs depends
// on the rules that concern the call. It may name a rule that does not match and never misses one that does:
// the tests hold it to the walk over all rules.

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/rule/match.hpp"
#include "policy/rule/rule.hpp"
#include "policy/rule/set.hpp"
#include "proxy/base/by_text.hpp"

namespace policy {

class RuleIndex {
 public:
  explicit RuleIndex(const std::vector<Rule>& rules);
  bool redirects() const { return redirects_; }  // some rule does

 private:
  friend class RuleFinder;
  using Places = std::vector<std::uint32_t>;
  using Keyed = base::ByText<Places>;
  // A folder that patterns of denies and asks start in.
  struct Root {
    std::string path;
    Places rules;
  };
  // Rules for effects of one kind.
  struct Kind {
    RuleSet always;           // no word of theirs must stand in the effect
    Keyed keyed;              // by a word that must
    std::vector<Root> roots;  // of paths; in order
    RuleSet restricting;      // denies and asks with a pattern of their own
  };
  class Maker;

  std::size_t rules_;
  bool redirects_;
  std::array<Kind, effect_kinds> kinds_;
};

// Finds rules for the effects of one call. Without an index every rule is found.
class RuleFinder {
 public:
  // Borrows both.
  RuleFinder(const CompiledRules& rules, Roots& roots);
  // Valid until the next question.
  const RuleSet& find(const Subject& subject);

 private:
  void add_paths(const RuleIndex::Kind& kind, const Effect& effect);
  void add_related(const RuleIndex::Kind& kind, std::string_view path);
  void add_components(const RuleIndex::Kind& kind, std::string_view path);
  void add_programs(const RuleIndex::Kind& kind, const std::vector<std::string>& words, bool any);
  void add_destinations(const RuleIndex::Kind& kind, const network::Target& target);
  void add_keyed(const RuleIndex::Kind& kind, std::string_view key);
  void add(const RuleIndex::Places& rules);
  const RuleSet& linked(EffectKind kind);

  const RuleIndex* index_;
  Roots& roots_;
  RuleSet found_;
  std::array<std::optional<RuleSet>, effect_kinds> linked_;
};

}  // namespace policy
