// callgate replay MISSION, without another mode: the timeline.

#include <cstdio>

#include "ledger/reader.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/replay_commands.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/replay/mission_span.hpp"

namespace proxy::commands {

int replay_timeline(const Surroundings& here, const ReplayOptions& options) {
  const auto reader = ledger::Reader::open({here.state_folder});
  if (!reader) return fail(reader.error());
  const auto span = replay::find_mission(**reader, options.mission);
  if (!span) return fail(span.error());
  std::printf("mission %s, since record %llu\n", base::printable(span->id).c_str(),
              static_cast<unsigned long long>(span->first));
  return 0;
}

}  // namespace proxy::commands
