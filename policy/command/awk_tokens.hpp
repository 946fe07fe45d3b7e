#pragma once
// The words of an awk program, as POSIX awk, gawk 5 and mawk 1.3.4 read them. Where they differ in what is a
// regular expression, or where one would end, nothing is read.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace policy::command {

struct AwkToken {
  enum class Kind { end, newline, string, number, regex, name, keyword, sign };
  Kind kind = Kind::end;
  std::string text;     // of a string: what it means; empty for a regular expression
  bool literal = true;  // a string whose meaning every awk agrees on

  bool is(std::string_view sign) const { return kind == Kind::sign && text == sign; }
  bool word(std::string_view keyword) const { return kind == Kind::keyword && text == keyword; }
};

// The first one is `newline`, as if one stood before the program, the last one `end`. nullopt: what no awk,
// or not every one, would read so.
std::optional<std::vector<AwkToken>> awk_tokens(std::string_view program);

}  // namespace policy::command
