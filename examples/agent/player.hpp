#pragma once
// Plays a script: JSON Lines, one step a line, as the MCP client of a server, or as the operator of callgate,
// or both.
// `#` begins a comment line; `${NAME}` is replaced by a variable. SCRIPT.md lists the steps.

#include <deque>
#include <stdexcept>
#include <string>

#include "examples/agent/match.hpp"
#include "examples/agent/peer.hpp"
#include "examples/agent/transcript.hpp"

namespace agent {

// A step that did not go as the script says: the step's line number and what was found instead.
struct Failed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Setting {
  std::map<std::string, std::string> variables;
  Environment environment;                  // of the commands that steps run
  std::string directory;                    // where they run
  std::string callgate = "callgate";        // for the operator's steps
  std::chrono::milliseconds within{20000};  // how long a step may take
};

class Player {
 public:
  // `peer` may be null: a script without messages.
  Player(const Setting& setting, Peer* peer, const Transcript& transcript);

  // Throws Failed at the first step that fails.
  void play(const std::string& script);

 private:
  void step(const Json& step);
  bool message_step(const Json& step);
  bool event_step(const Json& step);
  bool operator_step(const Json& step);

  void initialize(const Json& options);
  void call(const Json& step);
  void send(const Json& message);
  Json expect(const Json& wanted);
  void expect_line(const std::string& wanted);
  void never(const Json& unwanted);
  void expect_end(const Json& wanted);
  void answer(const std::string& verb, const Json& wanted, const Json& step);
  Json pending();

  bool receive(Deadline deadline);
  void until(const std::string& what, bool (*holds)(const std::string&), const std::string& subject);
  Deadline deadline(const Json& step) const;
  Peer& peer();
  Ran shell(const std::string& command);

  struct Received {
    std::string line;
    Json message;
  };
  Setting setting_;
  Peer* peer_;
  Transcript transcript_;
  std::deque<Received> received_;  // not yet expected
  Deadline deadline_;              // of the step being played
  std::int64_t next_id_ = 1;
};

// `${NAME}` replaced; an unknown name throws Failed.
std::string substitute(const std::string& text, const std::map<std::string, std::string>& variables);

}  // namespace agent
