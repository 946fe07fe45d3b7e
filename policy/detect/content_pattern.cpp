#include "policy/detect/content_pattern.hpp"

#include <algorithm>

#include "policy/steps.hpp"

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

bool ContentPattern::expression_matches(const detect::Readings& content) const {
  return expression_.matches(content.text) ||
         std::any_of(content.decoded.begin(), content.decoded.end(),
                     [&](const std::string& decoded) { return expression_.matches(decoded); });
}

bool ContentPattern::matches(const detect::Readings& content, Stance stance) const {
  if (stance == Stance::permit)
    return group_ ? group_->any_as_it_stands(content.text) : expression_.matches(content.text);
  return group_ ? group_->any(content) : expression_matches(content) || !content.complete;
}

std::vector<std::string> ContentPattern::found(const detect::Readings& content) const {
  if (group_) return group_->find(content);
  if (expression_matches(content)) return {"expression"};
  if (!content.complete) return {std::string(detect::too_encoded)};
  return {};
}

std::vector<Stretch> ContentPattern::stretches(std::string_view content) const {
  if (!group_) return expression_.stretches(content);
  std::vector<Stretch> stretches;
  for (const auto& [offset, size] : group_->places(content)) stretches.push_back({offset, size});
  return stretches;
}

std::size_t ContentPattern::steps(const detect::Readings& content) const {
  constexpr std::size_t bytes_a_step = 8;  // RE2 is quick
  return text_steps + (group_ ? content.bytes : content.bytes / bytes_a_step);
}

}  // namespace policy
