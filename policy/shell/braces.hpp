#pragma once
// The choices of a word's braces, each a list of parts. Bash Reference Manual 5.2, «Brace Expansion».

#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "policy/shell/tree.hpp"

namespace policy::shell {

inline constexpr std::size_t words_max = 1000;  // of one word with braces, or one variable that is split

using Parts = std::vector<const Part*>;

struct Choices {
  std::vector<Parts> all;  // in the shell's order
  std::deque<Part> made;   // of sequences; what `all` points to beside the word
  bool too_many = false;   // more than words_max; `all` is not all
  // Where the choices meet what stands beside them, the shell would read other parts: `$c{t,t}` is `$ct $ct`.
  bool other_parts = false;
};

Choices choices_of(const Word& word);

std::optional<int> whole_number(std::string_view text);

}  // namespace policy::shell
