// gitrepository-layout(5): `.git` is the repository, or a file that names it (worktrees, submodules); `HEAD`
// is a commit or the name of a ref; a ref is a file of the repository, of the one it shares refs with
// (`commondir`), or a line of `packed-refs`.

#include "proxy/setup/git_commit.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "proxy/base/file.hpp"

namespace proxy {
namespace {

constexpr std::size_t line_bytes_max = 4096;
constexpr std::size_t packed_refs_bytes_max = 16 * 1024 * 1024;
constexpr int refs_followed_max = 5;  // as git does

std::string parent(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return path.substr(0, slash == std::string::npos ? 0 : slash);
}

std::string from(const std::string& folder, const std::string& path) {
  return path.starts_with('/') ? path : folder + '/' + path;
}

std::optional<std::string> first_line(const std::string& file) {
  const auto text = base::read_file(file, line_bytes_max);
  if (!text) return std::nullopt;
  return text->substr(0, text->find_first_of("\r\n"));
}

bool is_commit(std::string_view text) {
  return (text.size() == 40 || text.size() == 64) && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

bool is_ref(std::string_view name) {
  return name.starts_with("refs/") && name.find("..") == std::string_view::npos &&
         name.find('\0') == std::string_view::npos;
}

// Of the working tree that holds the path; empty: none does.
std::string git_folder_of(const std::string& path) {
  for (std::string folder = path; !folder.empty(); folder = parent(folder)) {
    const std::string marker = folder + "/.git";
    if (first_line(marker + "/HEAD")) return marker;
    constexpr std::string_view names = "gitdir: ";
    if (const auto line = first_line(marker); line && line->starts_with(names))
      return from(folder, line->substr(names.size()));
  }
  return {};
}

std::string packed(const std::string& repository, const std::string& ref) {
  const auto text = base::read_file(repository + "/packed-refs", packed_refs_bytes_max);
  if (!text) return {};
  std::string_view rest = *text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::size_t space = line.find(' ');
    if (space != std::string_view::npos && line.substr(space + 1) == ref && is_commit(line.substr(0, space)))
      return std::string(line.substr(0, space));
  }
  return {};
}

}  // namespace

std::string checked_out_commit(const std::string& path) {
  const std::string repository = git_folder_of(path);
  if (repository.empty()) return {};
  const auto shared_name = first_line(repository + "/commondir");
  const std::string shared = shared_name ? from(repository, *shared_name) : repository;
  std::optional<std::string> at = first_line(repository + "/HEAD");
  for (int followed = 0; at && followed < refs_followed_max; ++followed) {
    if (is_commit(*at)) return *at;
    constexpr std::string_view names = "ref: ";
    if (!at->starts_with(names)) return {};
    const std::string ref = at->substr(names.size());
    if (!is_ref(ref)) return {};
    at = first_line(repository + '/' + ref);
    if (!at) at = first_line(shared + '/' + ref);
    if (!at) return packed(shared, ref);
  }
  return {};
}

}  // namespace proxy
