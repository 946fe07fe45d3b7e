#include "policy/rule/show_condition.hpp"

#include <algorithm>
#include <vector>

#include "policy/rule/shown_list.hpp"

namespace policy {

using shown::add;

namespace {

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

}  // namespace policy
