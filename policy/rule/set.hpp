#pragma once
// Some of a list of rules, by their places in it: a bit each, so that sets are joined and walked in order.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace policy {

class RuleSet {
 public:
  RuleSet() = default;
  explicit RuleSet(std::size_t rules) : words_((rules + word_bits - 1) / word_bits) {}

  void clear() { words_.assign(words_.size(), 0); }
  void add(std::size_t rule) { words_[rule / word_bits] |= std::uint64_t{1} << rule % word_bits; }
  bool has(std::size_t rule) const { return (words_[rule / word_bits] >> rule % word_bits & 1) != 0; }
  // `other` is of the same list.
  void add_all(const RuleSet& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  template <class Use>
  void each(Use use) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t left = words_[i]; left != 0; left &= left - 1)
        use(i * word_bits + static_cast<std::size_t>(std::countr_zero(left)));
  }

 private:
  static constexpr std::size_t word_bits = 64;
  std::vector<std::uint64_t> words_;
};

}  // namespace policy
