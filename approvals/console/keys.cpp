#include "approvals/console/keys.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace approvals::console {
namespace {

constexpr unsigned char escape_byte = 0x1B;
// What a terminal sends for one key arrives together; a person's next key does not.
constexpr std::chrono::milliseconds sequence_within{50};
constexpr std::size_t digits_max = 18;

ToDo say(std::string text) { return {What::say, 0, 0, std::move(text)}; }

}  // namespace

void Keys::waiting(std::vector<std::uint64_t> ids) {
  ids_ = std::move(ids);
  if (!open_ || std::find(ids_.begin(), ids_.end(), *open_) != ids_.end()) return;
  ended_ = std::exchange(open_, std::nullopt);
  offered_at_.reset();
  page_count_ = page_shown_ = 0;
}

void Keys::pages(std::size_t count, base::MonotonicTime now) {
  if (!open_) return;
  page_count_ = std::max<std::size_t>(count, 1);
  page_shown_ = 1;
  shown_at_ = now;
}

void Keys::shown(base::MonotonicTime now) {
  if (page_shown_ >= page_count_) return;
  ++page_shown_;
  shown_at_ = now;
}

void Keys::offered(base::MonotonicTime now) {
  if (open_) offered_at_ = now;
}

bool Keys::inside_escape(unsigned char byte, base::MonotonicTime now) {
  if (escape_ != Escape::none && now - escape_at_ > sequence_within) escape_ = Escape::none;
  switch (escape_) {
    case Escape::none: return false;
    case Escape::begun:  // ESC [ and ESC O begin sequences; ESC and a character is Alt and that key
      escape_ = byte == '[' || byte == 'O' ? Escape::sequence
                : byte == escape_byte      ? Escape::begun
                                           : Escape::none;
      return true;
    case Escape::sequence:
      if (byte >= 0x40 && byte <= 0x7E) escape_ = Escape::none;
      return true;
  }
  return true;
}

// Keys that open or answer, meant for the ask that has just ended.
bool Keys::in_burst(unsigned char byte, std::chrono::nanoseconds pause) {
  if (!ended_ || typing_reason_) return false;
  if (pause < armed_after &&
      std::string_view("amednpr").find(static_cast<char>(byte)) != std::string_view::npos)
    return true;
  if (pause >= armed_after) ended_.reset();
  return false;
}

ToDo Keys::key(unsigned char byte, base::MonotonicTime now) {
  const auto pause = now - std::exchange(last_key_at_, now);
  if (inside_escape(byte, now)) return {};
  if (in_burst(byte, pause))
    return say("approval " + std::to_string(*ended_) + " waits no longer; pause before the next key");
  if (byte == escape_byte) {
    escape_ = Escape::begun;
    escape_at_ = now;
    number_.clear();
    if (std::exchange(offered_at_, std::nullopt)) return say("not granted");
    if (!typing_reason_) return {};
    typing_reason_ = false;
    reason_.clear();
    return say("not denied");
  }
  if (offered_at_) return offer_key(byte, now);
  return typing_reason_ ? reason_key(byte) : command(byte, now);
}

ToDo Keys::offer_key(unsigned char byte, base::MonotonicTime now) {
  const base::MonotonicTime at = *std::exchange(offered_at_, std::nullopt);
  if (byte != 'y') return say("not granted");
  if (now - at < armed_after) return say("not granted: it has only just been shown");
  return {What::grant, open_.value_or(0), 0, {}};
}

ToDo Keys::reason_key(unsigned char byte) {
  if (byte == '\r' || byte == '\n') {
    typing_reason_ = false;
    const std::string reason = std::exchange(reason_, {});
    if (!open_) return say("not denied: approval " + std::to_string(ended_.value_or(0)) + " waits no longer");
    return {What::deny, *open_, 0, reason};
  }
  if (byte == 0x7F || byte == 0x08) {
    while (!reason_.empty() && (static_cast<unsigned char>(reason_.back()) & 0xC0) == 0x80)
      reason_.pop_back();
    if (!reason_.empty()) reason_.pop_back();
  } else if (byte >= 0x20 && reason_.size() < reason_bytes_max) {
    reason_ += static_cast<char>(byte);
  }
  return {What::reason, open_ ? *open_ : ended_.value_or(0), 0, reason_};
}

ToDo Keys::command(unsigned char byte, base::MonotonicTime now) {
  if (byte >= '0' && byte <= '9') {
    if (number_.size() < digits_max) number_ += static_cast<char>(byte);
    return say(number_);
  }
  if (byte == '\r' || byte == '\n') return enter();
  number_.clear();
  switch (byte) {
    case 'q': return {What::quit, 0, 0, {}};
    case 'l': return {What::list, 0, 0, {}};
    case 'n': return step(1);
    case 'p': return step(-1);
    case 'a': return allow(now, {What::allow, 0, 0, {}});
    case 'm': return allow(now, {What::offer, 0, 0, "call"});
    case 'e': return allow(now, {What::offer, 0, 0, "effects"});
    case ' ':
      if (!open_) return {What::list, 0, 0, {}};
      if (page_shown_ < page_count_) return {What::page, *open_, page_shown_, {}};
      return say("all of it has been shown: a allows once, m or e for the mission, d denies");
    case 'r':
      if (open_) return open_ask(*open_, true);
      return say("no approval is open: type its number and Enter");
    case 'd':
      if (!open_) return say("no approval is open: type its number and Enter");
      typing_reason_ = true;
      reason_.clear();
      return {What::reason, *open_, 0, {}};
    case '?': return {What::help, 0, 0, {}};
    default: return byte > 0x20 && byte < 0x7F ? say("no key of the console; ? shows them") : ToDo{};
  }
}

ToDo Keys::enter() {
  std::uint64_t id = 0;
  const bool typed = std::from_chars(number_.data(), number_.data() + number_.size(), id).ec == std::errc{};
  number_.clear();
  if (!typed) return {};
  if (std::find(ids_.begin(), ids_.end(), id) == ids_.end())
    return say("no approval " + std::to_string(id) + " is waiting");
  return open_ask(id, false);
}

ToDo Keys::open_ask(std::uint64_t id, bool raw) {
  open_ = id;
  page_count_ = page_shown_ = 0;
  return {raw ? What::open_raw : What::open, id, 0, {}};
}

ToDo Keys::step(int direction) {
  if (ids_.empty()) return say("nothing is waiting");
  const auto at = open_ ? std::find(ids_.begin(), ids_.end(), *open_) : ids_.end();
  if (at == ids_.end()) return open_ask(direction > 0 ? ids_.front() : ids_.back(), false);
  const std::size_t count = ids_.size();
  const auto index = static_cast<std::size_t>(at - ids_.begin());
  return open_ask(ids_[direction > 0 ? (index + 1) % count : (index + count - 1) % count], false);
}

ToDo Keys::allow(base::MonotonicTime now, ToDo what) {
  if (!open_) return say("no approval is open: type its number and Enter");
  if (!all_shown()) return say("not allowed: read all of it first (Space shows more)");
  if (!armed(now)) return say("not allowed: it has only just been shown");
  what.id = *open_;
  return what;
}

}  // namespace approvals::console
