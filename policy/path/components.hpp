#pragma once
// The names that a path is made of.

#include <algorithm>
#include <string>
#include <string_view>

namespace policy {

// The path of a name in a directory, which may be the root.
inline std::string path_in(const std::string& directory, std::string_view name) {
  return (directory == "/" ? "" : directory) + '/' + std::string(name);
}

// Of any path, empty ones dropped.
template <class Use>
void each_component(std::string_view path, Use use) {
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t slash = std::min(path.find('/', at), path.size());
    if (slash > at) use(path.substr(at, slash - at));
    at = slash + 1;
  }
}

}  // namespace policy
