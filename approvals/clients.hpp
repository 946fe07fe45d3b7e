#pragma once
// How long each agent waits for a call before it gives up. Measured with real clients, except where noted in
// the table.

#include <chrono>
#include <map>
#include <string>
#include <string_view>

namespace approvals {

// [limits.clients] of callgate.toml: name of the client → how long it waits, whatever comes.
using ClientLimits = std::map<std::string, std::chrono::milliseconds>;

inline constexpr std::chrono::seconds unknown_client_waits{60};
inline constexpr std::chrono::seconds progress_every{10};
// A client that waits as long as progress comes: longer than any ask is held.
inline constexpr std::chrono::hours longest_hold{24};

// How long a call of this client (`clientInfo.name`, as claimed) may be held before it must be answered
// «repeat later»: its limit less a margin for the way back. With a progress token, progress is sent every
// `progress_every`; without one nothing can be sent, and a client that resets on progress gives up at its
// idle limit.
std::chrono::milliseconds hold_limit(std::string_view client_name, bool has_progress_token,
                                     const ClientLimits& overrides);

}  // namespace approvals
