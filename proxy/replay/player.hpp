#pragma once
// A recording as an MCP server: lines in, lines out, no I/O. Nothing is guessed: what is not on record is
// answered with an error that says what is.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/replay/recording.hpp"
#include "transports/message.hpp"

namespace proxy::replay {

// Which recorded call answers a call.
enum class Match {
  strict,     // the next one, and no other
  ordered,    // the first not yet used of the same name and arguments
  arguments,  // as ordered, and once all are used the last of them again
};

struct Divergence {
  std::vector<std::string> extra;       // calls that are not on record, in their order
  std::vector<const Exchange*> unmade;  // on record and not made
  bool any() const { return !extra.empty() || !unmade.empty(); }
};

class Player {
 public:
  Player(Recording recording, Match match);

  // What goes back for this line, without its end; empty: nothing does.
  std::string answer(std::string line);
  Divergence divergence() const;
  const Recording& recording() const { return recording_; }

 private:
  std::string answer_call(const transports::Message& request);
  const Exchange* find(const std::string& name, const std::string& method, const base::Digest& key);
  std::string unmatched(const transports::Message& request, const std::string& name);
  std::string tools() const;

  Recording recording_;
  Match match_;
  std::vector<base::Digest> keys_;  // of the exchanges
  std::vector<bool> used_;
  std::size_t next_ = 0;  // strict: after the last that was used
  std::vector<std::string> extra_;
};

}  // namespace proxy::replay
