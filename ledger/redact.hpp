#pragma once
// Takes secrets out of bytes before they are hashed, stored, shown or sent: string values of keys that name
// secrets (at every depth of JSON, also of JSON inside JSON strings), values with the shape of known secrets
// (redact_patterns.hpp), private keys, and the exact values given (also as JSON writes them).
// A secret becomes `<redacted:RULE>`. All other bytes stay as they are, and JSON stays JSON.
// Operators approve calls by what is left: inside a string a secret ends before the first blank, quote,
// backslash or character that a shell acts on, except for the lines of a private key and the values given.
// What follows in a password with such characters stays; only the value of a key of the document itself goes
// whatever it holds. Linear in the input; an input without a hit is read once.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ledger {

struct Redacted {
  std::string bytes;
  std::map<std::string, std::uint64_t> counts;  // rule → how many were taken out
};

// Immutable after construction; thread-safe.
class Redactor {
 public:
  // Values that are no secrets are left out: shorter than 8 bytes, paths and addresses without a random part,
  // and what stands in every environment (`production`, `en_US.UTF-8`).
  explicit Redactor(const std::vector<std::string>& secrets);
  ~Redactor();
  Redactor(const Redactor&) = delete;
  Redactor& operator=(const Redactor&) = delete;

  Redacted redact(std::string_view bytes) const;
  // The same for bytes that the caller gives away: without a hit they are not copied.
  Redacted redact_given(std::string bytes) const;

 private:
  struct Rules;
  std::unique_ptr<const Rules> rules_;
};

}  // namespace ledger
