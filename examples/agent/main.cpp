// scripted-agent: a scripted MCP client, for the quickstart and for trying things out.
//   scripted-agent [--set NAME=VALUE]… [--quiet] [--within-ms N] SCRIPT -- COMMAND…
// Exit 0: the script went as written; 1: a step failed; 2: usage.

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "examples/agent/player.hpp"

namespace {

constexpr const char* usage =
    "usage: scripted-agent [--set NAME=VALUE]… [--quiet] [--within-ms N] SCRIPT -- COMMAND…\n";

struct Options {
  agent::Setting setting;
  agent::Transcript::Detail detail = agent::Transcript::Detail::messages;
  std::string script;
  std::vector<std::string> command;
};

bool read_options(int argc, char** argv, Options& options) {
  int at = 1;
  for (; at < argc && std::strcmp(argv[at], "--") != 0; ++at) {
    const std::string word = argv[at];
    if (word == "--quiet") {
      options.detail = agent::Transcript::Detail::none;
    } else if (word == "--within-ms" && at + 1 < argc) {
      options.setting.within = std::chrono::milliseconds(std::atol(argv[++at]));
    } else if (word == "--set" && at + 1 < argc && std::strchr(argv[at + 1], '=') != nullptr) {
      const std::string pair = argv[++at];
      options.setting.variables[pair.substr(0, pair.find('='))] = pair.substr(pair.find('=') + 1);
    } else if (word.rfind("--", 0) != 0 && options.script.empty()) {
      options.script = word;
    } else {
      return false;
    }
  }
  for (++at; at < argc; ++at) options.command.emplace_back(argv[at]);
  return !options.script.empty() && !options.command.empty();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!read_options(argc, argv, options)) {
    std::fputs(usage, stderr);
    return 2;
  }
  std::ifstream file(options.script, std::ios::binary);
  std::stringstream script;
  script << file.rdbuf();
  if (!file) {
    std::fprintf(stderr, "scripted-agent: cannot read `%s`\n", options.script.c_str());
    return 2;
  }
  std::signal(SIGPIPE, SIG_IGN);
  try {
    options.setting.environment = agent::own_environment();
    agent::Peer peer({options.command, options.setting.environment, {}, {}});
    agent::Player player(options.setting, &peer, agent::Transcript("agent", options.detail));
    player.play(script.str());
    peer.end_input();
    peer.wait(std::chrono::steady_clock::now() + std::chrono::seconds(10));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "scripted-agent: %s\n", error.what());
    return 1;
  }
}
