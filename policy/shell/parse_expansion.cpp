// What stands behind a `$`: parameters, commands, arithmetic.

#include <algorithm>
#include <array>
#include <utility>

#include "policy/shell/parser.hpp"

namespace policy::shell {
namespace {

bool special(char c) { return c != '\0' && std::string_view("@*#?-$!").find(c) != std::string_view::npos; }

// The operators of `${NAME…}`, longer ones first.
constexpr std::array<std::string_view, 21> operators{":-", ":=", ":?", ":+", "##", "%%", "//",
                                                     "/#", "/%", "^^", ",,", "-",  "=",  "?",
                                                     "+",  "#",  "%",  "/",  "^",  ",",  "@"};
// Behind these, single quotes quote also inside double quotes.
constexpr std::string_view pattern_operators = "#%/^,";

}  // namespace

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
    if (!arithmetic(into, '[', ']', false)) return fail("`$[` is not closed");
    into.parts.back().bash_only = true;
    return;
  }
  if (next == '\'' && !quoted) return ansi_quoted(into);
  if (next == '"' && !quoted) {
    skip(2);
    double_quoted(into);
    if (!failed()) into.parts.back().bash_only = true;
    return;
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
  part.braced = true;
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
    // To other shells this is no operator, and they look for its end in ways of their own.
    const std::string_view written = text_.substr(rest_begin, at_ - rest_begin);
    const bool posix = part.operation.size() <= 2 &&
                       part.operation.find_first_not_of(":-=?+#%") == std::string::npos &&
                       part.operation != ":";
    part.bash_only = !posix && written.find_first_of("'\"\\`") != std::string_view::npos;
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
    if (c == '$' && quoted && look(1) == '\'') {
      fail("a quote `$'` inside double quotes");
    } else if (c == '$') {
      dollar(into, quoted);
    } else if (c == '`') {
      backquoted(into, quoted);
    } else if (c == '"') {
      skip(1);
      double_quoted(into);
    } else if (c == '\'' && quotes_count) {
      single_quoted(into);
    } else if (c == '\'') {
      quote_in_quotes(into);
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

// A single quote in the operand of a `${…}` in double quotes, where it means itself. bash all the same takes
// what stands up to the next one for quoted when it looks for the end: nothing there may be an end to either
// reading.
void Parser::quote_in_quotes(Word& into) {
  const std::size_t begin = index(0);
  const std::size_t end = text_.find('\'', begin + 1);
  if (end == std::string_view::npos) return fail("a single quote is not closed");
  if (text_.substr(begin, end - begin).find_first_of("}\"`\\") != std::string_view::npos)
    return fail("single quotes inside double quotes that shells read in different ways");
  while (!failed() && index(0) < end) {
    const std::size_t from = index(0);
    if (look() == '$') {
      dollar(into, true);
      continue;
    }
    skip(1);
    add_literal(into, std::string(1, text_[from]), true, from);
  }
  if (failed()) return;
  if (index(0) != end) return fail("single quotes inside double quotes that shells read in different ways");
  skip(1);
  add_literal(into, "'", true, end);
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

}  // namespace policy::shell
