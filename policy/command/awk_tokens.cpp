#include "policy/command/awk_tokens.hpp"

#include <algorithm>
#include <iterator>

namespace policy::command {
namespace {

using Kind = AwkToken::Kind;

constexpr std::string_view keywords[] = {
    "BEGIN", "END",  "BEGINFILE", "ENDFILE", "function", "func", "if",     "else",  "while",  "for",    "do",
    "break", "next", "nextfile",  "exit",    "return",   "in",   "delete", "print", "printf", "getline"};
// Longest first.
constexpr std::string_view signs[] = {"**=", "::", "**", "^=", "+=", "++", "-=", "--", "*=", "/=", "%=",
                                      "==",  "!=", "!~", "<=", ">=", ">>", "&&", "||", "|&", "+",  "-",
                                      "*",   "/",  "%",  "^",  "=",  "!",  "~",  "<",  ">",  "|",  "?",
                                      ":",   ",",  ";",  "$",  "(",  ")",  "{",  "}",  "[",  "]",  "@"};

bool digit(char c) { return c >= '0' && c <= '9'; }
bool among(const auto& words, std::string_view text) {
  return std::find(std::begin(words), std::end(words), text) != std::end(words);
}
bool letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Reader {
 public:
  explicit Reader(std::string_view program) : text_(program) {}

  std::optional<std::vector<AwkToken>> whole() {
    add(Kind::newline);
    while (!failed_ && !at_end()) next();
    if (failed_) return std::nullopt;
    found_.push_back({});
    return std::move(found_);
  }

 private:
  // What may stand before a `/`.
  enum class Before { operand, operation, either };

  bool at_end() const { return at_ >= text_.size(); }
  char look(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void fail() { failed_ = true; }
  void add(Kind kind, std::string text = {}) { found_.push_back({kind, std::move(text)}); }

  void next() {
    const char c = look();
    if (c == ' ' || c == '\t') {
      ++at_;
    } else if (c == '\\') {
      if (look(1) != '\n') return fail();
      at_ += 2;
    } else if (c == '#') {
      while (!at_end() && look() != '\n') ++at_;
      // Some take the next line for a part of it.
      if (text_[at_ - 1] == '\\') fail();
    } else if (c == '\n') {
      ++at_;
      add(Kind::newline);
      before_ = Before::operation;
    } else if (c == '"') {
      string();
    } else if (digit(c) || (c == '.' && digit(look(1)))) {
      number();
    } else if (letter(c)) {
      name();
    } else if (c == '/' && before_ != Before::operand) {
      regex();
    } else {
      sign();
    }
  }

  void number() {
    const std::size_t begin = at_;
    while (digit(look()) || look() == '.') ++at_;
    if (look() == 'e' || look() == 'E') {
      const std::size_t signs_length = look(1) == '+' || look(1) == '-' ? 1 : 0;
      if (digit(look(1 + signs_length))) at_ += 1 + signs_length;
      while (digit(look())) ++at_;
    }
    add(Kind::number, std::string(text_.substr(begin, at_ - begin)));
    before_ = Before::operand;
  }

  void name() {
    const std::size_t begin = at_;
    while (letter(look()) || digit(look())) ++at_;
    std::string text(text_.substr(begin, at_ - begin));
    const bool keyword = among(keywords, text);
    before_ = keyword ? Before::operation : Before::operand;
    // Alone, both are values; but what a `/` behind them means depends on the awk.
    if (text == "getline" || text == "length") before_ = Before::either;
    // gawk's own, names elsewhere.
    if (text == "case" || text == "switch" || text == "default") before_ = Before::either;
    add(keyword ? Kind::keyword : Kind::name, std::move(text));
  }

  void sign() {
    const std::string_view rest = text_.substr(at_);
    const auto* const known = std::find_if(std::begin(signs), std::end(signs),
                                           [&](std::string_view each) { return rest.starts_with(each); });
    if (known == std::end(signs)) return fail();
    at_ += known->size();
    const bool behind_operand = before_ == Before::operand;
    before_ = Before::operation;
    if (*known == "(") {
      static constexpr std::string_view heads[] = {"if", "while", "for", "switch"};
      heads_.push_back(found_.back().kind != Kind::string && among(heads, found_.back().text));
    } else if (*known == ")") {
      if (heads_.empty()) return fail();
      before_ = heads_.back() ? Before::operation : Before::operand;
      heads_.pop_back();
    } else if (*known == "]" || ((*known == "++" || *known == "--") && behind_operand)) {
      before_ = Before::operand;
    }
    add(Kind::sign, std::string(*known));
  }

  // At its opening quote.
  void string() {
    AwkToken token{Kind::string, {}, true};
    for (++at_; look() != '"'; ++at_) {
      if (at_end() || look() == '\n') return fail();
      if (look() == '\\') {
        ++at_;
        if (at_end()) return fail();
        escaped(token);
      } else {
        token.text += look();
      }
    }
    ++at_;
    found_.push_back(std::move(token));
    before_ = Before::operand;
  }

  // Behind a backslash; stays on the last byte of what it stands for.
  void escaped(AwkToken& into) {
    static constexpr std::string_view letters = "\"\\/abfnrtv";
    static constexpr std::string_view meant = "\"\\/\a\b\f\n\r\t\v";
    if (const std::size_t known = letters.find(look()); known != std::string_view::npos) {
      into.text += meant[known];
      return;
    }
    int value = 0;
    std::size_t length = 0;
    for (; length < 3 && look(length) >= '0' && look(length) <= '7'; ++length)
      value = value * 8 + (look(length) - '0');
    // `\x`, `\u`, a newline and other letters: not all agree.
    if (length == 0 || value == 0 || value > 0xff) {
      into.literal = false;
      return;
    }
    into.text += static_cast<char>(value);
    at_ += length - 1;
  }

  // At its opening `/`. gawk and mawk let a `/` stand in brackets; the others take it for the end, and then
  // find a bracket that is not closed, as long as nothing in it is read in two ways.
  void regex() {
    if (before_ == Before::either) return fail();
    for (++at_; look() != '/'; ++at_) {
      if (at_end() || look() == '\n') return fail();
      if (look() == '\\') {
        ++at_;
        if (at_end() || look() == '\n') return fail();
      } else if (look() == '[' && !bracket()) {
        return fail();
      }
    }
    ++at_;
    add(Kind::regex);
    before_ = Before::operand;
  }

  // At a `[`: stays on its `]`.
  bool bracket() {
    bool slash = false;
    bool doubtful = false;
    bool closed_for_some = false;
    ++at_;
    if (look() == '^') ++at_;
    if (look() == ']') ++at_;
    for (; look() != ']'; ++at_) {
      if (at_end() || look() == '\n') return false;
      if (look() == '/') slash = true;
      if (look() == '\\') {
        // To POSIX a backslash is a character like others here, to awks it takes the next one with it.
        ++at_;
        if (at_end() || look() == '\n') return false;
        doubtful = doubtful || look() != '/';
        closed_for_some = closed_for_some || look() == ']';
      } else if (look() == '[') {
        if (closed_for_some) return false;
        const std::size_t end = look(1) == ':' ? text_.find(":]", at_) : std::string_view::npos;
        const bool named = end != std::string_view::npos && end >= at_ + 2 &&
                           std::all_of(text_.begin() + at_ + 2, text_.begin() + end, letter);
        if (named) {
          at_ = end + 1;
        } else if (look(1) == ':' || look(1) == '.' || look(1) == '=') {
          return false;
        } else {
          doubtful = true;
        }
      }
    }
    return !(slash && doubtful);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  Before before_ = Before::operation;
  std::vector<bool> heads_;  // of each open parenthesis: it is that of an `if`, `while`, …
  bool failed_ = false;
  std::vector<AwkToken> found_;
};

}  // namespace

std::optional<std::vector<AwkToken>> awk_tokens(std::string_view program) { return Reader(program).whole(); }

}  // namespace policy::command
