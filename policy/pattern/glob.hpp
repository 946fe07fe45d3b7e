#pragma once
// One glob: `*` any run, `?` any one character (UTF-8), all else literal. Brackets, braces and backslashes
// are literal. Matching takes |pattern| × |text| steps at most.

#include <string>
#include <string_view>

namespace policy {

class Glob {
 public:
  Glob() = default;                         // matches the empty text only
  explicit Glob(std::string_view pattern);  // `*` and `?` are wildcards
  static Glob literally(std::string_view text);
  static Glob deep();  // `**`: of PathPattern, any number of components

  bool matches(std::string_view text) const;
  // Whether some text matches both. May say true wrongly, never false.
  bool may_meet(const Glob& other) const;
  // Whether a text that matches may begin with these bytes, not with a wildcard: `.` of `.env`.
  bool begins_with(char c) const { return !pattern_.empty() && pattern_.front() == c; }
  bool literal() const { return literal_; }
  bool is_deep() const { return deep_; }
  // As written; quoted literals lose their quotes.
  std::string text() const;
  void append(const Glob& other);
  Glob folded() const;  // its capital letters (ASCII) made small

  bool operator==(const Glob&) const = default;

 private:
  std::string pattern_;  // wildcards are the bytes 0x01 (run) and 0x02 (one), which no pattern text may hold
  bool literal_ = true;
  bool deep_ = false;
};

// The names of one component that a pattern stands for; Glob::deep(): of any number of components.
struct NameGlob {
  Glob glob;
  bool hides_dots = false;  // a name that begins with `.` is not meant
  bool matches(std::string_view name) const {
    return glob.matches(name) && !(hides_dots && name.starts_with('.'));
  }
  bool operator==(const NameGlob&) const = default;
};

}  // namespace policy
