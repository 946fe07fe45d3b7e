// The words that restore a wallet (BIP-39, English). Twelve words of the list in a row are seldom prose; the
// checksum leaves one in sixteen of those.

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "policy/detect/checks.hpp"
#include "proxy/base/check.hpp"
#include "proxy/base/sha256.hpp"

namespace embedded {
extern const std::string_view policy_catalogue_bip39_english_txt;
}

namespace policy::detect {
namespace {

constexpr std::size_t words_least = 12;
constexpr std::size_t words_most = 24;
constexpr std::size_t rows_tried_max = 4096;  // a text with more of them is no prose
constexpr std::size_t word_letters_least = 3;
constexpr std::size_t word_letters_most = 8;

// The list, in the order of the alphabet, and where in it the words begin that share their first three
// letters.
struct WordList {
  std::vector<std::string_view> words;
  std::array<std::uint16_t, 26 * 26 * 26 + 1> first{};

  static std::size_t place(std::string_view word) {
    const auto letter = [&](std::size_t i) { return static_cast<std::size_t>(word[i] - 'a'); };
    return (letter(0) * 26 + letter(1)) * 26 + letter(2);
  }
  std::optional<std::uint16_t> index(std::string_view word) const {
    for (std::uint16_t i = first[place(word)]; i < first[place(word) + 1]; ++i)
      if (words[i] == word) return i;
    return std::nullopt;
  }
};

const WordList& word_list() {
  static const WordList list = [] {
    WordList made;
    const std::string_view text = embedded::policy_catalogue_bip39_english_txt;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      made.words.push_back(text.substr(at, end - at));
      at = end + 1;
    }
    CHECK(made.words.size() == 2048 && std::is_sorted(made.words.begin(), made.words.end()));
    for (const std::string_view word : made.words) ++made.first[WordList::place(word) + 1];
    for (std::size_t i = 1; i < made.first.size(); ++i)
      made.first[i] = static_cast<std::uint16_t>(made.first[i] + made.first[i - 1]);
    return made;
  }();
  return list;
}

// Eleven bits a word: what was drawn, then the first bits of its SHA-256.
bool checksum_holds(const std::uint16_t* words, std::size_t count) {
  std::string bytes;
  std::uint32_t bits = 0;
  std::size_t held = 0;
  for (std::size_t i = 0; i < count; ++i) {
    bits = (bits << 11) | words[i];
    for (held += 11; held >= 8; held -= 8) bytes += static_cast<char>((bits >> (held - 8)) & 0xff);
  }
  const std::size_t sum_bits = count / 3;
  std::uint8_t sum = static_cast<std::uint8_t>(bits & ((1u << held) - 1));
  if (sum_bits == 8) {  // 24 words: they fill their last byte
    sum = static_cast<std::uint8_t>(bytes.back());
    bytes.pop_back();
  } else if (held != sum_bits) {
    return false;
  }
  return base::sha256(bytes)[0] >> (8 - sum_bits) == sum;
}

// Neither a piece of the list, in the order of the alphabet, nor a few words again and again. The phrase that
// documents show has one word but for the last.
bool likely(const std::uint16_t* first, const std::uint16_t* last) {
  if (std::adjacent_find(first, last, std::greater_equal<>()) == last) return false;
  std::bitset<2048> seen;
  std::ptrdiff_t distinct = 0;
  for (const std::uint16_t* word = first; word != last; ++word) {
    distinct += seen[*word] ? 0 : 1;
    seen.set(*word);
  }
  return distinct * 3 >= (last - first) * 2 ||
         (distinct == 2 && std::count(first, last, *first) == last - first - 1);
}

// A row of words of the list, as it grows: whether a phrase ends with the last one.
class Row {
 public:
  bool add(std::uint16_t word) {
    if (count_ == words_.size()) {
      std::copy(words_.end() - words_most, words_.end(), words_.begin());
      count_ = words_most;
    }
    words_[count_++] = word;
    for (std::size_t length = words_least; length <= std::min(words_most, count_); length += 3) {
      const std::uint16_t* const first = words_.data() + count_ - length;
      if (likely(first, first + length) && (++tried_ > rows_tried_max || checksum_holds(first, length)))
        return true;
    }
    return false;
  }
  void clear() { count_ = 0; }

 private:
  std::array<std::uint16_t, 64> words_{};
  std::size_t count_ = 0;
  std::size_t tried_ = 0;
};

// Between two words of a phrase: blanks, line ends, quotes and commas of a list, the numbers of one.
bool digit(char c) { return c >= '0' && c <= '9'; }
bool joins(char c) { return std::string_view(" \t\r\n,\"'.)").find(c) != std::string_view::npos || digit(c); }

}  // namespace

bool checks::seed_phrase(std::string_view text) {
  Row row;
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (std::size_t at = 0; at < text.size();) {
    if (!letter(text[at])) {
      if (!joins(text[at])) row.clear();
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && letter(text[at])) ++at;
    const std::string_view written = text.substr(begin, at - begin);
    const bool numbered = (at < text.size() && digit(text[at])) || (begin > 0 && digit(text[begin - 1]));
    std::optional<std::uint16_t> found;
    if (!numbered && written.size() >= word_letters_least && written.size() <= word_letters_most) {
      std::array<char, word_letters_most> low{};
      std::transform(written.begin(), written.end(), low.begin(),
                     [](char c) { return static_cast<char>(c | 0x20); });
      found = word_list().index(std::string_view(low.data(), written.size()));
    }
    if (!found) {
      row.clear();
    } else if (row.add(*found)) {
      return true;
    }
  }
  return false;
}

}  // namespace policy::detect
