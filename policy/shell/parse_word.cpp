// Words: quotes, expansions, choices in braces.

#include <algorithm>
#include <array>
#include <utility>

#include "policy/shell/parser.hpp"
#include "proxy/base/utf8.hpp"

namespace policy::shell {
namespace {

bool special(char c) { return c != '\0' && std::string_view("@*#?-$!").find(c) != std::string_view::npos; }

int value_of(char c, int base) {
  int value = 99;
  if (digit(c)) value = c - '0';
  if (c >= 'a' && c <= 'f') value = c - 'a' + 10;
  if (c >= 'A' && c <= 'F') value = c - 'A' + 10;
  return value < base ? value : -1;
}

// The operators of `${NAME…}`, longer ones first.
constexpr std::array<std::string_view, 21> operators{":-", ":=", ":?", ":+", "##", "%%", "//",
                                                     "/#", "/%", "^^", ",,", "-",  "=",  "?",
                                                     "+",  "#",  "%",  "/",  "^",  ",",  "@"};
// Behind these, single quotes quote also inside double quotes.
constexpr std::string_view pattern_operators = "#%/^,";

}  // namespace

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

std::size_t Parser::index(std::size_t ahead) const {
  std::size_t i = at_;
  for (;;) {
    while (i + 1 < text_.size() && text_[i] == '\\' && text_[i + 1] == '\n') i += 2;
    if (ahead == 0 || i >= text_.size()) return i;
    --ahead;
    ++i;
  }
}

char Parser::look(std::size_t ahead) const {
  const std::size_t i = index(ahead);
  return i < text_.size() ? text_[i] : '\0';
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
  into.parts.push_back(std::move(part));
}

void Parser::add_literal(Word& into, std::string text, bool quoted, std::size_t begin) {
  if (!into.parts.empty()) {
    Part& last = into.parts.back();
    if (last.kind == Part::Kind::literal && last.quoted == quoted) {
      last.text += text;
      last.span.end = span_from(begin).end;
      return;
    }
  }
  Part part;
  part.text = std::move(text);
  part.quoted = quoted;
  add(into, std::move(part), begin);
}

Word Parser::word(Until until, bool assigned) {
  Word word;
  at_ = std::min(index(0), text_.size());
  const std::size_t begin = at_;
  while (word_part(word, until, assigned)) {
  }
  word.span = span_from(begin);
  return word;
}

// Whether a `~` behind these parts is expanded: at the beginning, and in values behind `:`. bash takes a word
// like `NAME=VALUE` for an assignment here wherever it stands.
bool Parser::tilde_stands(const Word& before, bool assigned) {
  if (before.parts.empty()) return true;
  const Part& last = before.parts.back();
  if (last.kind != Part::Kind::literal || last.quoted) return false;
  const Part& first = before.parts.front();
  const std::size_t equals = first.text.find('=');
  const bool named = first.kind == Part::Kind::literal && !first.quoted && equals != std::string::npos &&
                     equals > 0 && begins_name(first.text.front()) &&
                     std::all_of(first.text.begin(), first.text.begin() + static_cast<std::ptrdiff_t>(equals),
                                 [](char c) { return begins_name(c) || digit(c) || c == '+'; });
  const bool behind_equals = named && before.parts.size() == 1 && equals + 1 == first.text.size();
  return behind_equals || ((assigned || named) && last.text.ends_with(':'));
}

// False: the word ends here. `assigned`: behind an assignment's `=`.
bool Parser::word_part(Word& into, Until until, bool assigned) {
  if (at_end()) return false;
  const std::size_t begin = index(0);
  const char c = look();
  const bool process = (c == '<' || c == '>') && look(1) == '(';
  if (until != Until::subscript && ends_words(c) && !process) return false;
  if (until == Until::choice && (c == ',' || c == '}')) return false;
  if (until == Until::subscript && c == ']') return false;
  switch (c) {
    case '\0': fail("a NUL byte"); return false;
    case '\'': single_quoted(into); return true;
    case '"':
      skip(1);
      double_quoted(into);
      return true;
    case '`': backquoted(into, false); return true;
    case '$': dollar(into, false); return true;
    case '\\':
      at_ = begin + 1;
      add_literal(into, at_ < text_.size() ? std::string(1, text_[at_]) : "\\", true, begin);
      at_ = std::min(at_ + 1, text_.size());
      return true;
    case '<':
    case '>':
      if (process) {
        skip(1);
        command_substitution(into, false, Part::Kind::process);
        return true;
      }
      break;
    case '*':
    case '?':
    case '[': {
      if (c == '[' && until == Until::subscript) {
        fail("a bracket inside a subscript");
        return false;
      }
      skip(1);
      Part part;
      part.kind = Part::Kind::glob;
      part.text = c;
      add(into, std::move(part), begin);
      return true;
    }
    case '{':
      if (braces(into)) return true;
      break;
    case '~':
      if (tilde_stands(into, assigned)) {
        tilde(into);
        return true;
      }
      break;
    default: break;
  }
  skip(1);
  add_literal(into, std::string(1, c), false, begin);
  return true;
}

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
    } else if (c == 'c' && i + 1 < text_.size()) {
      text += static_cast<char>(text_[++i] & 0x1f);
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
}

