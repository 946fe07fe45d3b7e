#pragma once
// The path of a URL as servers route it. Doubled slashes, encoded slashes and `;params` are read both ways;
// dot segments are resolved after one decoding. Double encoding, broken encoding, overlong UTF-8, encoded
// dots, control characters and backslashes are read in every way known, and no allow that names a path
// matches.

#include <string_view>

#include "policy/network/target.hpp"

namespace policy::network {

inline constexpr std::size_t url_path_bytes_max = 8192;  // no server takes longer ones

// `raw`: from the first `/`, without query and fragment; empty is `/`.
void read_url_path(std::string_view raw, Target& target);

}  // namespace policy::network
