#include "policy/command/awk_program.hpp"

#include <algorithm>

#include "policy/command/awk_tokens.hpp"

namespace policy::command {
namespace {

using Kind = AwkToken::Kind;

constexpr std::string_view unknown = "an awk program that is not understood";

constexpr std::size_t lvalue_tokens_max = 64;

class Reader {
 public:
  explicit Reader(const std::vector<AwkToken>& tokens) : tokens_(tokens) {}

  ScriptEffects whole() {
    for (; tokens_[at_].kind != Kind::end && !failed_; ++at_) token(tokens_[at_]);
    if (failed_ || !open_.empty()) effects_.hide(unknown);
    if (environment_ && !effects_.lines.empty())
      effects_.hide("an awk program that runs commands and uses its environment");
    return std::move(effects_);
  }

 private:
  void fail() { failed_ = true; }
  const AwkToken& next(std::size_t ahead = 1) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  static bool among(const AwkToken& token, std::initializer_list<std::string_view> signs) {
    return token.kind == Kind::sign && std::find(signs.begin(), signs.end(), token.text) != signs.end();
  }
  const AwkToken& before() const { return tokens_[at_ - 1]; }
  static bool ends_statement(const AwkToken& token) {
    return token.kind == Kind::end || token.kind == Kind::newline || among(token, {";", "}"});
  }
  // Nothing behind it can belong to the operand before it.
  static bool ends_operand(const AwkToken& token) {
    return ends_statement(token) ||
           among(token, {")", "]", "{", "&&", "||", ",", "?", ":", "==", "!=", "<=", ">=", ">"});
  }

  void token(const AwkToken& token) {
    switch (token.kind) {
      case Kind::end:
      case Kind::string:
      case Kind::number:
      case Kind::regex: return;
      case Kind::newline: return newline();
      case Kind::sign: return sign(token);
      case Kind::keyword: return keyword(token);
      case Kind::name: return name(token);
    }
  }

  void newline() {
    const bool goes_on =
        among(before(), {",", "&&", "||", "{", "?", ":"}) || before().word("do") || before().word("else");
    if (!goes_on && !open_.empty() && open_.back() != '{' && !before().is(";")) return fail();
    if (goes_on || !printing_) return;
    // A line does not end in an operator; what an awk would make of one is not known.
    if (before().kind == Kind::sign && !among(before(), {")", "]", "++", "--"})) return fail();
    printing_ = false;
  }

  void sign(const AwkToken& token) {
    const char c = token.text.front();
    const bool lone = token.text.size() == 1;
    if (lone && (c == '(' || c == '[' || c == '{')) {
      if (c == '{' && (printing_ || (!open_.empty() && open_.back() != '{'))) return fail();
      open_.push_back(c);
    } else if (lone && (c == ')' || c == ']' || c == '}')) {
      const char opening = c == ')' ? '(' : c == ']' ? '[' : '{';
      if (open_.empty() || open_.back() != opening) return fail();
      open_.pop_back();
      if (c == '}') printing_ = false;
    } else if (token.is(";")) {
      if (!open_.empty() && open_.back() == '[') return fail();
      if (open_.empty() || open_.back() == '{') printing_ = false;
    } else if (token.is("|") || token.is("|&")) {
      pipe();
    } else if (token.is(">") || token.is(">>")) {
      output(token.is(">>"));
    } else if (token.is("@") || token.is("::")) {
      effects_.hide("an awk program that loads others or calls what it computes");
    }
  }

  bool in_print() const { return printing_ && open_.size() == printing_depth_; }

  void output(bool append) {
    if (in_print()) return file(1, effects_.writes, ends_statement(next(2)));
    // Inside parentheses it compares; inside brackets, awks differ.
    if (append || (printing_ && open_.back() == '[')) fail();
  }

  void pipe() {
    if (next().word("getline")) return line(before(), starts_expression());
    if (!in_print()) return fail();
    line(next(), ends_statement(next(2)));
  }

  // Whether the string before this token is all that stands to its left.
  bool starts_expression() const {
    if (at_ < 2) return false;
    const AwkToken& left = tokens_[at_ - 2];
    return ends_statement(left) || among(left, {"(", "{", ",", "&&", "||", "="}) || left.word("do") ||
           left.word("else");
  }

  void line(const AwkToken& token, bool alone) {
    if (token.kind != Kind::string || !token.literal || !alone || token.text.starts_with("/inet"))
      return effects_.hide("an awk program that runs what it computes, or connects");
    if (!token.text.empty()) effects_.lines.push_back(token.text);
  }

