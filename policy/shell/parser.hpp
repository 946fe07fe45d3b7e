#pragma once
// The recursive descent behind parse(). After a failure it stands at the end of its text, so that every loop
// ends.

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/shell/characters.hpp"
#include "policy/shell/parse.hpp"

namespace policy::shell {

// Unquoted, outside brackets of any kind.
inline bool ends_words(char c) { return std::string_view(" \t\n;&|()<>").find(c) != std::string_view::npos; }

// What a line may take, over all parsers of its parts.
struct Budget {
  std::size_t commands = 0;
  std::size_t parts = 0;
  std::size_t depth = 0;
};

class Parser {
 public:
  // `offset`: where the text stands in the line; with `fixed` all of it does (text whose backslashes were
  // taken off).
  Parser(std::string_view text, Budget& budget, std::size_t offset = 0, bool fixed = false)
      : text_(text),
        budget_(budget),
        offset_(offset),
        fixed_(fixed),
        continued_(text.find("\\\n") != std::string_view::npos) {}

  // All of the text as a list / as the body of a here-document that is expanded.
  base::Result<List> whole();
  base::Result<Word> document();

 private:
  class Nested;  // one level deeper, while it lives
  struct Place {
    std::size_t at;
    std::size_t documents;
  };
  struct Pending {  // a here-document whose body is still to come
    std::string delimiter;
    bool quoted;
    bool tabs;
    std::shared_ptr<Word> body;
  };
  enum class Until { blank, choice, subscript };  // what ends a word beside an operator

  // Characters, line continuations taken out.
  bool at_end() const { return index(0) >= text_.size(); }
  char look(std::size_t ahead = 0) const {
    const std::size_t i = index(ahead);
    return i < text_.size() ? text_[i] : '\0';
  }
  bool next_is(std::string_view text) const;
  void skip(std::size_t count);
  std::size_t index(std::size_t ahead) const {
    if (continued_) return index_past_continuations(ahead);
    return at_ >= text_.size() ? at_ : std::min(at_ + ahead, text_.size());
  }
  std::size_t index_past_continuations(std::size_t ahead) const;
  std::string spelled(std::size_t begin, std::size_t end) const;
  std::string take_plain();
  std::size_t where(std::size_t at) const { return offset_ + (fixed_ ? 0 : at); }
  Span span_from(std::size_t begin) const { return {where(begin), where(std::min(at_, text_.size()))}; }

  void fail(std::string why, base::Code code = base::Code::invalid);
  bool failed() const { return error_.has_value(); }
  bool spend_part();

  // Words (parser.cpp, parse_word.cpp, parse_quotes.cpp, parse_expansion.cpp).
  Word word(Until until = Until::blank, bool assigned = false);
  bool word_part(Word& into, Until until, bool assigned);
  void add(Word& into, Part part, std::size_t begin);
  void add_literal(Word& into, std::string text, bool quoted, std::size_t begin);
  void single_quoted(Word& into);
  void ansi_quoted(Word& into);
  void double_quoted(Word& into);
  void expanded(Word& into, std::string_view escaped);
  void dollar(Word& into, bool quoted);
  void parameter(Word& into, bool quoted);
  void operand(Word& into, bool quoted, bool quotes_count);
  void quote_in_quotes(Word& into);
  void backquoted(Word& into, bool quoted);
  void command_substitution(Word& into, bool quoted, Part::Kind kind);
  bool arithmetic(Word& into, char open, char close, bool doubled);
  bool arithmetic_substitution(Word& into, bool quoted);
  bool braces(Word& into);
  void tilde(Word& into);
  static bool tilde_stands(const Word& before, bool assigned);
  std::string name();

  // Commands (parse_command.cpp, parse_redirect.cpp).
  List list();
  bool list_ends();
  Pipeline pipeline();
  Command command();
  void simple(Command& into);
  bool assignment(std::vector<Assignment>& into);
  bool may_assign() const;
  Element element();
  bool redirect(std::vector<Redirect>& into);
  void redirects(Command& into);
  bool opens_element(std::size_t begin) const;
  void skip_blanks();
  void skip_lines();  // blanks, comments and line ends
  void line_end();
  void read_documents();
  std::string reserved();  // the reserved word that stands next; empty: none
  bool take(std::string_view reserved_word);
  void expect(std::string_view reserved_word);

  // Compound commands (parse_compound.cpp).
  void compound(Command& into, const std::string& word);
  void if_clause(Command& into);
  void loop(Command& into);
  void for_clause(Command& into);
  void for_body(Command& into);
  void case_clause(Command& into);
  void condition(Command& into);
  void function_body(Command& into);
  void coprocess(Command& into);
  void parenthesis(Command& into);

  std::string_view text_;
  Budget& budget_;
  std::size_t offset_;
  bool fixed_;
  bool continued_;  // there are line continuations
  std::size_t at_ = 0;
  std::vector<Pending> documents_;
  std::vector<bool> no_braces_;  // by index: what stands there is known not to be a list of choices
  std::optional<base::Error> error_;
};

class Parser::Nested {
 public:
  explicit Nested(Parser& parser) : parser_(parser) {
    if (++parser_.budget_.depth > depth_max) parser_.fail("it is nested too deeply", base::Code::limit);
  }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;
  ~Nested() { --parser_.budget_.depth; }

 private:
  Parser& parser_;
};

}  // namespace policy::shell
