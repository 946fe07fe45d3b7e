// Characters, failures, and how parts become a word.

#include <algorithm>
#include <utility>

#include "policy/shell/parser.hpp"

namespace policy::shell {

std::optional<std::string> Word::literal() const {
  std::string text;
  for (const Part& part : parts) {
    if (part.kind != Part::Kind::literal) return std::nullopt;
    text += part.text;
  }
  return text;
}

bool Word::quoted() const {
  return std::any_of(parts.begin(), parts.end(), [](const Part& part) { return part.quoted; });
}

std::size_t Parser::index_past_continuations(std::size_t ahead) const {
  std::size_t i = at_;
  for (;;) {
    while (i + 1 < text_.size() && text_[i] == '\\' && text_[i + 1] == '\n') i += 2;
    if (ahead == 0 || i >= text_.size()) return i;
    --ahead;
    ++i;
  }
}

// A character, and if it means nothing to a shell wherever it stands in a word, all such that follow.
std::string Parser::take_plain() {
  const auto plain = [](char c) {
    return begins_name(c) || digit(c) || std::string_view("/.-:=+@%").find(c) != std::string_view::npos;
  };
  const std::size_t begin = index(0);
  std::size_t end = begin + 1;
  if (continued_ || !plain(text_[begin])) {
    skip(1);
  } else {
    while (end < text_.size() && plain(text_[end])) ++end;
    at_ = end;
  }
  return std::string(text_.substr(begin, end - begin));
}

bool Parser::next_is(std::string_view text) const {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (look(i) != text[i]) return false;
  return true;
}

void Parser::skip(std::size_t count) { at_ = std::min(index(count), text_.size()); }

std::string Parser::spelled(std::size_t begin, std::size_t end) const {
  std::string text;
  for (std::size_t i = begin; i < end; ++i) {
    if (text_[i] == '\\' && i + 1 < end && text_[i + 1] == '\n')
      ++i;
    else
      text += text_[i];
  }
  return text;
}

void Parser::fail(std::string why, base::Code code) {
  if (!error_) error_ = base::Error(code, std::move(why), std::to_string(where(std::min(at_, text_.size()))));
  at_ = text_.size();
}

bool Parser::spend_part() {
  if (++budget_.parts <= parts_max) return true;
  fail("it has more than " + std::to_string(parts_max) + " parts", base::Code::limit);
  return false;
}

void Parser::add(Word& into, Part part, std::size_t begin) {
  if (!spend_part()) return;
  part.span = span_from(begin);
  part.inside = {begin, std::min(at_, text_.size())};
  into.parts.push_back(std::move(part));
}

void Parser::add_literal(Word& into, std::string text, bool quoted, std::size_t begin) {
  if (!into.parts.empty()) {
    Part& last = into.parts.back();
    if (last.kind == Part::Kind::literal && last.quoted == quoted) {
      last.text += text;
      last.span.end = span_from(begin).end;
      last.inside.end = std::min(at_, text_.size());
      return;
    }
  }
  Part part;
  part.text = std::move(text);
  part.quoted = quoted;
  add(into, std::move(part), begin);
}

}  // namespace policy::shell
