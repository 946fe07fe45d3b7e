// Hexadecimal digits in a row, and as `xxd`, `hexdump`, `od`, lists of bytes and fingerprints write them.

#include <algorithm>

#include "policy/detect/decode_ways.hpp"
#include "policy/detect/digits.hpp"
#include "policy/detect/readable.hpp"

namespace policy::detect {
namespace {

constexpr std::size_t run_least = 24;
constexpr Digits in_a_row{hex_values, 4, run_least, 2};

constexpr std::size_t groups_least = 4;       // on the first line of a dump
constexpr std::size_t offset_least = 6;       // digits, of one that stands alone at the end
constexpr std::size_t characters_most = 512;  // beside a line's bytes

// Digits, and what stands between them on a line; `0x48` is `0` and `48`.
constexpr DigitValues dump_values = digit_values("0123456789abcdef \t:,-x", "ABCDEF");

bool blank(char c) { return c == ' ' || c == '\t'; }

// Bytes that lines of groups of digits stand for.
class Dump {
 public:
  // Takes the groups that begin at `at`, which is in no group, to the end of the line or to what is none.
  // Where they end. At least one character further.
  std::size_t line(std::string_view text, std::size_t at) {
    groups_ = 0;
    const std::size_t before = bytes_.size();
    bool address = false;  // with a colon: then nothing parts the bytes but one blank
    while (at < text.size() && in(dump_values, text[at])) {
      if (!in(hex_values, text[at])) {
        ++at;
        continue;
      }
      const std::size_t begin = at;
      while (at < text.size() && in(hex_values, text[at])) ++at;
      const std::string_view group = text.substr(begin, at - begin);
      const std::string_view behind = text.substr(at, 2);
      if (groups_ == 0 && offset(group, text.substr(at), before > 0)) {
        address = behind.starts_with(':');
        continue;
      }
      if (group == "0" && behind.starts_with('x')) continue;
      if (group.size() % 2 != 0) {
        if (groups_ >= groups_least) return at;
        // Not of this dump what comes before it.
        bytes_.resize(before);
        groups_ = 0;
        continue;
      }
      add(group);
      // Beside the bytes stand characters. hexdump and the like set off eight bytes from the next.
      const bool half = !address && bytes_.size() == before + 8;
      if (behind.size() > 1 && blank(behind[0]) && blank(behind[1]) && !half) break;
    }
    return at;
  }

  std::size_t groups() const { return groups_; }  // of the last line
  bool dump() const { return bytes_.size() >= 8; }

  void read(std::string& out) {
    add_readable(bytes_, out);
    if (!words_) return;
    // Numbers of two bytes, the lesser first.
    for (std::size_t i = 0; i + 1 < bytes_.size(); i += 2) std::swap(bytes_[i], bytes_[i + 1]);
    add_readable(bytes_, out);
  }
  void clear() {
    bytes_.clear();
    words_ = true;
  }

 private:
  // Whether the first group of a line is no bytes, but says where they are: by a colon, by being longer than
  // the next group, or alone on the line behind others.
  static bool offset(std::string_view group, std::string_view behind, bool others) {
    if (behind.empty() || behind[0] == '\n' || behind[0] == '\r')
      return others && group.size() >= offset_least;
    if (behind[0] == ':') return behind.size() > 1 && blank(behind[1]);
    if (!blank(behind[0])) return false;
    std::size_t begin = 0;
    while (begin < behind.size() && blank(behind[begin])) ++begin;
    std::size_t end = begin;
    while (end < behind.size() && end - begin < group.size() && in(hex_values, behind[end])) ++end;
    return end > begin && end - begin < group.size();
  }

  void add(std::string_view group) {
    ++groups_;
    words_ = words_ && group.size() == 4;
    for (std::size_t i = 0; i + 1 < group.size(); i += 2)
      bytes_ += static_cast<char>(value_of(hex_values, group[i]) << 4 | value_of(hex_values, group[i + 1]));
  }

  std::string bytes_;
  std::size_t groups_ = 0;
  bool words_ = true;  // every group has four digits
};

// The beginning of the next line, if the characters beside the bytes of this one end there.
std::size_t next_line(std::string_view text, std::size_t at) {
  const std::size_t end = text.substr(at, characters_most).find('\n');
  return end == std::string_view::npos ? end : at + end + 1;
}

}  // namespace

void add_hex(std::string_view text, std::string& out) { add_digits(in_a_row, text, out); }

void add_dumps(std::string_view text, std::string& out) {
  Dump dump;
  for (std::size_t at = 0; (at = next_run(dump_values, text, at, run_least)) != std::string_view::npos;) {
    dump.clear();
    at = dump.line(text, at);
    if (dump.groups() < groups_least) continue;
    for (std::size_t next = next_line(text, at); next != std::string_view::npos; next = next_line(text, at)) {
      const std::size_t end = dump.line(text, next);
      if (dump.groups() == 0) break;
      at = end;
    }
    if (dump.dump()) dump.read(out);
  }
}

}  // namespace policy::detect
