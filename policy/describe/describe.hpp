#pragma once
// From a call to its effects. Reads nothing but links, never fails: what is not understood is opaque.

#include <vector>

#include "policy/catalogue/catalogue.hpp"
#include "policy/effect.hpp"
#include "policy/rule/rule.hpp"
#include "policy/scene.hpp"

namespace policy {

// A tool is declared by the catalogue entry its server was bound to (Call::catalogue_entry) and by the
// policy's declarations, all of which add up. The first effect is `use`, except that of server requests comes
// second.
std::vector<Effect> describe(const Call& call, const Scene& scene,
                             const std::vector<ToolDeclaration>& declarations, const Catalogue& catalogue);

}  // namespace policy
