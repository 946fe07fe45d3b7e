#pragma once
// Patterns that load and are likely to mean something else than who wrote them thinks: nothing at all, or far
// less.

#include <string>
#include <vector>

#include "policy/rule/rule.hpp"

namespace policy {

// One sentence for each, which says what to write instead. `restricts`: of a rule that denies or asks, whose
// gaps let pass what was meant to be kept.
std::vector<std::string> misread(const Condition& condition, bool restricts);
// The same of `content` and `result`.
std::vector<std::string> misread(const std::vector<ContentPattern>& content);

}  // namespace policy
