#pragma once
// What a call does to git before it asks git for something.

#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "policy/effect.hpp"

namespace policy {

// Whether one of the effects may change what git tracks or ignores, or where, before another one happens:
// then what is on the disk now tells nothing of either.
bool may_change_git(std::span<const Effect> effects);

// What the effects put elsewhere or something else in the place of.
class Replaced {
 public:
  explicit Replaced(std::span<const Effect> effects);
  // Whether the absolute path, or a folder that it lies in, may be another one then.
  bool meets(std::string_view path) const;

 private:
  std::set<std::string, std::less<>> places_;
};

}  // namespace policy
