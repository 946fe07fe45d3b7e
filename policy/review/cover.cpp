#include "policy/review/cover.hpp"

#include <algorithm>

namespace policy {
namespace {

// Empty: any name.
bool covers_names(const std::vector<NamePattern>& outer, const std::vector<NamePattern>& inner) {
  if (outer.empty()) return true;
  if (inner.empty()) return false;
  return std::all_of(inner.begin(), inner.end(), [&](const NamePattern& name) {
    return std::any_of(outer.begin(), outer.end(), [&](const NamePattern& pattern) {
      return pattern.text() == name.text() || pattern.text() == "*" ||
             (name.literal() && pattern.matches(name.text()));
    });
  });
}

// A list of the outer covers a list of the inner; an inner list that is empty asks for nothing.
template <class Pattern, class Covers>
bool covers_list(const std::vector<Pattern>& outer, const std::vector<Pattern>& inner, Covers one) {
  return std::all_of(inner.begin(), inner.end(), [&](const Pattern& pattern) {
    return std::any_of(outer.begin(), outer.end(),
                       [&](const Pattern& candidate) { return one(candidate, pattern); });
  });
}

bool plain(const Condition& condition) {
  return condition.argument.empty() && condition.content.empty() && !condition.elevated &&
         condition.cwd.empty() && !(condition.opaque && condition.stance == Stance::restrict);
}

}  // namespace

bool covers(const PathPattern& outer, const PathPattern& inner) {
  if (outer.canonical() == inner.canonical()) return true;
  if (inner.root().empty() || outer.root().empty()) return false;  // a regular expression
  const bool one_path = inner.root() == inner.canonical();
  return outer.matches(inner.root()) && (one_path || outer.matches_all_below(inner.root()));
}

bool covers(const CommandPattern& outer, const CommandPattern& inner) {
  if (outer.complete() && (!inner.complete() || outer.words().size() != inner.words().size())) return false;
  if (outer.words().size() > inner.words().size()) return false;
  for (std::size_t i = 0; i < outer.words().size(); ++i) {
    const auto& wide = outer.words()[i];
    for (const Glob& narrow : inner.words()[i]) {
      const bool covered = std::any_of(wide.begin(), wide.end(), [&](const Glob& glob) {
        return glob == narrow || glob == Glob("*") || (narrow.literal() && glob.matches(narrow.text()));
      });
      if (!covered) return false;
    }
  }
  return true;
}

bool covers(const Rule& outer, const Rule& inner) {
  const Condition& wide = outer.condition;
  const Condition& narrow = inner.condition;
  if (outer.except || outer.after || outer.rate || !plain(wide)) return false;
  if (wide.stance == Stance::permit && !wide.opaque && narrow.opaque) return false;
  if (!covers_names(wide.server, narrow.server) || !covers_names(wide.tool, narrow.tool) ||
      !covers_names(wide.method, narrow.method) || !covers_names(wide.agent, narrow.agent) ||
      !covers_names(wide.mission, narrow.mission) || !covers_names(wide.host_user, narrow.host_user))
    return false;
  if (!wide.names_effects()) return true;
  if (!narrow.names_effects()) return false;
  const auto path = [](const PathPattern& a, const PathPattern& b) { return covers(a, b); };
  const auto destination = [](const DestinationPattern& a, const DestinationPattern& b) {
    return a.covers(b);
  };
  const auto command = [](const CommandPattern& a, const CommandPattern& b) { return covers(a, b); };
  return covers_list(wide.read, narrow.read, path) && covers_list(wide.write, narrow.write, path) &&
         covers_list(wide.remove, narrow.remove, path) && covers_list(wide.run, narrow.run, command) &&
         covers_list(wide.connect, narrow.connect, destination);
}

}  // namespace policy
