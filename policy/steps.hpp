#pragma once
// What judging one call may cost. A step is about one byte looked at; a call whose matching takes more is
// refused, so that no arguments make it slow.

#include <algorithm>
#include <cstddef>

namespace policy {

inline constexpr std::size_t steps_max = std::size_t{1} << 26;  // some tenths of a second

class Steps {
 public:
  void spend(std::size_t count) { left_ -= std::min(left_, count); }
  bool spent() const { return left_ == 0; }

 private:
  std::size_t left_ = steps_max;
};

}  // namespace policy
