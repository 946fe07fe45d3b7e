// Lists, pipelines, simple commands, assignments.

#include <algorithm>
#include <array>
#include <utility>

#include "policy/shell/parser.hpp"

namespace policy::shell {
namespace {

constexpr std::array<std::string_view, 22> reserved_words{
    "!",   "{",        "}",  "case", "coproc", "do",   "done", "elif",  "else",  "esac", "fi",
    "for", "function", "if", "in",   "select", "then", "time", "until", "while", "[[",   "]]"};
constexpr std::string_view begin_reserved = "!{}[]cdefistuw";
// Behind these, `NAME=(…)` is an assignment too.
constexpr std::array<std::string_view, 5> declaring{"declare", "typeset", "local", "export", "readonly"};

template <std::size_t N>
bool one_of(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

}  // namespace

base::Result<List> Parser::whole() {
  List read = list();
  if (!failed() && !at_end()) fail("a word or an operator that belongs to nothing");
  if (!failed() && !documents_.empty()) fail("a here-document without a body");
  if (error_) return *error_;
  return read;
}

void Parser::skip_blanks() {
  for (;;) {
    const char c = look();
    if (at_end() || (c != ' ' && c != '\t')) break;
    skip(1);
  }
  if (look() != '#' || at_end()) return;
  at_ = std::min(text_.find('\n', index(0)), text_.size());  // a comment: no continuation in it
}

void Parser::line_end() {
  skip(1);
  read_documents();
}

void Parser::skip_lines() {
  for (skip_blanks(); look() == '\n' && !at_end(); skip_blanks()) line_end();
}

std::string Parser::reserved() {
  if (at_end() || begin_reserved.find(look()) == std::string_view::npos) return {};
  std::string text;
  for (std::size_t i = 0; text.size() <= 8; ++i) {
    const char c = look(i);
    if (index(i) >= text_.size() || ends_words(c)) break;
    text += c;
  }
  return one_of(text, reserved_words) ? text : std::string();
}

bool Parser::take(std::string_view reserved_word) {
  if (at_end() || !next_is(reserved_word)) return false;
  const std::size_t behind = index(reserved_word.size());
  if (behind < text_.size() && !ends_words(text_[behind])) return false;
  skip(reserved_word.size());
  return true;
}

void Parser::expect(std::string_view reserved_word) {
  if (!take(reserved_word)) fail("`" + std::string(reserved_word) + "` is missing");
}

bool Parser::list_ends() {
  if (at_end() || look() == ')' || next_is(";;") || next_is(";&")) return true;
  if (std::string_view("tdfe}").find(look()) == std::string_view::npos) return false;
  static constexpr std::array<std::string_view, 8> closers{"then", "do",   "done", "fi",
                                                           "else", "elif", "esac", "}"};
  return one_of(reserved(), closers);
}

List Parser::list() {
  const Nested nested(*this);
  List list;
  auto joint = Step::Joint::next;
  for (bool must_follow = false;; must_follow = joint == Step::Joint::both || joint == Step::Joint::either) {
    const std::size_t before = at_;
    skip_lines();
    const bool line_ended = text_.substr(before, at_ - before).find('\n') != std::string_view::npos;
    if (list_ends()) {
      if (must_follow) fail("a command is missing behind `&&` or `||`");
      return list;
    }
    Step step{joint, line_ended && !must_follow, pipeline()};
    if (failed()) return list;
    list.steps.push_back(std::move(step));
    skip_blanks();
    if (next_is("&&")) {
      joint = Step::Joint::both;
      skip(2);
    } else if (next_is("||")) {
      joint = Step::Joint::either;
      skip(2);
    } else if (next_is(";;") || next_is(";&")) {
      return list;
    } else if (look() == ';') {
      joint = Step::Joint::next;
      skip(1);
    } else if (look() == '&') {
      joint = Step::Joint::background;
      skip(1);
    } else if (look() == '\n' && !at_end()) {
      joint = Step::Joint::next;
    } else {
      return list;
    }
  }
}

Pipeline Parser::pipeline() {
  Pipeline pipeline;
  for (;;) {
    skip_blanks();
    if (take("time")) {
      pipeline.timed = true;
      skip_blanks();
      if (next_is("-p") && ends_words(look(2))) skip(2);
      skip_blanks();
      if (next_is("--") && ends_words(look(2))) skip(2);
    } else if (take("!")) {
      pipeline.negated = !pipeline.negated;
    } else {
      break;
    }
  }
  for (;;) {
    pipeline.commands.push_back(command());
    skip_blanks();
    if (failed() || look() != '|' || next_is("||")) return pipeline;
    skip(next_is("|&") ? 2 : 1);
    skip_lines();
  }
}

Command Parser::command() {
  const Nested nested(*this);
  Command command;
  if (++budget_.commands > commands_max)
    fail("it has more than " + std::to_string(commands_max) + " commands", base::Code::limit);
  skip_blanks();
  const std::size_t begin = index(0);
  const std::string word = reserved();
  if (look() == '(' && !at_end())
    parenthesis(command);
  else if (!word.empty())
    compound(command, word);
  else
    simple(command);
  command.span = span_from(begin);
  return command;
}

void Parser::simple(Command& into) {
  const std::size_t begin = at_;
  bool declares = false;
  for (;;) {
    skip_blanks();
    if (failed()) return;
    if (redirect(into.redirects)) continue;
    const char c = look();
    const bool process = (c == '<' || c == '>') && look(1) == '(';
    if (at_end() || (std::string_view("\n;&|)<>").find(c) != std::string_view::npos && !process)) break;
    if (c == '(') {
      const bool only_name = into.words.size() == 1 && into.assignments.empty() && into.redirects.empty();
      const auto name = only_name ? into.words.front().literal() : std::nullopt;
      if (!name || into.words.front().quoted()) return fail("an opening parenthesis where none may stand");
      skip(1);
      skip_blanks();
      if (look() != ')') return fail("an opening parenthesis where none may stand");
      skip(1);
      into.name = *name;
      into.words.clear();
      return function_body(into);
    }
    if ((into.words.empty() || declares) && assignment(into.assignments)) {
      if (!failed()) into.assignments.back().words_before = into.words.size();
      continue;
    }
    const std::size_t word_begin = index(0);
    into.words.push_back(word());
    if (!failed() && opens_element(word_begin)) return fail("a descriptor that is kept in a list");
    if (!failed() && into.words.back().parts.empty()) return fail("a character that begins no word");
    if (into.words.size() == 1) declares = one_of(into.words.front().literal().value_or(""), declaring);
  }
  if (into.words.empty() && into.assignments.empty() && into.redirects.empty() && !failed()) {
    at_ = begin;
    fail("a command is missing");
  }
}

// Whether what stands behind the name is part of an assignment.
bool Parser::may_assign() const {
  if (continued_) return true;
  std::size_t end = at_;
  while (end < text_.size() && (begins_name(text_[end]) || digit(text_[end]))) ++end;
  return end < text_.size() && std::string_view("=[+").find(text_[end]) != std::string_view::npos;
}

// False: no assignment stands here, and nothing was taken.
bool Parser::assignment(std::vector<Assignment>& into) {
  if (!begins_name(look()) || !may_assign()) return false;
  const std::size_t before = at_;
  const std::size_t begin = index(0);
  Assignment assignment;
  assignment.name = name();
  if (look() == '[') {
    skip(1);
    assignment.subscript = word(Until::subscript);
    if (failed()) return true;
    // A shell takes `NAME[…]` for one word whatever stands inside.
    if (look() != ']' || (look(1) != '=' && !(look(1) == '+' && look(2) == '='))) {
      fail("a subscript that is not assigned to");
      return true;
    }
    skip(1);
  }
  if (next_is("+=")) {
    assignment.append = true;
    skip(1);
  }
  if (look() != '=') {
    at_ = before;
    return false;
  }
  skip(1);
  if (look() == '(' && !assignment.subscript) {
    skip(1);
    assignment.array = true;
    for (skip_lines(); !at_end() && look() != ')'; skip_lines()) {
      assignment.elements.push_back(element());
      const Element& last = assignment.elements.back();
      if (last.value.parts.empty() && !last.subscript) {
        fail("a list of values is not closed");
        return true;
      }
    }
    if (look() != ')') fail("a list of values is not closed");
    skip(1);
  } else {
    assignment.value = word(Until::blank, true);
  }
  assignment.span = span_from(begin);
  into.push_back(std::move(assignment));
  return true;
}

// A value of a list, with its `[…]=` where it has one.
Element Parser::element() {
  Element element;
  if (look() == '[') {
    skip(1);
    element.subscript = word(Until::subscript);
    if (look() != ']') fail("a subscript is not closed");
    skip(1);
    if (next_is("+=")) skip(1);
    if (look() != '=') fail("a subscript that is not assigned to");
    skip(1);
  }
  element.value = word(Until::blank, element.subscript.has_value());
  return element;
}

}  // namespace policy::shell
