#pragma once
// Whether a message is as expected. An expectation is partial: of an object, the members named must match;
// everything else must be equal. An object with one member that begins with `$` asks otherwise:
//   {"$contains": "text"}   a string with that text in it      {"$any": true}     anything, but present
//   {"$absent": true}       there is no such member            {"$not": X}        present and not X
//   {"$some": X}            a list with an item like X         {"$exactly": X}    equal, no member more
//   {"$at_most": N}  {"$at_least": N}  numbers

#include <nlohmann/json.hpp>
#include <string>

namespace agent {

using Json = nlohmann::ordered_json;  // sent as written

// Empty: it matches. Else where it does not: `result.isError: expected true, found nothing`.
std::string mismatch(const Json& expected, const Json& found);
inline bool matches(const Json& expected, const Json& found) { return mismatch(expected, found).empty(); }

}  // namespace agent
