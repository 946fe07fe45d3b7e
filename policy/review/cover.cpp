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
template <class Pattern>
bool covers_list(const std::vector<Pattern>& outer, const std::vector<Pattern>& inner) {
  return std::all_of(inner.begin(), inner.end(), [&](const Pattern& pattern) {
    return std::any_of(outer.begin(), outer.end(),
                       [&](const Pattern& candidate) { return candidate.covers(pattern); });
  });
}

bool plain(const Condition& condition) {
  return condition.argument.empty() && condition.content.empty() && !condition.elevated &&
         condition.cwd.empty() && !(condition.opaque && condition.stance == Stance::restrict);
}

}  // namespace

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
  return covers_list(wide.read, narrow.read) && covers_list(wide.write, narrow.write) &&
         covers_list(wide.remove, narrow.remove) && covers_list(wide.run, narrow.run) &&
         covers_list(wide.connect, narrow.connect);
}

}  // namespace policy
