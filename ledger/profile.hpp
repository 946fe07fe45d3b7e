#pragma once
// The parts of the frozen profile (FORMAT.md, «Body») that encoder and decoder share.

#include <array>
#include <cstddef>
#include <string_view>

namespace ledger::profile {

inline constexpr std::size_t effects_max = 64;
inline constexpr std::size_t payloads_max = 64;

inline constexpr std::array<std::string_view, 3> tiers{"ALLOW", "ASK", "DENY"};
inline constexpr std::array<std::string_view, 4> severities{"low", "medium", "high", "critical"};
inline constexpr std::array<std::string_view, 2> answers{"allow", "deny"};
inline constexpr std::array<std::string_view, 3> levels{"same-user", "pin", "separate-user"};
inline constexpr std::array<std::string_view, 5> statuses{"answered", "refused", "failed", "cancelled",
                                                          "unknown"};

template <std::size_t N>
constexpr bool one_of(std::string_view text, const std::array<std::string_view, N>& words) {
  for (const auto word : words)
    if (text == word) return true;
  return false;
}

// ASCII that needs no escape.
inline bool plain(std::string_view text) {
  bool plain = true;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    plain &= byte >= 0x20 && byte < 0x80 && c != '"' && c != '\\';
  }
  return plain;
}

inline bool hex_digits(std::string_view text, std::size_t count) {
  bool good = text.size() == count;
  for (const char c : text) good &= (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  return good;
}

}  // namespace ledger::profile
