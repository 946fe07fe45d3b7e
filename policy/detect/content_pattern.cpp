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

std::vector<std::string> ContentPattern::found(std::string_view content) const {
  if (group_) return group_->find(content);
  return expression_.matches(content) ? std::vector<std::string>{"expression"} : std::vector<std::string>();
}

std::vector<Stretch> ContentPattern::stretches(std::string_view content) const {
  if (!group_) return expression_.stretches(content);
  std::vector<Stretch> stretches;
  for (const auto& [offset, size] : group_->places(content)) stretches.push_back({offset, size});
  return stretches;
}

std::size_t ContentPattern::steps(std::string_view content) const {
  constexpr std::size_t bytes_a_step = 8;  // RE2 is quick
  return group_ ? content.size() : content.size() / bytes_a_step;
}

}  // namespace policy
