#pragma once
// One word of a command after a shell has expanded it, as far as that is known before the line runs.

#include <string>
#include <string_view>

namespace policy::shell {

struct Argument {
  enum class Sort {
    known,    // it is `text`
    glob,     // one of the names that match `text`, or `text` itself where none does
    unknown,  // `text` is what stands in the line
  };
  Sort sort = Sort::known;
  std::string text;        // of a glob the pattern, what is literal in it behind a backslash
  std::string start = {};  // unknown, glob: the literal beginning
  bool spread = false;     // may stand for none or several words
  bool number = false;     // unknown: digits, and perhaps a `-` before them
  bool digits = false;     // unknown: what stands behind `start` is that
  bool operator==(const Argument&) const = default;

  bool known() const { return sort == Sort::known; }
  bool is(std::string_view word) const { return known() && text == word; }
};

}  // namespace policy::shell
