#include "policy/pattern/glob.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "proxy/base/text.hpp"
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

// Reachable pairs of places, a row at a time. A wildcard for one character is taken for any number of bytes.
bool Glob::may_meet(const Glob& other) const {
  const std::string& a = pattern_;
  const std::string& b = other.pattern_;
  const auto runs = [](char c, bool literal) { return !literal && (c == any_run || c == any_one); };
  std::vector<bool> row(b.size() + 1);
  for (std::size_t i = 0; i <= a.size(); ++i) {
    std::vector<bool> next(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) {
      bool reached = i == 0 && j == 0;
      const bool a_runs = i > 0 && runs(a[i - 1], literal_);
      const bool b_runs = j > 0 && runs(b[j - 1], other.literal_);
      if (i > 0 && a_runs) reached = reached || row[j] || (j > 0 && next[j - 1]);
      if (j > 0 && b_runs) reached = reached || next[j - 1] || (i > 0 && row[j]);
      if (i > 0 && j > 0 && !a_runs && !b_runs && a[i - 1] == b[j - 1]) reached = reached || row[j - 1];
      next[j] = reached;
    }
    row = std::move(next);
  }
  return row[b.size()];
}

std::string Glob::text() const {
  if (deep_) return "**";
  std::string text;
  for (const char c : pattern_) text += !literal_ && c == any_run ? '*' : !literal_ && c == any_one ? '?' : c;
  return text;
}

Glob Glob::folded() const {
  Glob glob = *this;
  glob.pattern_ = base::lower(pattern_);
  return glob;
}

void Glob::append(const Glob& other) {
  pattern_ += other.pattern_;
  literal_ = literal_ && other.literal_;
}

}  // namespace policy
