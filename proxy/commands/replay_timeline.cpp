// callgate replay MISSION, without another mode: the timeline as text, JSON or a page, or entry by entry.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "ledger/reader.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/path_shown.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/replay_commands.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/commands/terminal.hpp"
#include "proxy/commands/verified.hpp"
#include "proxy/replay/html.hpp"
#include "proxy/replay/json.hpp"
#include "proxy/replay/mission_span.hpp"
#include "proxy/replay/read_timeline.hpp"
#include "proxy/replay/words.hpp"

namespace proxy::commands {
namespace {

constexpr std::size_t uncut_width = 4096;  // for files and pipes

base::Result<replay::Timeline> read(const ledger::Place& place, const std::string& mission,
                                    const ledger::Report& report, const replay::ReadOptions& options) {
  const auto reader = ledger::Reader::open(place);
  if (!reader) return reader.error();
  const auto span = replay::find_mission(**reader, mission);
  if (!span) return span.error();
  return replay::read_timeline(**reader, *span, report, options);
}

int print_text(const VerifiedMission& mission, const replay::Filter& filter) {
  const auto options = text_options();
  const auto places = replay::fitting(mission.timeline, filter);
  for (const std::string& line : replay::heading_lines(mission.timeline, mission.checked, options))
    std::printf("%s\n", line.c_str());
  std::printf("\n");
  for (const std::string& line : replay::entry_lines(mission.timeline, places, options))
    std::printf("%s\n", line.c_str());
  if (places.empty()) complain("nothing of this mission fits");
  return exit_of(mission.checked.level);
}

int write_html(const VerifiedMission& mission, const ReplayOptions& options) {
  const auto places = replay::fitting(mission.timeline, options.filter);
  const std::string page = replay::timeline_html(mission.timeline, places, mission.checked);
  if (const auto written = base::write_file(options.html, page, 0600); !written)
    return fail(written.error(), exit_failed);
  std::printf("%s\n", base::quoted(options.html, base::path_shown_bytes_max).c_str());
  return exit_of(mission.checked.level);
}

int print_json(const VerifiedMission& mission, const replay::Filter& filter) {
  const auto places = replay::fitting(mission.timeline, filter);
  std::printf("%s\n", replay::timeline_json(mission.timeline, places, mission.checked).dump(2).c_str());
  return exit_of(mission.checked.level);
}

}  // namespace

replay::TextOptions text_options() {
  const char* no_colour = std::getenv("NO_COLOR");
  const bool wanted = no_colour == nullptr || *no_colour == 0;
  if (::isatty(STDOUT_FILENO) == 0) return {.width = uncut_width};
  return {.width = terminal_width(), .colour = wanted};
}

base::Result<std::vector<VerifiedMission>> verified_missions(const Surroundings& here,
                                                             const std::vector<std::string>& missions,
                                                             const replay::ReadOptions& options) {
  const ledger::Place place{here.state_folder};
  const auto report = verified(place);
  if (!report) return report.error();
  std::vector<VerifiedMission> all;
  for (const std::string& mission : missions) {
    auto timeline = read(place, mission, *report, options);
    if (!timeline) {
      for (const ledger::Finding& each : report->findings) complain("finding: " + replay::finding_text(each));
      if (!report->loss.empty()) complain(report->loss);
      return timeline.error();
    }
    auto checked = replay::checked_of(*report, timeline->span, replay::last_record(*timeline));
    all.push_back({std::move(*timeline), std::move(checked)});
  }
  return all;
}

base::Result<VerifiedMission> verified_mission(const Surroundings& here, const std::string& mission) {
  auto missions = verified_missions(here, {mission}, {});
  if (!missions) return missions.error();
  return std::move(missions->front());
}

int replay_timeline(const Surroundings& here, const ReplayOptions& options) {
  const auto mission = verified_mission(here, options.mission);
  if (!mission) return fail(mission.error());
  if (!options.html.empty()) return write_html(*mission, options);
  if (options.step) return step_through(*mission, options.filter);
  if (options.json) return print_json(*mission, options.filter);
  return print_text(*mission, options.filter);
}

}  // namespace proxy::commands
