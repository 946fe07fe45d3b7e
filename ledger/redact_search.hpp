#pragma once
// Where the secrets of redact_patterns.hpp and the values given stand in a text. Only the surroundings of
// literals that a secret must hold are searched with a pattern (literal_scan.hpp).

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "ledger/literal_scan.hpp"
#include "ledger/redact_key_block.hpp"
#include "ledger/redact_patterns.hpp"
#include "ledger/redact_regex.hpp"
#include "ledger/redact_spans.hpp"

namespace ledger {

// Immutable after construction; thread-safe.
class SecretSearch {
 public:
  explicit SecretSearch(const std::vector<std::string>& secrets);

  // Adds to `spans`, in no order. True: printable ASCII characters are written as escapes in the text.
  bool search(std::string_view text, std::vector<SecretSpan>& spans) const;
  // Adds the same spans, by trying everything on the whole text. Slow, and simpler to believe: for tests.
  void search_everywhere(std::string_view text, std::vector<SecretSpan>& spans) const;

 private:
  struct Shape {
    explicit Shape(const redact_patterns::Pattern& pattern)
        : known(pattern), regex(pattern.pattern), keep(pattern.keep) {}
    const redact_patterns::Pattern& known;
    LazyRegex regex;
    LazyRegex keep;  // empty matches nothing
  };
  struct Value {
    std::string bytes;
    bool text_only = false;
  };
  // What the literal of the same index stands for.
  struct Sign {
    enum class Of { shape, value, key, private_key, escape } of{};
    std::size_t index = 0;  // of the shape or value
  };
  struct Progress;
  void add_literals(std::string_view literals, bool any_case, Sign sign, std::vector<Literal>& into);
  void search_shape(std::string_view text, Found where, const Shape& shape,
                    std::vector<SecretSpan>& spans) const;
  void search_key(std::string_view text, std::size_t literal, std::size_t& done,
                  std::vector<SecretSpan>& spans) const;

  std::deque<Shape> shapes_;
  std::vector<Value> values_;
  std::vector<Sign> signs_;
  LazyRegex key_{redact_patterns::key_pattern};
  LazyRegex key_tail_{redact_patterns::key_tail};
  KeyBlocks key_blocks_;
  LiteralScan literals_;  // fills signs_
};

}  // namespace ledger
