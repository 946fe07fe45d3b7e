// Text with a secret at each byte 0x01 to 0x05, as itself and inside a JSON document: none of it is left,
// JSON stays JSON, every mark is counted and nothing else changes its place.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "ledger/redact.hpp"
#include "proxy/base/check.hpp"
#include "proxy/base/utf8.hpp"

namespace {

// What surrounds them is never part of them: no letter of these words occurs in a mark by accident.
const std::array<std::string, 5> secrets{"Zq7canary0Zq7XW4", "Zq8 canary/with=Blanks;X",
                                         "Zq9\"quoted\\canary\"X9", "Zq6-größe-канарейка-X",
                                         std::string(300, 'Q') + "Zq5canary" + std::string(300, 'X') + "5"};
constexpr const char* cores[] = {"q7canary0Zq7", "q8 canary/with=Blanks", "quoted\\canary", "q6-größe-кан",
                                 "q5canary"};

const ledger::Redactor& redactor() {
  static const ledger::Redactor one({secrets.begin(), secrets.end()});
  return one;
}

std::size_t marks(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find("<redacted:"); at != std::string_view::npos;
       at = text.find("<redacted:", at + 1))
    ++count;
  return count;
}

void check(const std::string& text, bool json) {
  const ledger::Redacted redacted = redactor().redact(text);
  std::uint64_t counted = 0;
  for (const auto& [rule, count] : redacted.counts) counted += count;
  CHECK(counted == 0 ? redacted.bytes == text : redacted.bytes != text);
  CHECK(marks(redacted.bytes) <= marks(text) + counted);
  CHECK(redacted.bytes.size() <= text.size() + 64 * counted);
  if (json) CHECK(nlohmann::json::accept(redacted.bytes));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  for (const char* core : cores)
    if (input.find(core) != std::string_view::npos) return 0;
  check(std::string(input), nlohmann::json::accept(input));
  std::string text;
  for (const char byte : input) {
    if (byte >= 1 && byte <= 5)
      text += secrets[static_cast<std::size_t>(byte - 1)];
    else
      text += byte;
  }
  // As text, unless it reads as JSON: there a secret with quotes is no string's content.
  const std::string plain = "- " + text;
  check(plain, false);
  const std::string left = redactor().redact(plain).bytes;
  for (const char* core : cores) CHECK(left.find(core) == std::string::npos);
  if (!base::utf8::valid(text)) return 0;
  const std::string document = nlohmann::json{{"value", text}}.dump();
  check(document, true);
  const auto value = nlohmann::json::parse(redactor().redact(document).bytes)["value"].get<std::string>();
  for (const char* core : cores) CHECK(value.find(core) == std::string::npos);
  return 0;
}
