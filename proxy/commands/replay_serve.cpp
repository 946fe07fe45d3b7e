// callgate replay MISSION --serve: the recording as an MCP server on stdin and stdout. No network, no
// process.

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <map>
#include <string>

#include "ledger/reader.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/path_shown.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/replay_commands.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/commands/verified.hpp"
#include "proxy/replay/player.hpp"
#include "transports/line_framer.hpp"

namespace proxy::commands {
namespace {

base::Result<replay::Recording> from_ledger(const Surroundings& here, const ReplayOptions& options) {
  const auto report = verified(here);
  if (!report) return report.error();
  if (!ledger::is_sound(report->level))
    return base::Error(base::Code::refused,
                       "the ledger is " + std::string(ledger::name(report->level)) +
                           ": a recording of it is not served (`callgate ledger verify`)");
  const auto reader = ledger::Reader::open({here.state_folder});
  if (!reader) return reader.error();
  const auto span = replay::find_mission(**reader, options.mission);
  if (!span) return span.error();
  return replay::read_recording(**reader, *span, options.filter.server);
}

// A file that is there is a cassette; names of missions hold no `/`.
base::Result<replay::Recording> recording(const Surroundings& here, const ReplayOptions& options) {
  if (options.mission.find('/') == std::string::npos && !options.mission.ends_with(".jsonl"))
    return from_ledger(here, options);
  const auto cassette = base::read_file(options.mission, replay::cassette_bytes_max);
  if (!cassette) return cassette.error();
  auto read = replay::recording_from(*cassette);
  if (!read)
    return base::Error(read.error().code(), base::quoted(options.mission, base::path_shown_bytes_max) + ": " +
                                                read.error().text());
  return read;
}

bool say(const std::string& line) {
  const std::string bytes = line + "\n";
  for (std::string_view left = bytes; !left.empty();) {
    const ssize_t count = ::write(STDOUT_FILENO, left.data(), left.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    left.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void serve(replay::Player& player) {
  transports::LineFramer framer(transports::Limits{}.message_bytes_max);
  std::array<char, 65536> bytes{};
  for (;;) {
    const ssize_t count = ::read(STDIN_FILENO, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    framer.push({bytes.data(), static_cast<std::size_t>(count)});
    while (auto line = framer.next()) {
      const std::string answer = player.answer(std::move(line->bytes));
      if (!answer.empty() && !say(answer)) return;
    }
  }
}

int report_divergence(const replay::Divergence& divergence) {
  for (const std::string& each : divergence.extra) complain("not on record: " + base::printable(each, 300));
  for (const replay::Exchange* each : divergence.unmade)
    complain("on record and not made: call " + std::to_string(each->record) + ", " +
             base::printable(replay::called(*each)) + " " + base::printable(each->arguments));
  return divergence.any() ? exit_failed : 0;
}

}  // namespace

int replay_serve(const Surroundings& here, const ReplayOptions& options) {
  const std::map<std::string, replay::Match> matches{{"strict", replay::Match::strict},
                                                     {"ordered", replay::Match::ordered},
                                                     {"arguments", replay::Match::arguments}};
  auto read = recording(here, options);
  if (!read) return fail(read.error(), exit_usage);
  replay::Player player(std::move(*read), matches.at(options.match));
  serve(player);
  return report_divergence(player.divergence());
}

}  // namespace proxy::commands
