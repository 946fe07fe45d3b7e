#include "policy/shell/dialect.hpp"

#include <algorithm>
#include <array>

namespace policy::shell {

namespace {

// Looks for what bash alone knows, and what another shell would run or open in its place.
class BashOnly {
 public:
  explicit BashOnly(std::string_view line) : line_(line) {}

  bool in(const List& list) const {
    return std::any_of(list.steps.begin(), list.steps.end(), [&](const Step& step) {
      return std::any_of(step.pipeline.commands.begin(), step.pipeline.commands.end(),
                         [&](const Command& command) { return in(command); });
    });
  }

 private:
  // To dash `((rm x))` is a subshell in a subshell, and `[[ a && rm x` two commands.
  bool in(const Command& command) const {
    if (command.kind == Command::Kind::function &&
        line_.substr(std::min(command.span.begin, line_.size())).starts_with("function"))
      return true;
    if (command.kind == Command::Kind::arithmetic || command.kind == Command::Kind::condition) return true;
    const auto any = [&](const auto& all) {
      return std::any_of(all.begin(), all.end(), [&](const auto& each) { return in(each); });
    };
    return any(command.words) || any(command.assignments) || in(command.body) || any(command.parts) ||
           any(command.arms) || any(command.redirects);
  }

  bool in(const Word& word) const {
    return std::any_of(word.parts.begin(), word.parts.end(), [&](const Part& part) { return in(part); });
  }

  bool in(const Part& part) const {
    if (part.kind == Part::Kind::brace) return true;
    const std::string_view written = line_.substr(std::min(part.span.begin, line_.size()), 2);
    if (written == "$'" || written == "$\"") return true;
    const std::size_t begin = std::min(part.span.begin, line_.size());
    if (part.quoted && begin >= 2 && line_.substr(begin - 2, 2) == "$\"") return true;
    if (part.list != nullptr && in(*part.list)) return true;
    return std::any_of(part.words.begin(), part.words.end(), [&](const Word& word) { return in(word); });
  }

  bool in(const Assignment& assignment) const {
    return assignment.append || assignment.array || assignment.subscript || in(assignment.value) ||
           (assignment.subscript && in(*assignment.subscript)) ||
           std::any_of(assignment.elements.begin(), assignment.elements.end(),
                       [&](const Word& word) { return in(word); });
  }

  bool in(const CaseArm& arm) const {
    return in(arm.body) ||
           std::any_of(arm.patterns.begin(), arm.patterns.end(), [&](const Word& word) { return in(word); });
  }

  bool in(const Redirect& redirect) const {
    // dash reads `a &> b` as `a &` and what stands behind it.
    const bool own = redirect.kind == Redirect::Kind::both || redirect.kind == Redirect::Kind::append_both ||
                     redirect.kind == Redirect::Kind::string ||
                     redirect.descriptor.find_first_not_of("0123456789") != std::string::npos;
    return own || in(redirect.word) || (redirect.document != nullptr && in(*redirect.document));
  }

  std::string_view line_;
};

// Plain words, quotes, and commands joined by `;`, `&&`, `||` and `|`: what zsh and bash read alike.
bool alike_in_zsh(std::string_view line) {
  constexpr std::string_view never("\0\r\v\f\\$`*?[]{}~()<>!#^=", 22);
  constexpr std::array<std::string_view, 6> own_words{"repeat", "foreach", "noglob", "nocorrect", "-", "end"};
  char quote = 0;
  std::string word;
  for (const char c : line) {
    if (quote != 0) {
      if (c == quote) quote = 0;
      if (quote == '"' && std::string_view("$`\\!").find(c) != std::string_view::npos) return false;
      if (c == '\0') return false;
      continue;
    }
    if (never.find(c) != std::string_view::npos) {
      if (c != '=' || word.empty()) return false;  // `=ls` is a path, `--x=y` a word
    }
    if (c == '\'' || c == '"') quote = c;
    const bool ends = std::string_view(" \t\n;|&").find(c) != std::string_view::npos;
    if (!ends) {
      word += c;
      continue;
    }
    if (std::find(own_words.begin(), own_words.end(), word) != own_words.end()) return false;
    word.clear();
  }
  return quote == 0 && std::find(own_words.begin(), own_words.end(), word) == own_words.end();
}

}  // namespace

std::string trouble_with_dialect(std::string_view line, const List& tree, Dialect dialect) {
  switch (dialect) {
    case Dialect::bash: return {};
    case Dialect::posix:
      return BashOnly(line).in(tree) ? "bash and other shells read it in different ways" : std::string();
    case Dialect::zsh: return alike_in_zsh(line) ? std::string() : "zsh may read it in a way of its own";
  }
  return "a shell that is not known";
}

}  // namespace policy::shell
