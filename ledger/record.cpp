#include "ledger/record.hpp"

#include <array>

namespace ledger {
namespace {

// In the order of the enumeration.
constexpr std::array<const char*, 40> type_names{
    "genesis",       "writer_start",   "writer_stop",       "mission_start",
    "mission_pause", "mission_resume", "mission_terminate", "mission_end",
    "session_start", "session_end",    "tools_pinned",      "tools_changed",
    "policy_loaded", "policy_changed", "policy_trusted",    "decision",
    "answer",        "expired",        "withdrawn",         "detached",
    "released",      "grant",          "redirect",          "outcome",
    "violation",     "plan",           "validation",        "restore",
    "notification",  "alert",          "gate_result",       "telemetry",
    "checkpoint",    "key_rotation",   "hold_set",          "hold_released",
    "purge",         "erase",          "exported",          "degraded",
};
static_assert(type_names.size() == static_cast<std::size_t>(Type::degraded) + 1);

}  // namespace

const char* name(Type type) { return type_names[static_cast<std::size_t>(type)]; }

std::optional<Type> type_from_name(std::string_view text) {
  for (std::size_t i = 0; i < type_names.size(); ++i)
    if (text == type_names[i]) return static_cast<Type>(i);
  return std::nullopt;
}

std::string Record::detail(const std::string& key) const {
  const auto found = details.find(key);
  return found == details.end() ? std::string() : found->second;
}

}  // namespace ledger
