#include "policy/detect/content_pattern.hpp"

#include <algorithm>

namespace policy {
namespace {

bool names_group(std::string_view text) {
  return text.size() > 1 && text.front() == '@' &&
         std::all_of(text.begin() + 1, text.end(), [](char c) { return (c >= 'a' && c <= 'z') || c == '-'; });
}

}  // namespace

base::Result<ContentPattern> ContentPattern::compile(std::string_view text) {
  ContentPattern pattern;
  pattern.text_ = text;
  if (names_group(text)) {
    auto group = detect::built_in_group(text.substr(1));
    if (!group) return group.error();
    pattern.group_ = std::move(*group);
    return pattern;
  }
  auto expression = Expression::compile(text, Stance::restrict);
  if (!expression) return expression.error();
  pattern.expression_ = std::move(*expression);
  return pattern;
}

bool ContentPattern::matches(std::string_view content) const {
  return group_ ? group_->any(content) : expression_.matches(content);
}

std::size_t ContentPattern::steps(std::string_view content) const {
  constexpr std::size_t bytes_a_step = 8;  // RE2 is quick
  return group_ ? content.size() : content.size() / bytes_a_step;
}

}  // namespace policy
