#include "policy/review/meets.hpp"

#include <algorithm>

#include "policy/path/path.hpp"

namespace policy {
namespace {

template <class Pattern, class Both>
bool any_pair(const std::vector<Pattern>& a, const std::vector<Pattern>& b, Both both) {
  return std::any_of(a.begin(), a.end(), [&](const Pattern& one) {
    return std::any_of(b.begin(), b.end(), [&](const Pattern& other) { return both(one, other); });
  });
}

// Empty: any name.
bool names_meet(const std::vector<NamePattern>& a, const std::vector<NamePattern>& b) {
  return a.empty() || b.empty() || any_pair(a, b, [](const NamePattern& one, const NamePattern& other) {
           return Glob(one.text()).may_meet(Glob(other.text()));
         });
}

bool paths_meet(const PathPattern& a, const PathPattern& b) {
  return a.root().empty() || b.root().empty() || same_or_below(a.root(), b.root()) ||
         same_or_below(b.root(), a.root());
}

bool commands_meet(const CommandPattern& a, const CommandPattern& b) {
  const auto& some = a.words();
  const auto& others = b.words();
  if ((a.complete() && others.size() > some.size()) || (b.complete() && some.size() > others.size()))
    return false;
  for (std::size_t i = 0; i < std::min(some.size(), others.size()); ++i)
    if (!any_pair(some[i], others[i], [](const Glob& one, const Glob& other) { return one.may_meet(other); }))
      return false;
  return true;
}

bool effects_meet(const Condition& a, const Condition& b) {
  if (!a.names_effects() || !b.names_effects()) return true;
  return any_pair(a.read, b.read, paths_meet) || any_pair(a.write, b.write, paths_meet) ||
         any_pair(a.remove, b.remove, paths_meet) || any_pair(a.run, b.run, commands_meet) ||
         (!a.connect.empty() && !b.connect.empty());
}

}  // namespace

bool may_meet(const Condition& a, const Condition& b) {
  return names_meet(a.server, b.server) && names_meet(a.tool, b.tool) && names_meet(a.method, b.method) &&
         names_meet(a.agent, b.agent) && names_meet(a.mission, b.mission) && effects_meet(a, b);
}

}  // namespace policy
