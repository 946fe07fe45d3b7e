#pragma once
// The tree of JSON text that scan() has accepted: nothing is checked twice.

#include <string_view>

#include "proxy/base/json.hpp"

namespace base::json {

Value tree(std::string_view scanned_text);

}  // namespace base::json
