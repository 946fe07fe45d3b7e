#pragma once
// Parts of a rule in one line for a person, joined by `; `.

#include <string>
#include <string_view>
#include <vector>

#include "proxy/base/text.hpp"

namespace policy::shown {

// Quoted, and nothing of it cut.
inline std::string whole(std::string_view text) { return base::quoted(text, text.size() * 8 + 8); }

inline std::string words_of(const std::string& text) { return text; }
template <class Pattern>
std::string words_of(const Pattern& pattern) {
  return pattern.text();
}

// `KEY `a`, `b``, behind what stands there already.
template <class Pattern>
void add(std::string& line, std::string_view key, const std::vector<Pattern>& patterns) {
  if (patterns.empty()) return;
  line += (line.empty() ? "" : "; ") + std::string(key);
  for (std::size_t i = 0; i < patterns.size(); ++i)
    line += (i == 0 ? " " : ", ") + whole(words_of(patterns[i]));
}

inline void add(std::string& line, std::string_view words) {
  line += (line.empty() ? "" : "; ") + std::string(words);
}

}  // namespace policy::shown
