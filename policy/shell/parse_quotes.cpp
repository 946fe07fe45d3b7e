// The quotes: `'…'`, `$'…'`, `"…"`, backquotes.

#include <utility>

#include "policy/shell/parser.hpp"
#include "proxy/base/utf8.hpp"

namespace policy::shell {
namespace {

int value_of(char c, int base) {
  int value = 99;
  if (digit(c)) value = c - '0';
  if (c >= 'a' && c <= 'f') value = c - 'a' + 10;
  if (c >= 'A' && c <= 'F') value = c - 'A' + 10;
  return value < base ? value : -1;
}

}  // namespace

void Parser::single_quoted(Word& into) {
  const std::size_t begin = index(0);
  const std::size_t end = text_.find('\'', begin + 1);
  if (end == std::string_view::npos) return fail("a single quote is not closed");
  at_ = end + 1;
  add_literal(into, std::string(text_.substr(begin + 1, end - begin - 1)), true, begin);
}

// `$'…'`, at its `$`.
void Parser::ansi_quoted(Word& into) {
  const std::size_t begin = index(0);
  std::size_t i = index(1) + 1;
  std::string text;
  for (;; ++i) {
    if (i >= text_.size()) return fail("a quote `$'` is not closed");
    if (text_[i] == '\'') break;
    if (text_[i] != '\\' || i + 1 >= text_.size()) {
      text += text_[i];
      continue;
    }
    const char c = text_[++i];
    static constexpr std::string_view letters = "abeEfnrtv\\'\"?";
    static constexpr std::string_view meant = "\a\b\x1b\x1b\f\n\r\t\v\\'\"?";
    if (const std::size_t known = letters.find(c); known != std::string_view::npos) {
      text += meant[known];
    } else if (c == 'c' || (c == 'x' && i + 1 < text_.size() && text_[i + 1] == '{')) {
      return fail("an escape that is not known");
    } else if (c == 'x' || c == 'u' || c == 'U' || value_of(c, 8) >= 0) {
      const int base = value_of(c, 8) >= 0 ? 8 : 16;
      const std::size_t most = base == 8 ? 3 : c == 'x' ? 2 : c == 'u' ? 4 : 8;
      std::size_t from = base == 8 ? i : i + 1;
      std::size_t to = from;
      char32_t value = 0;
      for (; to < text_.size() && to - from < most && value_of(text_[to], base) >= 0; ++to)
        value = value * static_cast<char32_t>(base) + static_cast<char32_t>(value_of(text_[to], base));
      if (to == from) {
        text += '\\';
        text += c;
        continue;
      }
      i = to - 1;
      // A NUL ends the string for bash, but not for every shell.
      if (value == 0) return fail("a NUL byte");
      if (c == 'u' || c == 'U') {
        if (value > 0x10FFFF) return fail("a character past the last");
        base::utf8::append(text, value);
      } else {
        text += static_cast<char>(value);
      }
    } else {
      text += '\\';
      text += c;
    }
  }
  at_ = i + 1;
  add_literal(into, std::move(text), true, begin);
  if (!failed()) into.parts.back().bash_only = true;
}

// Behind its opening quote.
void Parser::double_quoted(Word& into) {
  const Nested nested(*this);
  add_literal(into, "", true, at_);
  for (;;) {
    if (at_end()) return fail("a double quote is not closed");
    const char c = look();
    if (c == '"') return skip(1);
    if (c == '\0') return fail("a NUL byte");
    expanded(into, "$`\"\\");
  }
}

// The next piece of text that is expanded and not split. A backslash stands for itself, but before one of
// `escaped`.
void Parser::expanded(Word& into, std::string_view escaped) {
  const std::size_t begin = index(0);
  const char c = look();
  if (c == '$') return dollar(into, true);
  if (c == '`') return backquoted(into, true);
  if (c != '\\') return add_literal(into, take_plain(), true, begin);
  const char next = begin + 1 < text_.size() ? text_[begin + 1] : '\0';
  const bool taken = escaped.find(next) != std::string_view::npos;
  at_ = std::min(begin + 1 + (taken ? 1 : 0), text_.size());
  add_literal(into, std::string(1, taken ? next : '\\'), true, begin);
}

// At the opening backquote. Inside, one level of backslashes is taken off before it is read.
void Parser::backquoted(Word& into, bool quoted) {
  const Nested nested(*this);
  const std::size_t begin = index(0);
  std::string inside;
  std::size_t i = begin + 1;
  for (;; ++i) {
    if (i >= text_.size()) return fail("a backquote is not closed");
    if (text_[i] == '`') break;
    const char next = i + 1 < text_.size() ? text_[i + 1] : '\0';
    if (text_[i] == '\\' && (next == '`' || next == '\\' || next == '$' || (next == '"' && quoted))) ++i;
    inside += text_[i];
  }
  Part part;
  part.kind = Part::Kind::command;
  part.quoted = quoted;
  auto read = Parser(inside, budget_, where(begin), true).whole();
  if (!read) return fail(read.error().message(), read.error().code());
  part.list = std::make_shared<const List>(std::move(*read));
  at_ = i + 1;
  add(into, std::move(part), begin);
}

}  // namespace policy::shell
