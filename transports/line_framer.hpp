#pragma once
// Bytes to lines. No I/O.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "transports/id_skimmer.hpp"
#include "transports/message.hpp"

namespace transports {

// push() bytes as they come, next() until nullopt. A line ends at `\n`; one `\r` before it is kept in the
// line. Blank lines (only white space) are skipped. A line over the limit is discarded up to its newline and
// comes out as a Refusal with the top-level id, wherever in the line it stood (found while skimming, in
// constant memory).
class LineFramer {
 public:
  explicit LineFramer(std::size_t line_bytes_max);
  void push(std::string_view bytes);
  struct Line {
    std::string bytes;
    std::optional<Refusal> refusal;  // set: oversize
  };
  std::optional<Line> next();
  // What is left at end of input: an unfinished line is not a message.
  bool unfinished() const;

 private:
  // Below this, copying a line out is cheaper than giving its buffer away.
  static constexpr std::size_t moved_bytes_min = 4096;

  Refusal oversize() const;
  void skim(std::size_t newline);
  std::string take(std::size_t newline);

  std::size_t line_bytes_max_;
  std::string buffer_;  // what is consumed ends at start_, what is known to hold no newline at searched_
  std::size_t start_ = 0;
  std::size_t searched_ = 0;
  std::optional<IdSkimmer> skimmer_;  // set: an oversize line is being discarded, or waits to be told
  bool oversize_ended_ = false;
};

}  // namespace transports
