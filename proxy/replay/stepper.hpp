#pragma once
// Going through entries one at a time: commands in, what to show out, without I/O. A command is a line; on a
// terminal keys make the same commands.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "proxy/replay/timeline.hpp"

namespace proxy::replay {

inline constexpr const char* step_help =
    "n/b: next, back  number: that call  v: next violation  d: next denied  /TEXT: search  Space: more  q: "
    "quit";

struct Step {
  enum class What { show, say, more, quit } what = What::say;
  std::string text;  // to say
  bool operator==(const Step&) const = default;
};

class Stepper {
 public:
  // `places` of entries, at least one; the first is the one shown.
  Stepper(const Timeline& timeline, std::vector<std::size_t> places);

  // `n` or nothing, `b`, a call's number, `v`, `d`, `/TEXT` (`/` alone: the same again), a blank, `?`, `q`.
  // `v` and `d` and searches start behind the entry shown and go round.
  Step command(const std::string& command);

  std::size_t place() const { return places_[at_]; }  // shown, in the timeline
  std::size_t at() const { return at_; }              // among those gone through
  std::size_t count() const { return places_.size(); }

 private:
  template <class Fits>
  Step find(const Fits& fits, const std::string& none);
  Step jump(const std::string& number);

  const Timeline& timeline_;
  std::vector<std::size_t> places_;
  std::size_t at_ = 0;
  bool shown_before_ = false;  // `v` as the first command finds the first of all
  std::string search_;
};

// Keys to commands: letters act at once, numbers and searches with Enter. Escape sequences do nothing, but
// that the cursor keys go to the next and back.
class StepKeys {
 public:
  // A whole command; nullopt: typed on.
  std::optional<std::string> key(unsigned char byte);
  const std::string& typed() const { return typed_; }  // a number or search so far

 private:
  enum class Escape { none, begun, sequence } escape_ = Escape::none;
  std::string typed_;
};

}  // namespace proxy::replay
