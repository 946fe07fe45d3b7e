#pragma once
// By what two requests are the same, wherever they were made.

#include <string_view>

#include "proxy/base/sha256.hpp"

namespace proxy::replay {

// Of the arguments as stored: in RFC 8785 form, with the path of the workspace, where it stands whole in a
// string, replaced by a mark, and, of a request that is no tool's, without `_meta`. What is no JSON counts
// byte by byte. Redacted values are alike. Pure.
base::Digest request_key(std::string_view arguments, std::string_view workspace, bool drop_meta);

}  // namespace proxy::replay
