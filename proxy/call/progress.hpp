#pragma once
// Progress of a call that we have sent progress for ourselves while it was held.

#include <cstdint>
#include <optional>
#include <string>

#include "transports/message.hpp"

namespace proxy {

// The notification's bytes with `offset` added to `progress` (and to `total`), all else unchanged. nullopt
// when they are no numbers.
std::optional<std::string> offset_progress(const transports::Message& notification, std::uint64_t offset);

}  // namespace proxy
