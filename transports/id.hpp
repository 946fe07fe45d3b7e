#pragma once
// JSON-RPC ids as they are spelled.

#include <cstddef>
#include <string>
#include <string_view>

namespace transports {

inline constexpr std::size_t id_bytes_max = 256;

// A string, or an integer within ±2^53 (not `-0`): what every peer gives back as it got it.
bool usable_id(std::string_view spelled);

// Legal JSON of at most id_bytes_max bytes that an answer can carry as its id: a string, any number, `null`.
bool echoable_id(std::string_view spelled);

// One spelling for all spellings of the same id: peers are free to answer `"é"` with `"\u00e9"`. Tables of
// requests are keyed by this. `1` and `"1"` stay different. The id is usable.
std::string id_key(std::string_view spelled);

}  // namespace transports
