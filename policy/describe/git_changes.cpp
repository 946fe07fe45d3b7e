#include "policy/describe/git_changes.hpp"

#include <algorithm>
#include <array>

#include "policy/path/components.hpp"
#include "policy/path/hidden.hpp"
#include "proxy/base/text.hpp"

namespace policy {

namespace {

// Of git: those that track nothing but what they say they read, and set nothing.
constexpr std::array<std::string_view, 17> keep{
    "add",      "blame", "branch", "commit",    "describe", "diff",  "fetch",  "grep", "log",
    "ls-files", "push",  "remote", "rev-parse", "show",     "stage", "status", "tag"};
constexpr std::array<std::string_view, 5> plain_options{"--no-pager", "-P", "--no-optional-locks",
                                                        "--no-lazy-fetch", "--no-advice"};

bool is_git(const Command& command) {
  return !command.words.empty() &&
         (command.words.front() == "git" || command.words.front().ends_with("/git"));
}

bool changes(const Command& command) {
  const auto& words = command.words;
  std::size_t at = 1;
  const auto skips = [&](const auto& list) {
    return at < words.size() && std::find(list.begin(), list.end(), words[at]) != list.end();
  };
  while (skips(plain_options) || (at < words.size() && words[at] == "-C")) at += words[at] == "-C" ? 2 : 1;
  // A new branch at the commit that is checked out.
  const bool branches = words.size() == at + 3 && ((words[at] == "checkout" && words[at + 1] == "-b") ||
                                                   (words[at] == "switch" && words[at + 1] == "-c"));
  return !branches && !skips(keep);
}

// Below a `.git`, a list of what is ignored, or what makes a repository of a folder.
bool of_git(std::string_view path) {
  bool found = false;
  each_component(path, [&](std::string_view name) {
    const std::string small = base::lower(name);
    found = found || small == ".git" || small == "head" || small == ".gitconfig" || is_ignore_list(small);
  });
  constexpr std::array<std::string_view, 3> ends{"/exclude", "/ignore", "/git/config"};
  return found ||
         std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return path.ends_with(end); });
}

}  // namespace

bool may_change_git(std::span<const Effect> effects) {
  // One program alone asks before it changes anything.
  const bool several = std::count_if(effects.begin(), effects.end(), [](const Effect& effect) {
                         return effect.kind == EffectKind::run && !effect.idle;
                       }) > 1;
  bool keeps = false;  // guesses are of a command that does
  return std::any_of(effects.begin(), effects.end(), [&](const Effect& effect) {
    if (effect.kind == EffectKind::run) {
      const bool git = is_git(effect.command);
      keeps = git && !effect.guessed && !changes(effect.command);
      return several && git && changes(effect.command);
    }
    if (effect.guessed && keeps) return false;
    const bool changed = effect.kind == EffectKind::write || effect.kind == EffectKind::remove;
    if (effect.guessed && !(several && changed)) return false;
    // What is read may be linked to, too.
    if (of_git(effect.path.real) || of_git(effect.path.lexical)) return several;
    return changed && effect.reach.wide();
  });
}

Replaced::Replaced(std::span<const Effect> effects) {
  bool keeps = false;
  for (const Effect& effect : effects) {
    if (effect.kind == EffectKind::run)
      keeps = is_git(effect.command) && !effect.guessed && !changes(effect.command);
    if (effect.kind != EffectKind::write && effect.kind != EffectKind::remove) continue;
    if (effect.guessed && keeps) continue;
    places_.insert(effect.path.lexical);
    places_.insert(effect.path.real);
  }
}

bool Replaced::meets(std::string_view path) const {
  for (; path.size() > 1; path = path.substr(0, path.rfind('/')))
    if (places_.contains(path)) return true;
  return false;
}

}  // namespace policy
