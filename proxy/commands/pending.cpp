// callgate pending [ID]: what waits for an answer; with a number, all of that one.

#include <unistd.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "approvals/ask.hpp"
#include "approvals/render.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/commands/commands.hpp"
#include "proxy/commands/operator.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/commands/terminal.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {
namespace {

void print_json(const std::vector<approvals::AskView>& waiting) {
  std::string text = "[";
  for (const approvals::AskView& each : waiting)
    text += (text.size() > 1 ? ",\n " : "") + approvals::json_text(approvals::to_json(each));
  std::printf("%s]\n", text.c_str());
}

int pending(std::uint64_t id, bool one, bool json) {
  const auto here = find_surroundings();
  if (!here) return fail(here.error(), exit_failed);
  auto waiting = read_waiting({here->state_folder});
  if (!waiting) return fail(waiting.error(), exit_failed);
  if (one) std::erase_if(*waiting, [id](const approvals::AskView& each) { return each.id() != id; });
  if (json) {
    print_json(*waiting);
  } else if (one) {
    for (const approvals::AskView& each : *waiting)
      for (const std::string& line : approvals::full_text(
               each, base::wall_now(), {.width = std::max(terminal_width(), approvals::width_min)}, false))
        std::printf("%s\n", line.c_str());
  } else {
    for (const approvals::AskView& each : *waiting)
      std::printf("%s\n", approvals::headline(each, base::wall_now()).c_str());
    if (waiting->empty())
      std::fprintf(stderr, "nothing is waiting\n");
    else if (::isatty(STDOUT_FILENO) != 0)
      std::fprintf(stderr,
                   "`callgate pending ID` shows all of one; `callgate approve ID`, `callgate deny ID`\n");
  }
  if (one && waiting->empty()) {
    complain("no approval " + std::to_string(id) + " is waiting");
    return exit_failed;
  }
  return 0;
}

}  // namespace

void add_pending(CLI::App& app, int& exit) {
  struct Options {
    std::uint64_t id = 0;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "pending", "List the calls that wait for an answer.\nExample: callgate pending --json");
  CLI::Option* id = command->add_option("ID", options->id, "Show all of this one")->type_name("");
  command->add_flag("--json", options->json, "Print a list of objects with `id`");
  command->callback([options, id, &exit] { exit = pending(options->id, id->count() > 0, options->json); });
}

}  // namespace proxy::commands
