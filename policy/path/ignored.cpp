#include "policy/path/ignored.hpp"

#include <algorithm>
#include <array>

#include "policy/path/components.hpp"
#include "policy/path/path.hpp"

namespace policy {

namespace {

std::string joined(const std::string& directory, std::string_view name) {
  return (directory == "/" ? "" : directory) + '/' + std::string(name);
}

constexpr std::ptrdiff_t deep_parts_max = 2;  // each multiplies what a match may cost

std::ptrdiff_t deep_parts(std::string_view text) {
  std::ptrdiff_t count = text.find('/') == std::string_view::npos ? 1 : 0;
  each_component(text, [&](std::string_view part) { count += part == "**" ? 1 : 0; });
  return count;
}

bool matches(std::span<const Glob> parts, std::string_view tail) {
  if (parts.empty()) return tail.empty();
  if (parts.front().is_deep() && matches(parts.subspan(1), tail)) return true;
  if (tail.empty()) return false;
  const std::size_t slash = std::min(tail.find('/'), tail.size());
  const std::string_view rest = tail.substr(std::min(slash + 1, tail.size()));
  if (parts.front().is_deep()) return matches(parts, rest);
  return parts.front().matches(tail.substr(0, slash)) && matches(parts.subspan(1), rest);
}

}  // namespace

Ignored::Ignored(const std::string& directory, const Links& links) : links_(links) {
  std::vector<std::string> above;  // from the directory upwards
  std::string top = directory;
  // A `.git` that is a file (a submodule, a linked worktree) or a link ends the worktree as well.
  const auto ends = [&](const std::string& git) {
    return links_.is_directory(git) || links_.target(git) || links_.text(git, ignore_file_bytes_max);
  };
  while (!ends(joined(top, ".git")) && top.size() > 1) {
    top.resize(std::max<std::size_t>(top.rfind('/'), 1));
    above.push_back(top);
  }
  if (!ends(joined(top, ".git"))) return;
  read(joined(top, ".git/info/exclude"), top);
  for (auto each = above.rbegin(); each != above.rend(); ++each) enter(*each);
}

void Ignored::enter(const std::string& directory) { read(joined(directory, ".gitignore"), directory); }

void Ignored::read(const std::string& file, const std::string& base) {
  if (links_.target(file)) return;  // git follows none either
  const auto text = links_.text(file, ignore_file_bytes_max);
  if (!text) return;
  for (std::string_view rest = *text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    add(line, base);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
}

void Ignored::add(std::string_view text, const std::string& base) {
  if (text.ends_with('\r')) text.remove_suffix(1);
  while (text.ends_with(' ') && !text.ends_with("\\ ")) text.remove_suffix(1);
  if (text.empty() || text.front() == '#') return;
  Line line;
  line.base = base;
  line.taken_in = text.front() == '!';
  if (line.taken_in) text.remove_prefix(1);
  line.directories = text.ends_with('/');
  if (line.directories) text.remove_suffix(1);
  const bool understood =
      text.find_first_of("[\\") == std::string_view::npos && deep_parts(text) <= deep_parts_max;
  full_ = full_ || lines_.size() >= ignore_rules_max;
  if ((!understood && !line.taken_in) || text.empty()) return;
  if (text.find('/') == std::string_view::npos || !understood) line.parts.push_back(Glob::deep());
  if (!understood) text = "*";  // it may take in anything
  each_component(
      text, [&](std::string_view part) { line.parts.push_back(part == "**" ? Glob::deep() : Glob(part)); });
  if (understood || !line.directories) lines_.push_back(std::move(line));
}

bool Ignored::has(std::string_view path, bool is_directory) {
  looked_at_ += lines_.size();
  if (full_ || looked_at_ > ignore_looks_max) return false;
  for (auto line = lines_.rbegin(); line != lines_.rend(); ++line) {
    if (line->directories && !is_directory) continue;
    if (!same_or_below(path, line->base) || path == line->base) continue;
    const std::string_view tail = path.substr(line->base == "/" ? 1 : line->base.size() + 1);
    if (matches(line->parts, tail)) return !line->taken_in;
  }
  return false;
}

bool may_change_ignored(std::span<const Effect> effects) {
  constexpr std::array<std::string_view, 15> keep_worktree{
      "add",  "branch", "commit",    "diff", "fetch", "grep",   "log", "ls-files",
      "push", "remote", "rev-parse", "show", "stage", "status", "tag"};
  // One program alone asks before it changes anything.
  const bool several = std::count_if(effects.begin(), effects.end(),
                                     [](const Effect& effect) { return effect.kind == EffectKind::run; }) > 1;
  return std::any_of(effects.begin(), effects.end(), [&](const Effect& effect) {
    if (effect.kind == EffectKind::run) {
      const std::vector<std::string>& words = effect.command.words;
      const bool git = !words.empty() && (words.front() == "git" || words.front().ends_with("/git"));
      return several && git &&
             (words.size() < 2 ||
              std::find(keep_worktree.begin(), keep_worktree.end(), words[1]) == keep_worktree.end());
    }
    if (effect.kind != EffectKind::write && effect.kind != EffectKind::remove) return false;
    if (effect.guessed && !several) return false;
    return effect.reach.wide() || effect.path.real.ends_with("/.gitignore") ||
           effect.path.lexical.ends_with("/.gitignore") || effect.path.real.ends_with("/exclude");
  });
}

}  // namespace policy
