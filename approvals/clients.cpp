#include "approvals/clients.hpp"

#include <algorithm>
#include <array>

namespace approvals {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

struct Client {
  std::string_view name;
  seconds waits;  // without progress
  bool progress_resets;
};

constexpr std::array clients{
    Client{"opencode", seconds(60), true},                 // 1.18: 420 s held with progress
    Client{"codex-mcp-client", seconds(300), false},       // 0.171: 300.0 s whatever comes
    Client{"gemini-cli-mcp-client", seconds(600), false},  // 0.61: its configured 600 s
    Client{"claude-code", seconds(300), true},  // from reports: idle 30 min over stdio, 5 min over HTTP
    Client{"mcp-typescript-sdk", seconds(60), false},  // its default, unless told to reset on progress
};

// The answer has to be written, read and understood in time; a short limit leaves a quarter of it.
milliseconds less_margin(milliseconds limit) {
  const milliseconds margin = std::min<milliseconds>(seconds(5), limit / 4);
  return std::max(limit - margin, milliseconds(0));
}

}  // namespace

milliseconds hold_limit(std::string_view client_name, bool has_progress_token,
                        const ClientLimits& overrides) {
  if (const auto found = overrides.find(std::string(client_name)); found != overrides.end())
    return std::min<milliseconds>(less_margin(found->second), longest_hold);
  const auto known = std::find_if(clients.begin(), clients.end(),
                                  [&](const Client& each) { return each.name == client_name; });
  if (known == clients.end()) return less_margin(unknown_client_waits);
  if (known->progress_resets && has_progress_token) return longest_hold;
  return less_margin(known->waits);
}

}  // namespace approvals
