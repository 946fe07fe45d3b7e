#pragma once
// Tools whose use is all that they do, as far as their declaration says.

#include "policy/rule/rule.hpp"

namespace policy {

inline bool only_used(const ToolDeclaration& tool) {
  return tool.read.empty() && tool.write.empty() && tool.remove.empty() && tool.run.empty() &&
         tool.connect.empty() && tool.resource.empty();
}

}  // namespace policy
