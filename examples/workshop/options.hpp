#pragma once
// How the workshop misbehaves when asked to. Without options it is a well-behaved server.

#include <optional>
#include <string>

namespace workshop {

struct Options {
  std::optional<long> die_after;  // ends without an answer once so many tool calls were answered
  bool garbage = false;           // a line that is no JSON before each answer
  bool ignore_eof = false;        // lives on after its input has ended
  bool ignore_term = false;       // lives on after SIGTERM
  bool noise = false;             // one line on stderr for each message
  bool spawn = false;             // leaves a process in a session of its own, with our pipes open
  std::string log;                // file that gets each received line as it came
};

// Nothing, after a sentence on stderr, when the arguments are wrong or ask for help.
std::optional<Options> read_options(int argc, char** argv);

}  // namespace workshop
