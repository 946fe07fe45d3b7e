// callgate mission start, list, end: missions that the operator creates, and those that are under way.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "ledger/reader.hpp"
#include "ledger/writer.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/commands.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/mission/mission.hpp"
#include "proxy/setup/open_ledger.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {
namespace {

bool good_name(const std::string& text) {
  if (text.empty() || text.size() > 64 || text.starts_with("m-")) return false;
  return text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
         std::string::npos;
}

int start_mission(const std::string& name) {
  if (!good_name(name))
    return fail(
        {base::Code::invalid,
         "a mission's name has 1 to 64 letters, digits, `-`, `_` or `.`, and does not begin with `m-`"});
  const auto here = find_surroundings();
  if (!here) return fail(here.error());
  const auto writer = open_ledger(*here);
  if (!writer) return fail(writer.error());
  const auto written = (*writer)->append_now(named_mission_start(name, here->workspace));
  if (written) {
    std::printf("mission %s has begun; `callgate run --mission %s` joins it\n", base::quoted(name).c_str(),
                name.c_str());
    return 0;
  }
  const ledger::Fold fold = (*writer)->state();
  const ledger::Mission* standing = fold.mission_by_key(named_mission_key(name));
  if (written.error().code() != base::Code::conflict || standing == nullptr) return fail(written.error());
  complain("mission " + base::quoted(name) + " exists already: it is " + ledger::name(standing->state));
  return exit_failed;
}

int end_mission(const std::string& name) {
  const auto here = find_surroundings();
  if (!here) return fail(here.error());
  const auto writer = open_ledger(*here);
  if (!writer) return fail(writer.error());
  const auto written = (*writer)->append_now(mission_end(name, "the operator ended it"));
  if (!written) return fail(written.error());
  std::printf("mission %s has ended\n", base::quoted(name).c_str());
  return 0;
}

std::string counted_grants(std::size_t count) {
  if (count == 0) return {};
  return ", " + std::to_string(count) + (count == 1 ? " grant" : " grants") + " (see `callgate grants`)";
}

int list_missions(bool json) {
  const auto here = find_surroundings();
  if (!here) return fail(here.error());
  const auto reader = ledger::Reader::open({here->state_folder});
  if (!reader && reader.error().code() != base::Code::not_found) return fail(reader.error());
  base::json::Value rows = base::json::Value::array();
  const std::int64_t now = base::wall_now().time_since_epoch().count();
  if (reader) {
    const auto fold = (*reader)->state();
    if (!fold) return fail(fold.error());
    for (const auto& [id, mission] : fold->missions()) {
      const auto gone = agent_gone(**reader, mission);
      if (!gone) return fail(gone.error());
      const auto standing =
          std::count_if(fold->grants().begin(), fold->grants().end(), [&, &named = id](const auto& each) {
            return each.second.mission == named && each.second.expires > now;
          });
      rows.push_back({{"id", id},
                      {"state", ledger::name(*gone ? ledger::MissionState::ended : mission.state)},
                      {"agent_gone", *gone},
                      {"grants", *gone ? 0 : standing},
                      {"start", mission.start}});
    }
  }
  if (json) {
    std::printf("%s\n", rows.dump().c_str());
    return 0;
  }
  if (rows.empty()) std::fprintf(stderr, "no mission is under way\n");
  for (const auto& row : rows)
    std::printf(
        "%-16s %-18s since record %llu%s\n", base::printable(row["id"].get<std::string>()).c_str(),
        row["agent_gone"].get<bool>() ? "ended (agent gone)" : row["state"].get<std::string>().c_str(),
        row["start"].get<unsigned long long>(), counted_grants(row["grants"].get<std::size_t>()).c_str());
  return 0;
}

}  // namespace

void add_mission(CLI::App& app, int& exit) {
  CLI::App* mission =
      app.add_subcommand("mission", "Missions: one agent process on one workspace, over all its servers.");
  mission->require_subcommand(1);
  struct Options {
    std::string name;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* starting = mission->add_subcommand(
      "start", "Create a mission that `run --mission` can join.\nExample: callgate mission start nightly");
  starting->add_option("NAME", options->name, "Its name")->type_name("")->required();
  starting->callback([options, &exit] { exit = start_mission(options->name); });
  CLI::App* ending = mission->add_subcommand("end", "End a mission.\nExample: callgate mission end nightly");
  ending->add_option("NAME", options->name, "Its name or id")->type_name("")->required();
  ending->callback([options, &exit] { exit = end_mission(options->name); });
  CLI::App* listing = mission->add_subcommand(
      "list", "The missions on record that nobody has closed.\nExample: callgate mission list --json");
  listing->add_flag("--json", options->json, "A list of objects");
  listing->callback([options, &exit] { exit = list_missions(options->json); });
}

}  // namespace proxy::commands
