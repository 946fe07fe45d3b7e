#pragma once
// JSON-RPC batches, which revision 2025-03-26 alone has: one line, a JSON array of messages.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/base/error.hpp"
#include "transports/limits.hpp"

namespace transports {

// Whether the line begins like a JSON array.
bool is_batch(std::string_view line);

// The elements, each with its exact bytes, to be read as messages of their own. Error: no strict JSON
// (json.hpp), no array, an empty one, or one of more than batch_elements_max elements.
base::Result<std::vector<std::string>> split_batch(std::string_view line, const Limits& limits);

}  // namespace transports
