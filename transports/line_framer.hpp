#pragma once
// Bytes to lines. No I/O.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "transports/message.hpp"

namespace transports {

// push() bytes as they come, next() until nullopt. A line ends at `\n`; one `\r` before it is kept in the line.
// Blank lines (only white space) are skipped. A line over the limit is discarded up to its newline and comes out
// as a Refusal with the top-level id, wherever in the line it stood (found while skimming, in constant memory).
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
  // the implementer's
};

}  // namespace transports
