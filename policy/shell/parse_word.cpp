// Where a word ends, its tildes, and choices in braces.

#include <algorithm>
#include <utility>

#include "policy/shell/parser.hpp"

namespace policy::shell {

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
  add_literal(into, take_plain(), false, begin);
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
