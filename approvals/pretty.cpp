#include "approvals/pretty.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "proxy/base/utf8.hpp"

namespace approvals {
namespace {

constexpr std::size_t depth_max = 128;
constexpr std::size_t slack_bytes = 1u
                                    << 20;  // beside four times the input: indents of many members far inside

class Printer {
 public:
  explicit Printer(std::string_view json) : json_(json) {}

  std::optional<std::string> print() {
    if (!value()) return std::nullopt;
    while (!closers_.empty())
      if (!step() || too_long_) return std::nullopt;
    skip_space();
    if (at_ != json_.size()) return std::nullopt;
    return std::move(out_);
  }

 private:
  // One member, or the end, of the innermost array or object.
  bool step() {
    skip_space();
    if (take(closers_.back())) {
      const bool empty = first_;
      const char closer = closers_.back();
      closers_.pop_back();
      if (!empty) new_line();
      out_ += closer;
      first_ = false;
      return true;
    }
    if (!first_) {
      if (!take(',')) return false;
      if (!block_) out_ += ',';
    }
    first_ = false;
    block_ = false;
    new_line();
    if (closers_.back() == ']') return value();
    std::string key;
    if (!string(key)) return false;
    out_ += quoted(key) + ": ";
    skip_space();
    return take(':') && value();
  }

  bool value() {
    skip_space();
    if (at_ >= json_.size()) return false;
    const char next = json_[at_];
    if (next == '{' || next == '[') {
      if (closers_.size() >= depth_max) return false;
      ++at_;
      out_ += next;
      closers_ += next == '{' ? '}' : ']';
      first_ = true;
      block_ = false;
      return true;
    }
    if (next != '"') return scalar();
    std::string text;
    if (!string(text)) return false;
    if (text.find('\n') == std::string::npos)
      out_ += quoted(text);
    else
      print_block(text);
    return true;
  }

  // true, false, null and numbers, as they are spelled.
  bool scalar() {
    const std::size_t start = at_;
    while (at_ < json_.size() &&
           std::string_view("+-.0123456789abcdefghijklmnopqrstuvwxyzE").find(json_[at_]) !=
               std::string_view::npos)
      ++at_;
    out_ += json_.substr(start, at_ - start);
    return at_ > start;
  }

  bool string(std::string& text) {
    if (!take('"')) return false;
    while (at_ < json_.size()) {
      const char next = json_[at_++];
      if (next == '"') return true;
      if (next != '\\') {
        text += next;
      } else if (!escape(text)) {
        return false;
      }
    }
    return false;
  }

  bool escape(std::string& text) {
    if (at_ >= json_.size()) return false;
    static constexpr std::string_view names = "\"\\/bfnrt";
    static constexpr std::string_view values = "\"\\/\b\f\n\r\t";
    const char name = json_[at_++];
    if (name != 'u') {
      const std::size_t found = names.find(name);
      if (found == std::string_view::npos) return false;
      text += values[found];
      return true;
    }
    std::uint32_t point = 0;
    if (!hex4(point)) return false;
    if (point >= 0xD800 && point <= 0xDBFF) {
      std::uint32_t low = 0;
      if (json_.substr(at_, 2) != "\\u") return false;
      at_ += 2;
      if (!hex4(low) || low < 0xDC00 || low > 0xDFFF) return false;
      point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
    } else if (point >= 0xDC00 && point <= 0xDFFF) {
      return false;
    }
    base::utf8::append(text, point);
    return true;
  }

  bool hex4(std::uint32_t& point) {
    if (json_.size() - at_ < 4) return false;
    for (int i = 0; i < 4; ++i) {
      const char digit = json_[at_++];
      const std::uint32_t number =
          digit >= '0' && digit <= '9'   ? static_cast<std::uint32_t>(digit - '0')
          : digit >= 'a' && digit <= 'f' ? static_cast<std::uint32_t>(digit - 'a' + 10)
          : digit >= 'A' && digit <= 'F' ? static_cast<std::uint32_t>(digit - 'A' + 10)
                                         : 16u;
      if (number > 15) return false;
      point = point << 4 | number;
    }
    return true;
  }

  // As JSON, escaping no more than JSON must.
  static std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char next : text) {
      const auto byte = static_cast<unsigned char>(next);
      std::array<char, 8> code{};
      if (next == '"' || next == '\\') {
        out += '\\';
        out += next;
      } else if (next == '\n') {
        out += "\\n";
      } else if (next == '\t') {
        out += "\\t";
      } else if (next == '\r') {
        out += "\\r";
      } else if (byte < 0x20) {
        std::snprintf(code.data(), code.size(), "\\u%04x", byte);
        out += code.data();
      } else {
        out += next;
      }
    }
    return out + "\"";
  }

  void print_block(std::string_view text) {
    const bool ended = text.ends_with('\n');
    if (ended) text.remove_suffix(1);
    std::size_t lines = 1;
    for (const char next : text) lines += next == '\n' ? 1 : 0;
    out_ += "text of " + std::to_string(lines) + (lines == 1 ? " line" : " lines") +
            (ended ? "" : ", no line feed at the end");
    for (std::size_t start = 0; start <= text.size();) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      new_line();
      out_ += "╎ ";
      out_ += text.substr(start, end - start);
      start = end + 1;
    }
    block_ = true;
  }

  void new_line() {
    too_long_ = too_long_ || out_.size() > 4 * json_.size() + slack_bytes;
    out_ += '\n';
    out_.append(2 * closers_.size(), ' ');
  }

  void skip_space() {
    while (at_ < json_.size() && std::string_view(" \t\r\n").find(json_[at_]) != std::string_view::npos)
      ++at_;
  }

  bool take(char expected) {
    if (at_ >= json_.size() || json_[at_] != expected) return false;
    ++at_;
    return true;
  }

  std::string_view json_;
  std::size_t at_ = 0;
  std::string out_;
  std::string closers_;  // of the arrays and objects that are open, innermost last
  bool first_ = true;    // nothing yet in the innermost
  bool too_long_ = false;
  bool block_ = false;  // the last value was a block: a comma would belong to no line
};

}  // namespace

std::optional<std::string> pretty(std::string_view json) { return Printer(json).print(); }

}  // namespace approvals
