#pragma once
// The console's keys as a state machine without I/O: bytes and times in, one thing to do out. What it holds:
// - only `a` allows, and only when every line of this ask has been shown and the last page has stood for 700
// ms; for the mission only `y`, after `m` or `e` under the same terms, and once the rule has stood as long;
// - Enter, Space, Esc, end of input and anything inside an escape sequence (Alt+a, a cursor key) never allow;
// - an ask that is no longer waiting cannot be answered. Where it ends while somebody types, the reason stays
// a
//   text up to Enter or Esc, and no key of the same burst opens or answers another.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "proxy/base/clock.hpp"

namespace approvals::console {

inline constexpr std::chrono::milliseconds armed_after{700};
inline constexpr std::size_t reason_bytes_max = 2000;

enum class What {
  nothing,
  list,      // show what waits
  open,      // show `id` from its first page; then pages(count)
  open_raw,  // the same with raw arguments
  page,      // show page `page` of the open ask
  say,       // show `text`
  reason,    // show the reason typed so far, `text`
  allow,     // answer `id`
  deny,      // answer `id`, reason `text`
  offer,     // show what would be granted at `id` in scope `text`; then offered(), if it can be
  grant,     // answer `id`, and grant what was offered
  help,
  quit,
};

struct ToDo {
  What what = What::nothing;
  std::uint64_t id = 0;
  std::size_t page = 0;
  std::string text;
  bool operator==(const ToDo&) const = default;
};

class Keys {
 public:
  // What waits now, in the order shown. Closes the open ask when it is not among them.
  void waiting(std::vector<std::uint64_t> ids);
  // The open ask has so many pages (at least 1), of which the first has just been shown.
  void pages(std::size_t count, base::MonotonicTime now);
  // The page that page() asked for has just been shown.
  void shown(base::MonotonicTime now);
  // What offer asked for has just been shown: `y` grants it, any other key does not.
  void offered(base::MonotonicTime now);
  ToDo key(unsigned char byte, base::MonotonicTime now);

  std::optional<std::uint64_t> open() const { return open_; }
  bool all_shown() const { return open_ && page_count_ > 0 && page_shown_ == page_count_; }
  bool armed(base::MonotonicTime now) const { return all_shown() && now - shown_at_ >= armed_after; }

 private:
  bool in_burst(unsigned char byte, std::chrono::nanoseconds pause);
  bool inside_escape(unsigned char byte, base::MonotonicTime now);
  ToDo command(unsigned char byte, base::MonotonicTime now);
  ToDo reason_key(unsigned char byte);
  ToDo open_ask(std::uint64_t id, bool raw);
  ToDo step(int direction);
  ToDo enter();
  ToDo allow(base::MonotonicTime now, ToDo what);
  ToDo offer_key(unsigned char byte, base::MonotonicTime now);

  enum class Escape { none, begun, sequence };
  Escape escape_ = Escape::none;
  base::MonotonicTime escape_at_{};
  std::vector<std::uint64_t> ids_;
  std::optional<std::uint64_t> open_;
  std::size_t page_count_ = 0;
  std::size_t page_shown_ = 0;
  base::MonotonicTime shown_at_{};
  std::string number_;
  std::string reason_;
  bool typing_reason_ = false;
  std::optional<std::uint64_t> ended_;  // the open ask that waits no longer, until the typing pauses
  base::MonotonicTime last_key_at_{};
  std::optional<base::MonotonicTime> offered_at_;  // a grant stands to be given
};

}  // namespace approvals::console
