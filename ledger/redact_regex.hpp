#pragma once
// RE2 as the redactor uses it: over bytes (Latin-1), compiled when first needed. Most patterns never are, and
// all together would take most of a start's time. Thread-safe.

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace ledger {

struct Found {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class LazyRegex {
 public:
  explicit LazyRegex(std::string source);  // one that does not compile is a bug of ours
  ~LazyRegex();
  LazyRegex(const LazyRegex&) = delete;
  LazyRegex& operator=(const LazyRegex&) = delete;

  // The leftmost match within `where`. `^` is the beginning of the text, not of `where`.
  std::optional<Found> find(std::string_view text, Found where) const;
  // The length of the match that begins at `at`; 0 when there is none.
  std::size_t length_at(std::string_view text, std::size_t at) const;

 private:
  const re2::RE2& compiled() const;
  std::string source_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<const re2::RE2> regex_;
};

}  // namespace ledger
