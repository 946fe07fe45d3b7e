#include "policy/path/worktree.hpp"

#include <algorithm>
#include <map>

#include "policy/path/components.hpp"
#include "policy/path/git_index.hpp"
#include "policy/path/path.hpp"
#include "proxy/base/text.hpp"

namespace policy {

namespace {

using Kind = Links::Kind;
using Names = std::map<std::string, Kind, std::less<>>;

constexpr std::size_t git_entries_max = 1000;  // of a `.git`

std::string above(const std::string& directory) {
  return directory.substr(0, std::max<std::size_t>(directory.rfind('/'), 1));
}

std::optional<Names> names_in(const std::string& directory, const Links& links) {
  const auto entries = links.entries(directory, git_entries_max);
  if (!entries) return std::nullopt;
  Names names;
  for (const Links::Entry& entry : *entries) names.emplace(entry.name, entry.kind);
  return names;
}

bool has(const Names& names, std::string_view name, Kind kind) {
  const auto found = names.find(name);
  return found != names.end() && found->second == kind;
}

bool stands(const std::string& path, const Links& links) { return links.standing(path).kind.has_value(); }

// The one line of a file that git writes; empty: none, or more.
std::string line_of(const std::string& file, const Links& links) {
  std::string text = links.text(file, git_file_bytes_max).value_or("");
  while (text.ends_with('\n')) text.pop_back();
  return text.find_first_of(std::string_view("\n\r\0", 3)) == std::string::npos ? text : std::string();
}

// `ref: refs/…` or an id.
bool good_head(const std::string& text) {
  if (text.starts_with("ref: refs/")) return true;
  return text.size() == 40 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// Whether no setting gives it another worktree or longer ids. A submodule says where its own is, and that is
// where it was found.
bool known_settings(const Worktree& worktree, const Links& links) {
  const auto read = links.text(path_in(worktree.common, "config"), git_file_bytes_max);
  if (!read) return false;
  const std::string text = base::lower(*read);
  if (text.find("objectformat") != std::string::npos) return false;
  if (text.find("include") != std::string::npos) return false;  // of other files with settings
  constexpr std::string_view key = "worktree";
  const std::size_t at = text.find(key);
  if (at == std::string::npos) return true;
  if (text.find(key, at + 1) != std::string::npos) return false;
  const std::size_t start = text.rfind('\n', at) + 1;
  std::string_view value = std::string_view(*read).substr(at + key.size());
  value = value.substr(0, value.find('\n'));
  if (text.find_first_not_of(" \t", start) != at || !value.starts_with(" = ")) return false;
  value.remove_prefix(3);
  if (value.empty() || value.find_first_of(" \t\r\"\\;#") != std::string_view::npos) return false;
  return real_path(value, worktree.git, links) == worktree.top;
}

// As git looks at a `.git`: whether it would take it for a repository, and whether that is all there is to
// it.
bool known_repository(Worktree& worktree, const Links& links) {
  const auto names = names_in(worktree.git, links);
  if (!names || !has(*names, "HEAD", Kind::file) || !good_head(line_of(path_in(worktree.git, "HEAD"), links)))
    return false;
  worktree.common = worktree.git;
  auto common = names;
  if (names->contains("commondir")) {
    const auto real = real_path(line_of(path_in(worktree.git, "commondir"), links), worktree.git, links);
    if (!real) return false;
    worktree.common = *real;
    common = names_in(*real, links);
  }
  return common && has(*common, "objects", Kind::directory) && has(*common, "refs", Kind::directory) &&
         known_settings(worktree, links);
}

}  // namespace

std::string git_folder(const std::string& directory, const Links& links) {
  const std::string git = path_in(directory, ".git");
  if (links.is_directory(git)) return git;
  constexpr std::string_view start = "gitdir: ";
  const std::string line = line_of(git, links);
  if (!line.starts_with(start)) return {};
  return real_path(line.substr(start.size()), directory, links).value_or("");
}

const std::optional<Worktree>& Worktrees::of(const std::string& directory) {
  static const std::optional<Worktree> none;
  const auto real = real_path(directory, "/", links_);
  if (!real) return none;
  std::vector<std::string> passed;  // below the first that may be one
  std::optional<Worktree> found;
  for (std::string at = *real;; at = above(at)) {
    if (!found) {
      if (const auto known = known_.find(at); known != known_.end()) {
        found = known->second;
        break;
      }
      passed.push_back(at);
    }
    // A bare repository counts where it stands.
    const bool bare = stands(path_in(at, "HEAD"), links_);
    if (bare || stands(path_in(at, ".git"), links_)) {
      Worktree here{.top = at, .git = bare ? std::string() : git_folder(at, links_)};
      here.known = !found && !here.git.empty() && known_repository(here, links_);
      found = std::move(here);
      if (found->known) break;
    }
    if (at.size() <= 1) break;
  }
  for (std::string& each : passed) known_.emplace(std::move(each), found);
  return known_.find(*real)->second;
}

bool Worktrees::same(const std::string& directory, const std::string& other) {
  const auto from = real_path(directory, "/", links_);
  const auto to = real_path(other, "/", links_);
  if (!from || !to) return false;
  if (*from == *to) return true;
  if (!links_.is_directory(*from)) return false;
  // Where nothing stands on the way up to the other, what is there matters to both alike.
  std::string at = *from;
  while (at != *to && same_or_below(at, *to) && !stands(path_in(at, "HEAD"), links_) &&
         !stands(path_in(at, ".git"), links_))
    at = above(at);
  if (at == *to) return true;
  const auto& there = of(*from);
  const auto& here = of(*to);
  return there && here && there->known && here->known && there->top == here->top && there->git == here->git;
}

std::optional<Worktree> worktree_of(const std::string& directory, const Links& links) {
  return Worktrees(links).of(directory);
}

std::optional<std::vector<std::string>> tracked_names(const Worktree& worktree, const Links& links) {
  if (!worktree.known) return std::nullopt;
  const auto names = names_in(worktree.git, links);
  if (!names) return std::nullopt;
  if (!names->contains("index")) return std::vector<std::string>();  // nothing was added yet
  const auto bytes = links.text(path_in(worktree.git, "index"), index_bytes_max);
  return bytes ? read_git_index(*bytes) : std::nullopt;
}

}  // namespace policy
