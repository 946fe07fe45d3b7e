#pragma once
// Sets of characters: ranges of code points, both ends in it, in ascending order.

#include <algorithm>
#include <iterator>
#include <span>

namespace base {

struct CharacterRange {
  char32_t first;
  char32_t last;
};

constexpr bool contains(std::span<const CharacterRange> ranges, char32_t character) {
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), character,
                       [](char32_t value, const CharacterRange& range) { return value < range.first; });
  return after != ranges.begin() && character <= std::prev(after)->last;
}

}  // namespace base
