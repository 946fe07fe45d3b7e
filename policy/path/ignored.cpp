#include "policy/path/ignored.hpp"

#include <algorithm>

#include "policy/path/components.hpp"
#include "policy/path/path.hpp"
#include "proxy/base/text.hpp"

namespace policy {

namespace {

// Bytes that stand for themselves in a pattern, wherever they stand.
bool plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._-+@,=%~").find(c) != std::string_view::npos;
  });
}

// The same, with `*`: within a component, since `**` is not among them.
bool plain_glob(std::string_view text) {
  std::string letters(text);
  letters.erase(std::remove(letters.begin(), letters.end(), '*'), letters.end());
  return !text.empty() && text.find("**") == std::string_view::npos && plain(letters);
}

std::string_view last_component(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool below(std::string_view path, const std::string& directory) {
  return same_or_below(path, directory) && path != directory;
}

std::vector<std::string_view> components_of(std::string_view path) {
  std::vector<std::string_view> components;
  each_component(path, [&](std::string_view part) { components.push_back(part); });
  return components;
}

}  // namespace

Ignored::Ignored(const Worktree& worktree, const std::string& directory, const Links& links)
    : links_(links), top_(worktree.top) {
  read(path_in(worktree.common, "info/exclude"), worktree.top);
  std::string at = worktree.top;
  for (const std::string_view part :
       components_of(std::string_view(directory).substr(worktree.top == "/" ? 0 : worktree.top.size()))) {
    enter(at);
    at = path_in(at, part);
  }
}

void Ignored::enter(const std::string& directory) { read(path_in(directory, ".gitignore"), directory); }

void Ignored::enter(const std::string& directory, std::span<const Links::Entry> entries) {
  enter(directory);
  const auto repository = [](const Links::Entry& entry) { return base::lower(entry.name) == ".git"; };
  if (directory != top_ && std::any_of(entries.begin(), entries.end(), repository)) doubt(directory);
}

// git follows no link here, older ones do.
void Ignored::read(const std::string& file, const std::string& where) {
  const auto text = links_.text(file, ignore_file_bytes_max);
  if (!text && links_.standing(file).kind) return doubt(where);
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    add(line, where);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
}

void Ignored::add(std::string_view line, const std::string& where) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  while (line.ends_with(' ')) line.remove_suffix(1);
  if (line.empty() || line.front() == '#') return;
  if (lines_.size() + mercies_.size() >= ignore_rules_max) return doubt(where);
  if (line.front() == '!') return take_in(line.substr(1), where);
  // Behind a mark of the byte order, say.
  if (line.find('!') != std::string_view::npos) return doubt(where);
  Line added{.base = where, .depth = components_of(where).size(), .names = {}};
  added.directories = line.ends_with('/');
  if (added.directories) line.remove_suffix(1);
  added.anywhere = line.find('/') == std::string_view::npos || line.starts_with("**/");
  if (line.starts_with("**/")) line.remove_prefix(3);
  if (!added.anywhere && line.starts_with('/')) line.remove_prefix(1);
  for (;;) {
    const std::string_view part = line.substr(0, line.find('/'));
    if (!plain_glob(part)) return;
    added.names.emplace_back(part);
    if (part.size() == line.size()) break;
    line.remove_prefix(part.size() + 1);
  }
  lines_.push_back(std::move(added));
}

void Ignored::take_in(std::string_view pattern, const std::string& where) {
  if (pattern.ends_with('/')) pattern.remove_suffix(1);
  std::string name = base::lower(last_component(pattern));
  std::replace(name.begin(), name.end(), '?', '*');
  if (!plain_glob(name) || pattern.find('!') != std::string_view::npos) return doubt(where);
  mercies_.push_back({where, Glob(name)});
}

bool Ignored::has(std::string_view path, bool is_directory) {
  if (last_component(path) == ".git") return true;
  looked_at_ += 1 + lines_.size() + mercies_.size() + doubted_.size();
  if (looked_at_ > ignore_looks_max) return false;
  const auto under = [&](const std::string& directory) { return below(path, directory); };
  if (std::any_of(doubted_.begin(), doubted_.end(), under)) return false;
  const std::vector<std::string_view> parts = components_of(path);
  const auto ignores = [&](const Line& line) {
    if ((line.directories && !is_directory) || !under(line.base)) return false;
    const std::size_t depth = parts.size() - line.depth;
    if (line.anywhere ? depth < line.names.size() : depth != line.names.size()) return false;
    return std::equal(
        line.names.rbegin(), line.names.rend(), parts.rbegin(),
        [](const Glob& glob, std::string_view part) { return plain(part) && glob.matches(part); });
  };
  if (std::none_of(lines_.begin(), lines_.end(), ignores)) return false;
  const std::string name = base::lower(parts.back());
  return std::none_of(mercies_.begin(), mercies_.end(),
                      [&](const Mercy& mercy) { return under(mercy.base) && mercy.name.matches(name); });
}

}  // namespace policy
