// callgate replay MISSION --check: every decision made again from its record. Writes nothing.

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "ledger/reader.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/replay_commands.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/replay/check.hpp"

namespace proxy::commands {
namespace {

using base::json::Value;
using replay::Verdict;
using Decisions = std::vector<replay::RemadeDecision>;

constexpr std::size_t why_bytes_max = 2000;

std::size_t count(const Decisions& decisions, Verdict verdict) {
  return static_cast<std::size_t>(std::count_if(decisions.begin(), decisions.end(),
                                                [&](const auto& each) { return each.verdict == verdict; }));
}

void print_json(const Decisions& decisions) {
  Value others = Value::array();
  for (const auto& each : decisions)
    if (each.verdict != Verdict::same)
      others.push_back({{"record", each.sequence},
                        {"call", base::printable(each.call, why_bytes_max)},
                        {"verdict", replay::name(each.verdict)},
                        {"why", base::printable(each.why, why_bytes_max)}});
  const Value report{{"same", count(decisions, Verdict::same)},
                     {"different", count(decisions, Verdict::different)},
                     {"unknown", count(decisions, Verdict::unknown)},
                     {"not_same", others}};
  std::printf("%s\n", report.dump(2).c_str());
}

void print_text(const Decisions& decisions) {
  for (const auto& each : decisions)
    if (each.verdict != Verdict::same)
      std::printf("decision %llu %s: %s: %s\n", static_cast<unsigned long long>(each.sequence),
                  base::printable(each.call).c_str(), replay::name(each.verdict),
                  base::printable(each.why, why_bytes_max).c_str());
  std::printf("%zu decisions: %zu SAME, %zu DIFFERENT, %zu UNKNOWN\n", decisions.size(),
              count(decisions, Verdict::same), count(decisions, Verdict::different),
              count(decisions, Verdict::unknown));
}

}  // namespace

int replay_check(const Surroundings& here, const ReplayOptions& options) {
  const auto verified = verified_mission(here, options.mission);
  if (!verified) return fail(verified.error(), exit_usage);
  const auto reader = ledger::Reader::open({here.state_folder});
  if (!reader) return fail(reader.error(), exit_usage);
  const auto span = replay::find_mission(**reader, options.mission);
  if (!span) return fail(span.error(), exit_usage);
  const auto decisions = replay::check_mission(**reader, here, *span);
  if (!decisions) return fail(decisions.error(), exit_usage);
  options.json ? print_json(*decisions) : print_text(*decisions);
  return count(*decisions, Verdict::different) == 0 ? 0 : exit_failed;
}

}  // namespace proxy::commands
