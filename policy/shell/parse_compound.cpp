// Groups, subshells, `if`, loops, `case`, `[[ ]]`, `(( ))`, functions, coprocesses.

#include <algorithm>
#include <array>
#include <utility>

#include "policy/shell/parser.hpp"

namespace policy::shell {
namespace {

bool is_name(std::string_view text) {
  return !text.empty() && begins_name(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return begins_name(c) || digit(c); });
}

}  // namespace

// The reserved word stands next.
void Parser::compound(Command& into, const std::string& word) {
  using Kind = Command::Kind;
  skip(word.size());
  if (word == "{") {
    into.kind = Kind::group;
    into.body = list();
    if (into.body.steps.empty() && !failed()) fail("an empty group");
    expect("}");
  } else if (word == "if") {
    if_clause(into);
  } else if (word == "while" || word == "until") {
    loop(into);
  } else if (word == "for" || word == "select") {
    into.keyword = word == "select";
    for_clause(into);
  } else if (word == "case") {
    case_clause(into);
  } else if (word == "[[") {
    condition(into);
  } else if (word == "function") {
    into.keyword = true;
    skip_blanks();
    const Word name = this->word();
    into.name = name.literal().value_or("");
    if (into.name.empty() || name.quoted()) fail("a function without a name");
    skip_blanks();
    if (look() == '(' && !at_end()) {
      skip(1);
      skip_blanks();
      if (look() == ')')
        skip(1);
      else
        fail("a parenthesis is not closed");
    }
    return function_body(into);
  } else if (word == "coproc") {
    return coprocess(into);
  } else {
    fail("`" + word + "` where none may stand");
  }
  redirects(into);
}

void Parser::if_clause(Command& into) {
  into.kind = Command::Kind::if_clause;
  for (bool more = true; more && !failed();) {
    into.parts.push_back(list());
    expect("then");
    into.parts.push_back(list());
    more = take("elif");
  }
  if (take("else")) into.parts.push_back(list());
  expect("fi");
  for (const List& part : into.parts)
    if (part.steps.empty() && !failed()) fail("an empty part of an `if`");
}

void Parser::loop(Command& into) {
  into.kind = Command::Kind::loop;
  into.parts.push_back(list());
  expect("do");
  into.parts.push_back(list());
  expect("done");
  for (const List& part : into.parts)
    if (part.steps.empty() && !failed()) fail("an empty part of a loop");
}

void Parser::for_clause(Command& into) {
  skip_blanks();
  if (next_is("((")) {
    into.kind = Command::Kind::for_count;
    skip(2);
    Word header;
    if (!arithmetic(header, '(', ')', true)) return fail("`((` is not closed");
    const std::string& text = header.parts.front().text;
    if (std::count(text.begin(), text.end(), ';') != 2)
      return fail("`for ((…))` without its three expressions");
    into.words.push_back(std::move(header));
    skip_blanks();
    if (look() == ';') skip(1);
    skip_lines();
    return for_body(into);
  }
  into.kind = Command::Kind::for_each;
  into.name = name();
  if (into.name.empty()) return fail("a loop without a variable's name");
  skip_lines();
  if (take("in")) {
    for (skip_blanks(); !at_end() && look() != ';' && look() != '\n'; skip_blanks()) {
      into.words.push_back(word());
      if (into.words.back().parts.empty()) return fail("a character that begins no word");
    }
  } else {
    into.words.emplace_back();  // `"$@"`: not known
    Part part;
    part.kind = Part::Kind::parameter;
    part.text = "@";
    add(into.words.back(), std::move(part), at_);
  }
  if (look() == ';') skip(1);
  skip_lines();
  for_body(into);
}

void Parser::for_body(Command& into) {
  if (take("{")) {
    into.body = list();
    expect("}");
  } else {
    expect("do");
    into.body = list();
    expect("done");
  }
  if (into.body.steps.empty() && !failed()) fail("an empty loop");
}

