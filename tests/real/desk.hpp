#pragma once
// A place of its own for one test: configuration, state, home and workspace under one scratch folder, the
// programs under test, and the tally of `ok` and `not ok` lines. Waits have a limit and then throw.

#include <chrono>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ledger/reader.hpp"
#include "tests/bench/child.hpp"

namespace real {

using Milliseconds = std::chrono::milliseconds;

// What a test program is given: CALLGATE WORKSHOP SCRATCH [--seed N] [--count N]
struct Arguments {
  std::string callgate, workshop, scratch;
  std::uint64_t seed = 0;  // from the clock unless given
  long count = 0;          // of what the program repeats; 0: its own default
};
// Ends the program with 2 and `usage` on anything else; prints the seed.
Arguments read_arguments(int argc, char** argv);

class Tally {
 public:
  // Prints `ok NAME` or `not ok NAME`, the latter with the detail.
  void check(bool condition, const std::string& name, const std::string& detail = {});
  // Prints `N passed, N failed`; the exit code.
  int finish() const;

 private:
  int passed_ = 0, failed_ = 0;
};

// What a test program stands on.
struct Stage {
  std::string name;  // of its folder
  const char* policy;
  const char* settings;
};

class Desk {
 public:
  // Empties the folder, writes `policy.toml` and `callgate.toml`, changes to the workspace and sets the
  // environment of this process, which every child inherits.
  Desk(const Arguments& arguments, const Stage& stage);

  void write_settings(const std::string& settings) const;
  // argv of `callgate run --name workshop -- WORKSHOP --log LOG MORE…`
  std::vector<std::string> run(const std::string& log, const std::vector<std::string>& more = {}) const;

  struct Ended {
    int code = -1;  // exit code; -1: ended by a signal
    std::string output;
  };
  // One other command of callgate, to its end.
  Ended callgate(const std::vector<std::string>& words) const;
  std::vector<std::string> pending() const;  // ids
  // Waits until so many asks are pending.
  std::vector<std::string> wait_pending(std::size_t count) const;

  std::string workspace() const { return folder_ + "/workspace"; }
  std::string file(const std::string& name) const { return folder_ + "/" + name; }
  std::string state() const { return folder_ + "/state/callgate"; }

  // Every record from `first` on. Read with the ledger's own reader, which `ledger list` is compared with.
  std::vector<ledger::StoredRecord> records(std::uint64_t first = 0) const;
  // `params` of each tools/call that the workshop received; a last line that was cut is left out.
  std::vector<nlohmann::json> calls_received(const std::string& log) const;
  // Processes, but for this one, that work in our folder or have its name in their command line.
  std::vector<pid_t> processes() const;
  // Waits until there are none.
  bool all_gone() const;

 private:
  std::string callgate_, workshop_, folder_;
};

// One MCP session with a started command.
class Session {
 public:
  // Starts the command and initialises. `client` names us.
  explicit Session(const std::vector<std::string>& command, const std::string& client = "callgate-real");
  // False: the other side is gone.
  bool call(long id, const std::string& tool, const nlohmann::json& arguments);
  bool notify(const std::string& method, const nlohmann::json& parameters);
  // The next message with an id and no method; null at end of output.
  nlohmann::json answer(Milliseconds patience = Milliseconds(20000));
  // Ends the input and waits for the exit code; -1: signal, or too late.
  int close();
  bench::Child& child() { return child_; }

 private:
  bench::Child child_;
};

// A whole test program: the arguments, a desk, `play`, and what must hold after each: the ledger verifies and
// no process is left. What is thrown fails it. The exit code.
using Play = std::function<void(const Arguments&, const Desk&, Tally&)>;
int run_on_desk(int argc, char** argv, const Stage& stage, const Play& play);

bool is_error(const nlohmann::json& answer);
std::string text(const nlohmann::json& answer);  // of the first content

// Polls `condition` until it holds or the patience is over.
template <class Condition>
bool wait_until(const Condition& condition, Milliseconds patience = Milliseconds(10000));

void pause_briefly();

template <class Condition>
bool wait_until(const Condition& condition, Milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    pause_briefly();
  }
  return true;
}

}  // namespace real
