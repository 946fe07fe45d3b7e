#include "policy/path/hidden.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "policy/path/components.hpp"
#include "policy/path/ignored.hpp"
#include "policy/path/tree.hpp"
#include "proxy/base/text.hpp"

namespace policy {

namespace {

constexpr std::array<std::string_view, 4> lists{".gitignore", ".ignore", ".rgignore", ".fdignore"};
// Of the user; the last two may name a list anywhere.
constexpr std::array<std::string_view, 2> own_lists{"/.config/git/ignore", "/.config/fd/ignore"};
constexpr std::array<std::string_view, 2> settings{"/.gitconfig", "/.config/git/config"};

// Whether the line of a list takes in no hidden name. Only the last component of what it matches counts.
bool line_hides(std::string_view line) {
  while (line.ends_with(' ') || line.ends_with('\r') || line.ends_with('/')) line.remove_suffix(1);
  if (line.find('!') == std::string_view::npos || line.starts_with('#')) return true;
  if (!line.starts_with('!')) return false;
  const std::string_view name = line.substr(std::max<std::size_t>(line.rfind('/') + 1, 1));
  const char first = name.empty() ? '*' : name.front();
  return (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || (first >= '0' && first <= '9') ||
         first == '_' || first == '-';
}

// nullopt: not known.
std::optional<std::string> text_of(const std::string& file, const Links& links) {
  auto text = links.text(file, ignore_file_bytes_max);
  if (!text && !links.standing(file).kind) return std::string();
  return text;
}

bool list_hides(const std::string& file, const Links& links) {
  const auto text = text_of(file, links);
  std::string_view rest = text ? std::string_view(*text) : std::string_view("!*");
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (!line_hides(line)) return false;
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  return true;
}

bool names_no_list(const std::string& file, const Links& links) {
  const auto text = text_of(file, links);
  return text && base::lower(*text).find("excludesfile") == std::string::npos &&
         base::lower(*text).find("include") == std::string::npos;
}

// Where `.git` is no folder the list lies elsewhere.
bool repository_hides(const std::string& top, const Links& links) {
  const std::string git = path_in(top, ".git");
  if (links.is_directory(git)) return list_hides(path_in(git, "info/exclude"), links);
  if (!links.standing(git).kind) return true;
  const auto worktree = worktree_of(top, links);
  return worktree && worktree->known && worktree->top == top &&
         list_hides(path_in(worktree->common, "info/exclude"), links);
}

bool lists_hide(const std::string& directory, const Links& links) {
  return repository_hides(directory, links) &&
         std::all_of(lists.begin(), lists.end(),
                     [&](std::string_view list) { return list_hides(path_in(directory, list), links); });
}

bool hides_below(const std::string& directory, const Links& links) {
  std::vector<std::string> waiting{directory};
  for (std::size_t left = tree_names_max; !waiting.empty();) {
    const std::string at = std::move(waiting.back());
    waiting.pop_back();
    const auto entries = links.entries(at, left);
    if (!entries) return false;
    left -= entries->size();
    for (const Links::Entry& entry : *entries) {
      const std::string small = base::lower(entry.name);
      if (is_ignore_list(small) && !list_hides(path_in(at, entry.name), links)) return false;
      if (small == ".git" && !repository_hides(at, links)) return false;
      if (entry.kind == Links::Kind::directory && small != ".git") waiting.push_back(path_in(at, entry.name));
    }
  }
  return true;
}

}  // namespace

std::vector<NameGlob> names_but_hidden() { return {{Glob::deep(), true}, {Glob("*"), true}}; }

bool leaves_out_hidden(const Reach& reach) { return reach.names == names_but_hidden(); }

bool is_ignore_list(std::string_view name) {
  return std::find(lists.begin(), lists.end(), name) != lists.end();
}

bool leaves_hidden(const std::string& directory, const std::string& home, const Links& links) {
  for (const std::string_view list : own_lists)
    if (!list_hides(home + std::string(list), links)) return false;
  for (const std::string_view file : settings)
    if (!names_no_list(home + std::string(file), links)) return false;
  for (std::string at = directory; at.size() > 1;) {
    at.resize(std::max<std::size_t>(at.rfind('/'), 1));
    if (!lists_hide(at, links)) return false;
  }
  return hides_below(directory, links);
}

}  // namespace policy
