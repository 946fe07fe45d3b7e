#include "policy/shell/dialect.hpp"

#include <algorithm>
#include <array>

namespace policy::shell {

namespace {

// Looks for what bash alone knows, and what another shell would run or open in its place.
class BashOnly {
 public:
  bool in(const List& list) const {
    return std::any_of(list.steps.begin(), list.steps.end(),
                       [&](const Step& step) { return in(step.pipeline); });
  }

 private:
  template <class Each>
  bool any(const std::vector<Each>& all) const {
    return std::any_of(all.begin(), all.end(), [&](const Each& each) { return in(each); });
  }

  // To dash `time` is a program, which has words and nothing else.
  bool in(const Pipeline& pipeline) const {
    const Command& first = pipeline.commands.front();
    const bool words = first.kind == Command::Kind::simple && first.assignments.empty() &&
                       !first.words.empty() && !pipeline.negated;
    return (pipeline.timed && !words) || any(pipeline.commands);
  }

  // To dash `((rm x))` is a subshell in a subshell, and `[[ a && rm x` two commands.
  bool in(const Command& command) const {
    const bool own = command.keyword || command.kind == Command::Kind::arithmetic ||
                     command.kind == Command::Kind::condition || command.kind == Command::Kind::coprocess;
    return own || any(command.words) || any(command.assignments) || in(command.body) || any(command.parts) ||
           any(command.arms) || any(command.redirects);
  }

  bool in(const Word& word) const { return any(word.parts); }

  bool in(const Part& part) const {
    const bool directory = part.kind == Part::Kind::tilde && (part.text == "+" || part.text == "-");
    return part.bash_only || directory || part.kind == Part::Kind::brace ||
           (part.list != nullptr && in(*part.list)) || any(part.words);
  }

  bool in(const Assignment& assignment) const {
    return assignment.append || assignment.array || assignment.subscript || in(assignment.value);
  }

  bool in(const CaseArm& arm) const { return in(arm.body) || any(arm.patterns); }

  bool in(const Redirect& redirect) const {
    // dash reads `a &> b` as `a &` and what stands behind it, and the number of `a 12> b` as a word.
    const bool own = redirect.kind == Redirect::Kind::both || redirect.kind == Redirect::Kind::append_both ||
                     redirect.kind == Redirect::Kind::string || redirect.descriptor.size() > 1 ||
                     redirect.descriptor.find_first_not_of("0123456789") != std::string::npos;
    return own || in(redirect.word) || (redirect.document != nullptr && in(*redirect.document));
  }
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
      return BashOnly().in(tree) ? "bash and other shells read it in different ways" : std::string();
    case Dialect::zsh: return alike_in_zsh(line) ? std::string() : "zsh may read it in a way of its own";
  }
  return "a shell that is not known";
}

}  // namespace policy::shell
