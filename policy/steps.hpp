#pragma once
// What judging one call may cost. A step is about one byte looked at; a call whose matching takes more is
// refused, so that no arguments make it slow.

#include <algorithm>
#include <cstddef>

namespace policy {

inline constexpr std::size_t steps_max = std::size_t{1} << 26;  // some tenths of a second

// What it costs to look at any text, however short: there may be millions in one answer.
inline constexpr std::size_t text_steps = 64;

// What it costs to decode a text, all of whose readings have so many bytes.
constexpr std::size_t reading_steps(std::size_t bytes) { return text_steps + bytes / 4; }

class Steps {
 public:
  void spend(std::size_t count) { left_ -= std::min(left_, count); }
  bool spent() const { return left_ == 0; }

 private:
  std::size_t left_ = steps_max;
};

}  // namespace policy
