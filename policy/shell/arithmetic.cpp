#include "policy/shell/arithmetic.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "policy/shell/characters.hpp"

namespace policy::shell {

namespace {

constexpr std::size_t nested_max = 32;

// Operands and what stands between them: which operator binds how does not matter here.
class Evaluation {
 public:
  explicit Evaluation(std::string_view text) : text_(text) {}

  bool whole() {
    blanks();
    return at_ == text_.size() || (expression(0) && at_ == text_.size());
  }

 private:
  char look() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void blanks() { at_ = std::min(text_.find_first_not_of(" \t\n", at_), text_.size()); }

  bool take(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) return false;
    at_ += expected.size();
    blanks();
    return true;
  }

  bool expression(std::size_t depth) {
    for (;;) {
      bool name = false;
      if (depth > nested_max || !operand(depth, name)) return false;
      if (name && (take("++") || take("--"))) name = false;
      if (at_ == text_.size() || look() == ')') return true;
      if (!joined(name)) return false;
    }
  }

  // The operator between two operands; one that divides with the operand behind it, and what follows that.
  bool joined(bool name) {
    if (take("/") || take("%")) {
      at_divisor_ = true;
      return look() >= '1' && look() <= '9';
    }
    static constexpr std::array<std::string_view, 15> joining{"==", "!=", "<=", ">=", "<<", ">>", "&&", "||",
                                                              "+",  "-",  "*",  "<",  ">",  "&",  "|"};
    if (name && !text_.substr(at_).starts_with("==")) {
      for (const std::string_view assigning : {"=", "+=", "-=", "*="})
        if (take(assigning)) return true;
    }
    return std::any_of(joining.begin(), joining.end(), [&](std::string_view each) { return take(each); });
  }

  bool operand(std::size_t depth, bool& name) {
    const bool divisor = std::exchange(at_divisor_, false);
    while (!divisor && look() != '\0' && std::string_view("+-!~").find(look()) != std::string_view::npos)
      take(text_.substr(at_, 1));
    if (take("(")) return expression(depth + 1) && take(")");
    const std::size_t begin = at_;
    while (begins_name(look()) || digit(look())) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    blanks();
    if (word.empty()) return false;
    name = begins_name(word.front());
    // `08` and `9a` are errors; what is written in other bases is not looked into.
    const bool octal = word.size() > 1 && word.front() == '0';
    return name || (!octal && std::all_of(word.begin(), word.end(), digit));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  bool at_divisor_ = false;
};

}  // namespace

bool surely_evaluates(std::string_view text) { return Evaluation(text).whole(); }

}  // namespace policy::shell