// Behind its opening quote.
void Parser::double_quoted(Word& into) {
  const Nested nested(*this);
  add_literal(into, "", true, at_);
  for (;;) {
    if (at_end()) return fail("a double quote is not closed");
    const std::size_t begin = index(0);
    const char c = look();
    if (c == '"') return skip(1);
    if (c == '$') {
      dollar(into, true);
    } else if (c == '`') {
      backquoted(into, true);
    } else if (c == '\0') {
      return fail("a NUL byte");
    } else if (c == '\\') {
      const char next = begin + 1 < text_.size() ? text_[begin + 1] : '\0';
      const bool taken = next == '$' || next == '`' || next == '"' || next == '\\';
      at_ = std::min(begin + 1 + (taken ? 1 : 0), text_.size());
      add_literal(into, std::string(1, taken ? next : '\\'), true, begin);
    } else {
      skip(1);
      add_literal(into, std::string(1, c), true, begin);
    }
  }
}

void Parser::dollar(Word& into, bool quoted) {
  const std::size_t begin = index(0);
  const char next = look(1);
  if (next == '(') {
    if (look(2) == '(' && arithmetic_substitution(into, quoted)) return;
    skip(1);
    return command_substitution(into, quoted, Part::Kind::command);
  }
  if (next == '{') return parameter(into, quoted);
  if (next == '[') {
    skip(2);
    if (!arithmetic(into, '[', ']', false)) fail("`$[` is not closed");
    return;
  }
  if (next == '\'' && !quoted) return ansi_quoted(into);
  if (next == '"' && !quoted) {
    skip(2);
    return double_quoted(into);
  }
  Part part;
  part.kind = Part::Kind::parameter;
  part.quoted = quoted;
  if (begins_name(next)) {
    skip(1);
    part.text = name();
  } else if (digit(next) || special(next)) {
    skip(2);
    part.text = next;
  } else {
    skip(1);
    return add_literal(into, "$", quoted, begin);
  }
  add(into, std::move(part), begin);
}

std::string Parser::name() {
  std::string text;
  while (begins_name(look()) || digit(look())) {
    text += look();
    skip(1);
  }
  return text;
}

// `${…}`, at its `$`.
void Parser::parameter(Word& into, bool quoted) {
  const Nested nested(*this);
  const std::size_t begin = index(0);
  skip(2);
  Part part;
  part.kind = Part::Kind::parameter;
  part.quoted = quoted;
  const char second = look(1);
  if ((look() == '#' || look() == '!') &&
      (begins_name(second) || digit(second) || (special(second) && look(2) == '}'))) {
    part.operation = look();
    skip(1);
  }
  if (begins_name(look())) {
    part.text = name();
  } else if (digit(look())) {
    while (digit(look())) {
      part.text += look();
      skip(1);
    }
  } else if (special(look())) {
    part.text = look();
    skip(1);
  } else {
    return fail("`${` without a name");
  }
  if (look() == '[') {
    part.operation += '[';
    skip(1);
    part.words.push_back(word(Until::subscript));
    if (look() != ']') return fail("a subscript is not closed");
    skip(1);
  }
  bool quotes_count = !quoted;
  if (look() != '}') {
    const auto* found = std::find_if(operators.begin(), operators.end(),
                                     [this](std::string_view each) { return next_is(each); });
    const bool names = part.operation == "!" && (look() == '*' || look() == '@') && look(1) == '}';
    const std::string_view operation = names                      ? (look() == '*' ? "*" : "@")
                                       : found != operators.end() ? *found
                                       : next_is(":")             ? ":"
                                                                  : std::string_view();
    if (operation.empty()) return fail("`${…}` with an operator that is not known");
    part.operation += operation;
    skip(operation.size());
    quotes_count = quotes_count || pattern_operators.find(operation.front()) != std::string_view::npos;
    Word rest;
    const std::size_t rest_begin = at_;
    operand(rest, quoted, quotes_count);
    rest.span = span_from(rest_begin);
    part.words.push_back(std::move(rest));
  }
  if (look() != '}') return fail("`${` is not closed");
  skip(1);
  add(into, std::move(part), begin);
}