  void file(std::size_t ahead, std::vector<std::string>& into, bool alone) {
    const AwkToken& token = next(ahead);
    if (token.kind != Kind::string || !token.literal || !alone || token.text.empty() ||
        token.text.starts_with("/inet"))
      return effects_.hide("an awk program that computes the name of a file, or connects");
    static constexpr std::string_view descriptors[] = {"/dev/stdin", "/dev/stdout", "/dev/stderr"};
    const bool none =
        std::find(std::begin(descriptors), std::end(descriptors), token.text) != std::end(descriptors) ||
        (&into == &effects_.reads && token.text == "-");
    if (!none) into.push_back(token.text);
  }

  void keyword(const AwkToken& token) {
    if (token.text == "print" || token.text == "printf") {
      if (printing_ || open_.empty() || open_.back() != '{') return fail();
      printing_ = true;
      printing_depth_ = open_.size();
    } else if (token.text == "getline") {
      input();
    }
  }

  // `getline`, `getline LVALUE`, each with `< FILE` or without.
  void input() {
    std::size_t ahead = 1;
    if (next().is("$")) {
      ++ahead;
      if (next(ahead).is("(")) {
        ahead = behind(ahead, "(", ")");
      } else if (next(ahead).kind == Kind::number || next(ahead).kind == Kind::name) {
        ++ahead;
      } else {
        return fail();
      }
    } else if (next().kind == Kind::name) {
      ++ahead;
    }
    if (ahead > 1 && next(ahead).is("[")) ahead = behind(ahead, "[", "]");
    if (next(ahead).is("<")) return file(ahead + 1, effects_.reads, ends_operand(next(ahead + 2)));
    if (!ends_operand(next(ahead))) fail();
  }

  // The distance to behind the bracket that closes the one at `ahead`, or to the end, or to where nobody
  // would look for it.
  std::size_t behind(std::size_t ahead, std::string_view opening, std::string_view closing) const {
    std::size_t depth = 0;
    for (; next(ahead).kind != Kind::end && ahead < lvalue_tokens_max; ++ahead) {
      if (next(ahead).is(opening)) ++depth;
      if (next(ahead).is(closing) && --depth == 0) return ahead + 1;
    }
    return ahead;
  }

  void name(const AwkToken& token) {
    if (token.text == "system") {
      line(next(2), next().is("(") && next(3).is(")"));
    } else if (token.text == "ARGV" || token.text == "ARGC") {
      if (!compared(token.text == "ARGV")) effects_.hide("an awk program that may change what it reads");
    } else if (token.text == "ENVIRON") {
      environment_ = true;
    } else if (token.text == "SYMTAB" || token.text == "FUNCTAB" ||
               (token.text == "extension" && next().is("("))) {
      effects_.hide("an awk program that reaches for what it computes");
    }
  }

  // ARGV and ARGC are only looked at: `FILENAME == ARGV[1]`, `ARGC < 2`.
  bool compared(bool indexed) const {
    if (before().word("getline")) return false;
    std::size_t ahead = 1;
    if (indexed) {
      // Nothing but a number: another `[` would have to be followed.
      if (!next().is("[") || next(2).kind != Kind::number || !next(3).is("]")) return false;
      ahead = 4;
    }
    static constexpr auto compares = {"==", "!=", "<", "<=", ">="};
    const auto is_one = [](const AwkToken& token) {
      return token.kind == Kind::sign &&
             std::find(compares.begin(), compares.end(), token.text) != compares.end();
    };
    return is_one(next(ahead)) ? !among(before(), {"++", "--"})
                               : is_one(before()) && ends_operand(next(ahead));
  }

  const std::vector<AwkToken>& tokens_;
  std::size_t at_ = 1;
  std::string open_;  // the brackets that are open
  bool printing_ = false;
  std::size_t printing_depth_ = 0;
  bool environment_ = false;
  bool failed_ = false;
  ScriptEffects effects_;
};

}  // namespace

ScriptEffects read_awk_program(std::string_view program) {
  ScriptEffects effects;
  if (program.size() > script_bytes_max) {
    effects.hide("an awk program that is too long");
    return effects;
  }
  const auto tokens = reads_alike(program) ? awk_tokens(program) : std::nullopt;
  if (!tokens) {
    effects.hide(unknown);
    return effects;
  }
  return Reader(*tokens).whole();
}

}  // namespace policy::command
