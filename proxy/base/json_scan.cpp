#include "proxy/base/json_scan.hpp"

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "proxy/base/json.hpp"
#include "proxy/base/json_keys.hpp"
#include "proxy/base/json_number.hpp"
#include "proxy/base/text.hpp"

namespace base::json {
namespace {

class Scanner {
 public:
  Scanner(std::string_view text, const Limits& limits, const Visit& visit)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), limits_(limits), visit_(visit) {
    frames_.reserve(16);
  }

  Result<Place> run() {
    if (end_ - at_ >= 3 && std::memcmp(at_, "\xEF\xBB\xBF", 3) == 0) fail("byte order mark");
    skip_space();
    Place top{Type::null, offset(), 0};
    if (!error_) top.type = type_here();
    while (!error_ && step()) {
    }
    if (error_) return *error_;
    top.size = offset() - top.offset;
    skip_space();
    if (at_ != end_) fail("data after the value");
    if (error_) return *error_;
    return top;
  }

 private:
  struct Frame {
    Place member;  // of an object: the member whose value is being read
    bool object = false;
    bool visited = false;  // reached through objects alone, and not too deep
  };
  // What the grammar wants next.
  enum class Want { value, first_key, key, first_element, after_value };

  std::size_t offset() const { return static_cast<std::size_t>(at_ - begin_); }

  void fail(std::string_view what, Code code = Code::invalid) { fail_at(what, at_, code); }
  void fail_at(std::string_view what, const char* where, Code code = Code::invalid) {
    if (!error_)
      error_ = Error(code, "json: " + std::string(what) + " at byte " + std::to_string(where - begin_));
  }

  void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }

  // By the first byte alone; value() says what is broken.
  Type type_here() const {
    if (at_ == end_) return Type::null;
    switch (*at_) {
      case '{': return Type::object;
      case '[': return Type::array;
      case '"': return Type::string;
      case 't':
      case 'f': return Type::boolean;
      case 'n': return Type::null;
      default: return Type::number;
    }
  }

  // One token or more. False: the top-level value is complete, or broken.
  bool step() {
    skip_space();
    switch (want_) {
      case Want::first_element:
        if (at_ != end_ && *at_ == ']') return close();
        value();
        break;
      case Want::value: value(); break;
      case Want::first_key:
        if (at_ != end_ && *at_ == '}') return close();
        key();
        break;
      case Want::key: key(); break;
      case Want::after_value: return after_value();
    }
    return !error_ && !(frames_.empty() && want_ == Want::after_value);
  }

  void value() {
    if (at_ == end_) return fail("unexpected end");
    want_ = Want::after_value;
    if (++values_ > limits_.values_max)
      return fail("more than " + std::to_string(limits_.values_max) + " values", Code::limit);
    switch (*at_) {
      case '{':
      case '[': return open();
      case '"': {
        StringScan ignored;
        return string(ignored);
      }
      case 't': return literal("true");
      case 'f': return literal("false");
      case 'n': return literal("null");
      default: return number();
    }
  }

  void literal(std::string_view word) {
    if (static_cast<std::size_t>(end_ - at_) < word.size() || std::memcmp(at_, word.data(), word.size()) != 0)
      return fail("unexpected character");
    at_ += word.size();
  }

  void number() {
    const NumberScan scan = scan_number(at_, end_);
    if (scan.end == nullptr)
      return fail(*at_ == '-' || (*at_ >= '0' && *at_ <= '9') ? "malformed number" : "unexpected character");
    if (scan.overflows) return fail("number that no double holds");
    at_ = scan.end;
  }

  void string(StringScan& scan) {
    scan = scan_string(at_ + 1, end_);
    if (scan.problem != nullptr) return fail_at(scan.problem, scan.problem_at);
    at_ = scan.end;
  }

  void open() {
    if (frames_.size() >= limits_.depth_max)
      return fail("more than " + std::to_string(limits_.depth_max) + " levels", Code::limit);
    const bool object = *at_ == '{';
    const bool reached = frames_.empty() || (frames_.back().visited && frames_.back().object);
    Frame frame;
    frame.object = object;
    frame.visited = object && reached && frames_.size() < path_max && static_cast<bool>(visit_);
    frames_.push_back(frame);
    if (object) keys_.open_object(frames_.size());
    ++at_;
    want_ = object ? Want::first_key : Want::first_element;
  }

  bool close() {
    if (frames_.back().object) keys_.close_object();
    frames_.pop_back();
    ++at_;
    want_ = Want::after_value;
    return !frames_.empty();
  }

  void key() {
    if (at_ == end_) return fail("unexpected end");
    if (*at_ != '"') return fail("a key must be a string");
    const char* const start = at_;
    StringScan scan;
    string(scan);
    if (error_) return;
    if (scan.nul) return fail_at("NUL in a key", start);
    std::string_view name(start + 1, static_cast<std::size_t>(at_ - start) - 2);
    if (scan.escaped) name = stored(name);
    if (!keys_.add(name)) return fail_at("duplicate key " + quoted(name, 60), start);
    skip_space();
    if (at_ == end_ || *at_ != ':') return fail("expected `:`");
    ++at_;
    skip_space();
    want_ = Want::value;
    Frame& frame = frames_.back();
    if (!frame.visited) return;
    path_[frames_.size() - 1] = name;
    frame.member = {type_here(), offset(), 0};
  }

  // Unescaped, in memory that lasts as long as the scan: all keys together are no longer than the text.
  std::string_view stored(std::string_view body) {
    if (!unescaped_) {
      unescaped_ = std::make_unique_for_overwrite<char[]>(static_cast<std::size_t>(end_ - begin_));
      unescaped_end_ = unescaped_.get();
    }
    char* const start = unescaped_end_;
    unescaped_end_ = unescape_to(body, start);
    return {start, static_cast<std::size_t>(unescaped_end_ - start)};
  }

  bool after_value() {
    Frame& frame = frames_.back();
    if (frame.visited) {
      // White space before a comma was skipped: the value ends where its last byte was.
      frame.member.size = value_end() - frame.member.offset;
      visit_({std::span(path_).first(frames_.size()), frame.member});
    }
    if (at_ == end_) return fail("unexpected end"), false;
    if (*at_ == ',') {
      ++at_;
      want_ = frame.object ? Want::key : Want::value;
      return true;
    }
    if (*at_ == (frame.object ? '}' : ']')) return close();
    return fail("expected `,` or the end of what is open"), false;
  }

  std::size_t value_end() const {
    const char* at = at_;
    while (at[-1] == ' ' || at[-1] == '\n' || at[-1] == '\r' || at[-1] == '\t') --at;
    return static_cast<std::size_t>(at - begin_);
  }

  const char* const begin_;
  const char* at_;
  const char* const end_;
  const Limits& limits_;
  const Visit& visit_;
  Want want_ = Want::value;
  std::size_t values_ = 0;
  std::vector<Frame> frames_;
  OpenKeys keys_;
  std::array<std::string_view, path_max> path_;
  std::unique_ptr<char[]> unescaped_;
  char* unescaped_end_ = nullptr;
  std::optional<Error> error_;
};

}  // namespace

Result<Place> scan(std::string_view text, const Limits& limits, const Visit& visit) {
  if (text.size() > limits.bytes_max)
    return Error(Code::limit, "json: more than " + std::to_string(limits.bytes_max) + " bytes");
  return Scanner(text, limits, visit).run();
}

}  // namespace base::json
