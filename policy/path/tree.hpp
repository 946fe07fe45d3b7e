#pragma once
// What stands below a directory now: a recursive effect that meets no deny there needs no person.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "policy/effect.hpp"
#include "policy/scene.hpp"

namespace policy {

inline constexpr std::size_t tree_names_max = 100'000;

struct Below {
  std::string tail;  // `/a`, `/a/b`
  bool directory = false;
};

// All that stands below, no link followed. nullopt: not known, or more than tree_names_max. Not all of
// `part`: without `.git` and what git ignores.
std::optional<std::vector<Below>> names_below(const std::string& directory, const Links& links, GitPart part);

}  // namespace policy
