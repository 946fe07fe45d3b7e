// case_runner CALLGATE WORKSHOP CASE-FOLDER: plays one end-to-end case (tests/cases/README.md).
// Exit 0: all as expected; 1: not, with what was found; 2: usage; 77: it cannot run here.

#include <csignal>
#include <cstdio>
#include <exception>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/cases/runner/check.hpp"
#include "tests/cases/runner/scratch.hpp"

namespace {

using agent::Player;
using agent::Transcript;
using cases::Scratch;

constexpr std::chrono::seconds end_grace{20};

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The agent's and the operator's scripts side by side. What went wrong, or empty.
std::string play(const Scratch& scratch) {
  std::string operator_wrong;
  std::thread operator_thread([&] {
    try {
      Player player(scratch.setting(), nullptr, Transcript("operator", Transcript::Detail::messages));
      player.play(scratch.text("operator.jsonl"));
    } catch (const std::exception& error) {
      operator_wrong = std::string("operator.jsonl, ") + error.what() + "\n";
    }
  });
  std::string wrong;
  try {
    agent::Peer peer(scratch.start());
    Player player(scratch.setting(), &peer, Transcript("agent", Transcript::Detail::messages));
    player.play(scratch.text("agent.jsonl"));
    peer.end_input();
    if (!peer.wait(std::chrono::steady_clock::now() + end_grace))
      wrong = "callgate did not end after its input\n";
  } catch (const std::exception& error) {
    wrong = std::string("agent.jsonl, ") + error.what() + "\n";
  }
  operator_thread.join();
  return wrong + operator_wrong;
}

// What the operator did before the agent came: the shell line `before` of case.json.
std::string prepare(const Scratch& scratch) {
  const std::string line = scratch.options().value("before", "");
  if (line.empty()) return {};
  const agent::Setting setting = scratch.setting();
  const agent::Ran ran = agent::run_shell(line, setting.environment, setting.directory,
                                          std::chrono::steady_clock::now() + end_grace);
  return ran.status == 0 ? std::string()
                         : "`before` ended with " + std::to_string(ran.status) + ": " + ran.output;
}

std::string check_ledger(const Scratch& scratch) {
  const agent::Setting setting = scratch.setting();
  const auto deadline = std::chrono::steady_clock::now() + end_grace;
  const auto run = [&](const std::string& words) {
    return agent::run_shell("'" + setting.callgate + "' " + words, setting.environment, setting.directory,
                            deadline);
  };
  const agent::Ran listed = run("ledger list --records --limit 1000000 --json");
  std::string wrong;
  if (listed.status != 0)
    wrong += "`ledger list --records --json` ended with " + std::to_string(listed.status) + "\n";
  const std::string records =
      cases::check_entries(scratch.text("records.jsonl"), cases::read_entries(listed.output));
  if (!records.empty()) wrong += "records.jsonl, " + records + "\nthe ledger:\n" + listed.output;
  const agent::Ran verified = run("ledger verify 2>&1");
  if (verified.status != 0) wrong += "`ledger verify` says: " + verified.output;
  const agent::Ran second = agent::run_shell("! command -v python3 >/dev/null || exec python3 '" +
                                                 setting.variables.at("VERIFIER") + "' '" +
                                                 setting.variables.at("STATE") + "' 2>&1",
                                             setting.environment, setting.directory, deadline);
  if (second.status != 0) wrong += "the second verifier says: " + second.output;
  return wrong;
}

std::string run_case(const Scratch& scratch) {
  std::string wrong = prepare(scratch);
  if (wrong.empty()) wrong = play(scratch);
  const std::string received = file_text(scratch.server_log());
  const std::string server =
      cases::check_entries(scratch.text("server.jsonl"), cases::read_entries(received));
  if (!server.empty()) wrong += "server.jsonl, " + server + "\nthe server received:\n" + received;
  if (scratch.options().value("ledger", true)) wrong += check_ledger(scratch);
  if (!wrong.empty()) wrong += "stderr of callgate:\n" + file_text(scratch.errors());
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: case_runner CALLGATE WORKSHOP CASE-FOLDER\n", stderr);
    return 2;
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::string wrong;
  try {
    const Scratch scratch(argv[3], {argv[1], argv[2]});
    wrong = run_case(scratch);
  } catch (const cases::CannotRun& reason) {
    std::printf("skipped: %s\n", reason.what());
    return 77;
  } catch (const std::exception& error) {
    wrong = std::string(error.what()) + "\n";
  }
  if (!wrong.empty()) std::printf("\nFAILED: %s", wrong.c_str());
  return wrong.empty() ? 0 : 1;
}
