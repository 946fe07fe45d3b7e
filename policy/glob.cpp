#include "policy/glob.hpp"

#include <algorithm>

#include "proxy/base/utf8.hpp"

namespace policy {
namespace {

constexpr char any_run = '\x01';
constexpr char any_one = '\x02';

// Bytes of the character that starts here; 1 for a byte that starts none.
std::size_t length_at(std::string_view text, std::size_t at) {
  return std::max<std::size_t>(base::utf8::character_at(text, at).length, 1);
}

}  // namespace

Glob::Glob(std::string_view pattern) {
  pattern_.reserve(pattern.size());
  for (const char c : pattern) {
    if (c == '*' && !pattern_.empty() && pattern_.back() == any_run) continue;
    pattern_ += c == '*' ? any_run : c == '?' ? any_one : c;
    literal_ = literal_ && c != '*' && c != '?';
  }
}

Glob Glob::literally(std::string_view text) {
  Glob glob;
  glob.pattern_ = text;
  return glob;
}

Glob Glob::deep() {
  Glob glob("*");
  glob.deep_ = true;
  return glob;
}

// Going back to the last run only: an earlier run could not take less and let more match.
bool Glob::matches(std::string_view text) const {
  if (literal_) return pattern_ == text;
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t run = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern_.size() && pattern_[p] == any_run) {
      run = p++;
      resume = t;
    } else if (p < pattern_.size() && pattern_[p] == any_one) {
      ++p;
      t += length_at(text, t);
    } else if (p < pattern_.size() && pattern_[p] == text[t]) {
      ++p;
      ++t;
    } else if (run != std::string_view::npos) {
      p = run + 1;
      t = resume += length_at(text, resume);
    } else {
      return false;
    }
  }
  while (p < pattern_.size() && pattern_[p] == any_run) ++p;
  return p == pattern_.size();
}

std::string Glob::text() const {
  if (deep_) return "**";
  std::string text;
  for (const char c : pattern_) text += !literal_ && c == any_run ? '*' : !literal_ && c == any_one ? '?' : c;
  return text;
}

void Glob::append(const Glob& other) {
  pattern_ += other.pattern_;
  literal_ = literal_ && other.literal_;
}

}  // namespace policy