// Up to the first `}` that is neither quoted nor part of an expansion.
void Parser::operand(Word& into, bool quoted, bool quotes_count) {
  while (!at_end() && look() != '}') {
    const std::size_t begin = index(0);
    const char c = look();
    if (c == '$') {
      dollar(into, quoted);
    } else if (c == '`') {
      backquoted(into, quoted);
    } else if (c == '"') {
      skip(1);
      double_quoted(into);
    } else if (c == '\'' && quotes_count) {
      single_quoted(into);
    } else if (c == '\\') {
      at_ = std::min(begin + 2, text_.size());
      add_literal(into, begin + 1 < text_.size() ? std::string(1, text_[begin + 1]) : "\\", true, begin);
    } else if ((c == '<' || c == '>') && look(1) == '(' && !quoted) {
      skip(1);
      command_substitution(into, quoted, Part::Kind::process);
    } else {
      skip(1);
      add_literal(into, std::string(1, c), quoted, begin);
    }
  }
}

// At the opening parenthesis.
void Parser::command_substitution(Word& into, bool quoted, Part::Kind kind) {
  const Nested nested(*this);
  const std::size_t begin = index(0);
  skip(1);
  std::vector<Pending> outer = std::exchange(documents_, {});
  Part part;
  part.kind = kind;
  part.quoted = quoted;
  part.list = std::make_shared<const List>(list());
  if (look() != ')') return fail("a parenthesis is not closed");
  if (!documents_.empty()) return fail("a here-document without a body");
  documents_ = std::move(outer);
  skip(1);
  add(into, std::move(part), begin);
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

// Behind the opening; adds one part. False, and nothing taken: it is not closed as arithmetic is.
bool Parser::arithmetic(Word& into, char open, char close, bool doubled) {
  const Nested nested(*this);
  const std::size_t begin = at_;
  Word inside;
  std::size_t depth = 0;
  while (!at_end()) {
    const std::size_t from = index(0);
    const char c = look();
    if (c == close && depth == 0) {
      if (doubled && look(1) != close) break;
      Part part;
      part.kind = Part::Kind::arithmetic;
      part.quoted = true;
      part.text = spelled(begin, from);
      inside.span = span_from(begin);
      part.words.push_back(std::move(inside));
      skip(doubled ? 2 : 1);
      add(into, std::move(part), begin);
      return !failed();
    }
    if (c == '$') {
      dollar(inside, true);
    } else if (c == '`') {
      backquoted(inside, true);
    } else if (c == '"') {
      skip(1);
      double_quoted(inside);
    } else if (c == '\\') {
      at_ = std::min(from + 2, text_.size());
    } else if (c == '\'') {
      fail("a single quote in arithmetic");
    } else {
      depth += c == open ? 1 : 0;
      depth -= c == close ? 1 : 0;
      skip(1);
      add_literal(inside, std::string(1, c), true, from);
    }
  }
  if (!failed()) at_ = begin;
  return false;
}

// `$((…))`, at its `$`; false: `$( (…)…)`, which is read anew.
bool Parser::arithmetic_substitution(Word& into, bool quoted) {
  const std::size_t begin = at_;
  skip(3);
  Word found;
  if (!arithmetic(found, '(', ')', true)) {
    if (!failed()) at_ = begin;
    return failed();
  }
  for (Part& part : found.parts) {
    part.quoted = quoted;
    into.parts.push_back(std::move(part));
  }
  return true;
}

// At an unquoted `{`. False: it is no list of choices, and nothing was taken.
bool Parser::braces(Word& into) {
  const std::size_t begin = index(0);
  if (no_braces_.size() <= text_.size()) no_braces_.resize(text_.size() + 1);
  if (no_braces_[begin]) return false;
  const std::size_t before = at_;
  const Nested nested(*this);
  skip(1);
  std::vector<Word> choices;
  for (;;) {
    choices.push_back(word(Until::choice));
    if (look() != ',') break;
    skip(1);
  }
  if (failed()) return true;
  const bool closed = look() == '}';
  const auto only = choices.size() == 1 ? choices.front().literal() : std::nullopt;
  const bool sequence = only && !choices.front().quoted() && only->find("..") != std::string::npos;
  if (!closed || (choices.size() == 1 && !sequence)) {
    no_braces_[begin] = true;
    at_ = before;
    return false;
  }
  skip(1);
  Part part;
  part.kind = Part::Kind::brace;
  if (choices.size() > 1)
    part.words = std::move(choices);
  else
    part.text = spelled(begin, at_);
  add(into, std::move(part), begin);
  return true;
}

void Parser::tilde(Word& into) {
  const std::size_t begin = index(0);
  skip(1);
  Part part;
  part.kind = Part::Kind::tilde;
  while (begins_name(look()) || digit(look()) ||
         (look() != '\0' && std::string_view("-+.").find(look()) != std::string_view::npos)) {
    part.text += look();
    skip(1);
  }
  const char next = look();
  const bool ends = at_end() || next == '/' || next == ':' || ends_words(next) || next == ',' || next == '}';
  if (ends) return add(into, std::move(part), begin);
  add_literal(into, "~" + part.text, false, begin);
}

}  // namespace policy::shell
