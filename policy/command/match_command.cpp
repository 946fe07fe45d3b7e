#include "policy/command/match_command.hpp"

#include <algorithm>
#include <span>

#include "policy/command/runs.hpp"

namespace policy::command {

namespace {

bool is_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

// What stands behind a program's name, and which of it is not known.
struct Rest {
  std::span<const std::string> words;
  std::span<const std::size_t> unknown;  // places in the command
  std::size_t offset;                    // of the first word in the command

  bool known(std::size_t at) const {
    return !std::binary_search(unknown.begin(), unknown.end(), at + offset);
  }
};

bool program_matches(const CommandPattern& pattern, std::string_view program) {
  const auto& alternatives = pattern.words().front();
  return std::any_of(alternatives.begin(), alternatives.end(),
                     [&](const Glob& glob) { return glob.matches(program); });
}

// The pattern's words behind the first against those from `start` on.
Meets follows(const CommandPattern& pattern, const Rest& rest, std::size_t start) {
  bool maybe = false;
  const std::size_t wanted = pattern.words().size() - 1;
  for (std::size_t i = 0; i < wanted; ++i) {
    if (start + i >= rest.words.size()) return Meets::no;
    // It may stand for several words: what follows it has no place any more.
    if (!rest.known(start + i)) return Meets::maybe;
    const auto& alternatives = pattern.words()[i + 1];
    const std::string& word = rest.words[start + i];
    if (std::none_of(alternatives.begin(), alternatives.end(),
                     [&](const Glob& glob) { return glob.matches(word); }))
      return Meets::no;
  }
  if (pattern.complete() && start + wanted != rest.words.size()) {
    if (start + wanted > rest.words.size() || rest.known(start + wanted)) return Meets::no;
    maybe = true;
  }
  return maybe ? Meets::maybe : Meets::yes;
}

Meets meets(const CommandPattern& pattern, std::string_view program, const Rest& rest, Steps& steps) {
  constexpr std::size_t form_steps = 4;
  steps.spend(form_steps * pattern.words().front().size());
  if (!program_matches(pattern, program)) return Meets::no;
  Meets best = Meets::no;
  for (std::size_t start = 0;; ++start) {
    steps.spend(form_steps * pattern.words().size());
    best = std::max(best, follows(pattern, rest, start));
    if (best == Meets::yes || start >= rest.words.size()) return best;
    if (start == options_skipped_max) return Meets::yes;
    const bool skipped = !rest.known(start) || is_option(rest.words[start]) ||
                         (start > 0 && (is_option(rest.words[start - 1]) || !rest.known(start - 1)));
    if (!skipped) return best;
  }
}

// With the program at this place, by its base name, too.
Meets meets_from(const CommandPattern& pattern, std::span<const std::string> words,
                 std::span<const std::size_t> unknown, std::size_t at, Steps& steps) {
  const std::string_view program = words[at];
  const Rest rest{words.subspan(at + 1), unknown, at + 1};
  const Meets best = meets(pattern, program, rest, steps);
  const std::string_view base = base_name(program);
  if (base.size() == program.size() || base.empty()) return best;
  return std::max(best, meets(pattern, base, rest, steps));
}

// `--on-error shutdown`: a program would have words of its own, or none before it.
bool is_value(std::span<const std::string> words, std::size_t at) {
  const bool behind = at > 1 && words[at - 1].starts_with("--") && words[at - 1].size() > 2;
  return behind && (at + 1 == words.size() || is_option(words[at + 1]));
}

bool climbs(std::string_view word) {
  for (std::size_t at = word.find(".."); at != std::string_view::npos; at = word.find("..", at + 1)) {
    const bool begins = at == 0 || word[at - 1] == '/' || word[at - 1] == '=';
    if (begins && (at + 2 == word.size() || word[at + 2] == '/')) return true;
  }
  return false;
}

// A wildcard does not lead out of the directory that stands before it.
bool escapes(const CommandPattern& pattern, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < pattern.words().size() && i < words.size(); ++i) {
    if (!climbs(words[i])) continue;
    const auto& alternatives = pattern.words()[i];
    const bool literal = std::any_of(alternatives.begin(), alternatives.end(), [&](const Glob& glob) {
      return glob == Glob("*") || (glob.literal() && glob.matches(words[i]));
    });
    if (!literal) return true;
  }
  return false;
}

}  // namespace

bool permits(const CommandPattern& pattern, const Command& command) {
  if (command.words.empty()) return false;
  const std::size_t known = command.unknown.empty() ? command.words.size() : command.unknown.front();
  const bool spells = std::all_of(command.spelled.begin(), command.spelled.end(), [&](std::size_t at) {
    return at < pattern.words().size() &&
           std::any_of(pattern.words()[at].begin(), pattern.words()[at].end(),
                       [&](const Glob& glob) { return glob.literal() && glob.matches(command.words[at]); });
  });
  const auto covers = [&](const std::vector<std::string>& words) {
    const std::span rest = std::span(words).subspan(1);
    const bool matched = pattern.matches(words.front(), rest) ||
                         (trusted_program(words.front()) && pattern.matches(base_name(words.front()), rest));
    return matched && !escapes(pattern, words);
  };
  const bool all_known = pattern.words().size() <= known && (!pattern.complete() || command.unknown.empty());
  if (all_known && spells && covers(command.words)) return true;
  return std::any_of(command.wrapped_in.begin(), command.wrapped_in.end(), [&](const Wrapping& wrapping) {
    return (!wrapping.whole || pattern.words().size() >= wrapping.words.size()) && covers(wrapping.words);
  });
}

Meets restricts(const CommandPattern& pattern, const Command& command, Steps& steps) {
  const std::size_t programs =
      command.line.empty() ? std::min<std::size_t>(1, command.words.size()) : command.words.size();
  Meets best = Meets::no;
  for (std::size_t i = 0; i < programs && best != Meets::yes; ++i)
    best = std::max(best, meets_from(pattern, command.words, command.unknown, i, steps));
  if (!command.may_wrap || best != Meets::no) return best;
  for (std::size_t i = programs; i < command.words.size() && best == Meets::no; ++i)
    if (!is_value(command.words, i)) best = meets_from(pattern, command.words, command.unknown, i, steps);
  for (const std::vector<std::string>& words : command.maybe_lines)
    if (best == Meets::no) best = meets_from(pattern, words, {}, 0, steps);
  return std::min(best, Meets::maybe);
}

}  // namespace policy::command
