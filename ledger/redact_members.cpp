#include "ledger/redact_members.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "ledger/redact_patterns.hpp"

namespace ledger {
namespace {

// Lower case, without separators; bounded, since only the end of it counts.
std::string plain_key(std::string_view key) {
  std::string plain;
  for (const char byte : key.substr(key.size() - std::min<std::size_t>(key.size(), 64))) {
    if (byte == '_' || byte == '-' || byte == '.' || byte == ' ') continue;
    plain += static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
  }
  return plain;
}

// The rule for a key, or nullptr when it names no secret. The longest ending decides.
const char* rule_of_key(std::string_view key) {
  const std::string plain = plain_key(key);
  for (const char* harmless : redact_patterns::harmless_keys)
    if (plain.ends_with(harmless)) return nullptr;
  const redact_patterns::Key* best = nullptr;
  for (const auto& candidate : redact_patterns::keys)
    if (plain.ends_with(candidate.ending) && (best == nullptr || std::string_view(candidate.ending).size() >
                                                                     std::string_view(best->ending).size()))
      best = &candidate;
  return best == nullptr ? nullptr : best->rule;
}

bool is_mark(std::string_view value) {
  return value.starts_with("<redacted:") && value.find('>') == value.size() - 1 &&
         value.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", 10) == value.size() - 1;
}

std::size_t skip_space(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

// After the string that ends at `end`: where the contents of the next string of the same array begin, or
// nullopt.
std::optional<std::size_t> next_element(std::string_view text, std::size_t end, std::size_t backslashes) {
  std::size_t at = skip_space(text, end + backslashes + 1);
  if (at >= text.size() || text[at] != ',') return std::nullopt;
  at = skip_space(text, at + 1);
  if (at + backslashes >= text.size() || text[at + backslashes] != '"') return std::nullopt;
  if (backslashes_before(text, at + backslashes, at) != backslashes) return std::nullopt;
  return at + backslashes + 1;
}

}  // namespace

std::size_t take_values(std::string_view text, Found match, std::vector<SecretSpan>& spans) {
  const std::string_view head = text.substr(match.begin, match.end - match.begin);
  const std::string_view key = head.substr(1, head.find_first_of("\"\\", 1) - 1);
  const char* rule = rule_of_key(key);
  if (rule == nullptr) return match.end;
  const std::size_t backslashes = backslashes_before(text, match.end - 1, match.begin);
  const std::size_t key_end = head.find('"', 1);
  const bool member = backslashes == 0 && head[key_end - 1] != '\\' && looks_like_json(text);
  const bool array = head.find('[', key.size()) != std::string_view::npos;
  for (std::size_t begin = match.end;;) {
    const std::size_t end = string_end(text, begin, backslashes);
    std::size_t secret_end = begin;
    if (member)
      secret_end = is_mark(text.substr(begin, end - begin)) ? begin : end;
    else
      while (secret_end < end && inert(text[secret_end])) ++secret_end;
    if (secret_end > begin) spans.push_back({begin, secret_end, rule});
    if (!array) return end;
    const auto next = next_element(text, end, backslashes);
    if (!next) return end;
    begin = *next;
  }
}

}  // namespace ledger