void Parser::case_clause(Command& into) {
  into.kind = Command::Kind::case_clause;
  skip_blanks();
  into.words.push_back(word());
  if (into.words.back().parts.empty()) return fail("`case` without a word");
  skip_lines();
  expect("in");
  for (skip_lines(); !failed() && !take("esac"); skip_lines()) {
    CaseArm arm;
    if (look() == '(') {
      skip(1);
      skip_blanks();
    }
    for (;;) {
      arm.patterns.push_back(word());
      if (failed()) return;
      if (arm.patterns.back().parts.empty()) return fail("a `case` pattern is missing");
      skip_blanks();
      if (look() != '|') break;
      skip(1);
      skip_blanks();
    }
    if (look() != ')') return fail("a `case` pattern is not closed");
    skip(1);
    arm.body = list();
    into.arms.push_back(std::move(arm));
    if (next_is(";;&")) {
      skip(3);
    } else if (next_is(";;") || next_is(";&")) {
      skip(2);
    } else {
      expect("esac");
      return;
    }
  }
}

// Its operators are left out: what counts is what is expanded.
void Parser::condition(Command& into) {
  into.kind = Command::Kind::condition;
  for (std::size_t open = 0;;) {
    skip_lines();
    if (at_end()) return fail("`[[` is not closed");
    if (open == 0 && take("]]")) break;
    const char c = look();
    if (c == ')' && open == 0) return fail("a parenthesis that was not opened");
    open += c == '(' ? 1 : 0;
    open -= c == ')' ? 1 : 0;
    const bool process = (c == '<' || c == '>') && look(1) == '(';
    if (std::string_view("()<>&|").find(c) != std::string_view::npos && !process) {
      skip(1);
      continue;
    }
    if (c == ';') return fail("`[[` is not closed");
    into.words.push_back(word());
    if (failed()) return;
  }
  if (into.words.empty()) fail("an empty condition");
}

void Parser::function_body(Command& into) {
  into.kind = Command::Kind::function;
  skip_lines();
  const Nested nested(*this);
  Command body = command();
  if (failed()) return;
  if (body.kind == Command::Kind::simple || body.kind == Command::Kind::function ||
      body.kind == Command::Kind::coprocess)
    return fail("a function without a body");
  into.body.steps.push_back({Step::Joint::next, false, {}});
  into.body.steps.back().pipeline.commands.push_back(std::move(body));
}

void Parser::coprocess(Command& into) {
  into.kind = Command::Kind::coprocess;
  skip_blanks();
  const std::size_t before = at_;
  if (reserved().empty() && look() != '(') {
    const std::string given = word().literal().value_or("");
    skip_blanks();
    const std::string next = reserved();
    const bool named =
        is_name(given) && (look() == '(' || (!next.empty() && next != "in" && next != "]]" && next != "}"));
    if (named)
      into.name = given;
    else if (!failed())
      at_ = before;
  }
  Command body = command();
  if (failed()) return;
  if (body.kind == Command::Kind::function || body.kind == Command::Kind::coprocess)
    return fail("a coprocess that is none");
  into.body.steps.push_back({Step::Joint::next, false, {}});
  into.body.steps.back().pipeline.commands.push_back(std::move(body));
}

// `((…))` or a subshell.
void Parser::parenthesis(Command& into) {
  if (next_is("((")) {
    const std::size_t before = at_;
    skip(2);
    Word expression;
    if (arithmetic(expression, '(', ')', true)) {
      into.kind = Command::Kind::arithmetic;
      into.words.push_back(std::move(expression));
      return redirects(into);
    }
    if (failed()) return;
    at_ = before;
  }
  into.kind = Command::Kind::subshell;
  skip(1);
  into.body = list();
  if (failed()) return;
  if (look() != ')' || at_end()) return fail("a parenthesis is not closed");
  if (into.body.steps.empty()) return fail("an empty subshell");
  skip(1);
  redirects(into);
}

}  // namespace policy::shell
