#pragma once
// Finds where any of many literals stands in a text, in one pass that costs about the same whatever the text
// holds: four table look-ups for every second byte leave only few places to compare. It decides where
// redact_search.cpp looks closer.

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace ledger {

struct Literal {
  std::string bytes;      // at least 3; lower case with any_case
  bool any_case = false;  // of ASCII letters
};

class LiteralScan {
 public:
  explicit LiteralScan(std::vector<Literal> literals);

  // each(position, index of the literal), in ascending order of positions.
  template <class Each>
  void scan(std::string_view text, Each each) const {
    std::uint64_t buckets = 0;
    for (std::size_t at = 0; (at = next(text, at, buckets)) != std::string_view::npos; at += 2)
      for (; buckets != 0; buckets &= buckets - 1) {
        const auto bucket = static_cast<std::size_t>(std::countr_zero(buckets));
        const std::size_t before = bucket < groups ? 1 : 0;
        if (at < before) continue;
        for (const std::size_t literal : tables_->literals[bucket % groups])
          if (stands_at(literals_[literal], text, at - before)) each(at - before, literal);
      }
  }

 private:
  // Literals are in groups. Only every second place is looked at: a literal may begin
  // there, or one byte before. So a group has two buckets, and each table tells for a byte which buckets hold
  // a literal with it in that place.
  static constexpr std::size_t groups = 32;
  struct Tables {
    std::array<std::array<std::uint64_t, 256>, 4> places{};
    std::array<std::vector<std::size_t>, groups> literals;
  };
  // The first even place from `at`, an even one, where the tables leave any buckets; npos when there is none.
  std::size_t next(std::string_view text, std::size_t at, std::uint64_t& buckets) const;
  static bool stands_at(const Literal& literal, std::string_view text, std::size_t at);

  std::vector<Literal> literals_;
  std::unique_ptr<const Tables> tables_;
};

}  // namespace ledger
