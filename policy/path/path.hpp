#pragma once
// From a path as a call writes it to the places it may mean. Absolute results without `.`, `..` and doubled
// slashes. Nothing here reads files: links are asked of a Links.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/effect.hpp"
#include "policy/scene.hpp"

namespace policy {

// `..` folded by text, as path.resolve does. A relative path starts at `directory` (absolute).
std::string fold_path(std::string_view path, std::string_view directory);

// What the kernel would open: links followed one by one, also dangling ones and a link at the end, `..` taken
// after the link before it. Names that do not exist stay. nullopt: more than `links_followed_max` links.
std::optional<std::string> real_path(std::string_view path, std::string_view directory, const Links& links);
inline constexpr int links_followed_max = 40;

// Four times what Linux opens: folded first, a path may get shorter.
inline constexpr std::size_t path_bytes_max = 16 * 1024;

// One thing a written path may mean.
struct PathReading {
  PathResult path;
  bool opaque = false;
  std::string refused;    // no rule may allow it
  std::string note;       // why opaque
  bool too_long = false;  // however it is folded, nothing opens it; `path` holds its beginning
};

// Every reading: as it stands; with `~`, `~user` and `file:` URIs taken as such and as plain names; as the
// kernel walks it and as a server that folds `..` first does. Opaque where Unicode has other spellings. Never
// empty. Denies and asks match any, allows need all.
std::vector<PathReading> read_path(std::string_view written, const std::string& directory,
                                   const Scene& scene);

// Every reading of a `file:` URI (file_uri.hpp) as an address alone. All opaque when it names another host or
// no full path. Never empty.
std::vector<PathReading> read_file_uri(std::string_view uri, const std::string& directory,
                                       const Scene& scene);

bool same_or_below(std::string_view path, std::string_view directory);

}  // namespace policy
