#include "proxy/base/json_tree.hpp"

#include <charconv>

#include "proxy/base/check.hpp"
#include "proxy/base/json_number.hpp"
#include "proxy/base/json_string.hpp"

namespace base::json {
namespace {

// Recursive: scan() has bounded the depth.
class Builder {
 public:
  explicit Builder(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  Value value() {
    skip_space();
    CHECK(at_ != end_);
    switch (*at_) {
      case '{': return object();
      case '[': return array();
      case '"': return string();
      case 't': at_ += 4; return true;
      case 'f': at_ += 5; return false;
      case 'n': at_ += 4; return nullptr;
      default: return number();
    }
  }

 private:
  void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r')) ++at_;
  }

  // The next character that is no white space, taken.
  char take() {
    skip_space();
    CHECK(at_ != end_);
    return *at_++;
  }

  bool take_if(char wanted) {
    skip_space();
    if (at_ == end_ || *at_ != wanted) return false;
    ++at_;
    return true;
  }

  std::string string() {
    const char* from = at_ + 1;
    const StringScan body = scan_string(from, end_);
    CHECK(body.end != nullptr);
    at_ = body.end;
    const std::string_view text(from, static_cast<std::size_t>(body.end - from) - 1);
    if (!body.escaped) return std::string(text);
    std::string out(text.size(), '\0');
    out.resize(static_cast<std::size_t>(unescape_to(text, out.data()) - out.data()));
    return out;
  }

  Value number() {
    const NumberScan scanned = scan_number(at_, end_);
    CHECK(scanned.end != nullptr);
    const char* from = std::exchange(at_, scanned.end);
    if (scanned.integer) {
      std::uint64_t positive = 0;
      if (*from != '-' && std::from_chars(from, at_, positive).ec == std::errc{}) return positive;
      std::int64_t negative = 0;
      if (*from == '-' && std::from_chars(from, at_, negative).ec == std::errc{}) return negative;
    }
    double real = 0;
    std::from_chars(from, at_, real);
    return real;
  }

  Value array() {
    ++at_;
    Value list = Value::array();
    if (take_if(']')) return list;
    do list.push_back(value());
    while (take() == ',');
    return list;
  }

  Value object() {
    ++at_;
    Value members = Value::object();
    if (take_if('}')) return members;
    do {
      skip_space();
      std::string key = string();
      take();  // the colon
      members.emplace(std::move(key), value());
    } while (take() == ',');
    return members;
  }

  const char* at_;
  const char* end_;
};

}  // namespace

Value tree(std::string_view scanned_text) { return Builder(scanned_text).value(); }

}  // namespace base::json
