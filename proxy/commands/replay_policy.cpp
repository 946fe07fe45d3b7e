// callgate replay MISSION --policy FILE: what another policy would have decided. Writes nothing.

#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <utility>

#include "ledger/reader.hpp"
#include "policy/policy.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/path_shown.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/replay_commands.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/replay/what_if.hpp"
#include "proxy/setup/load_policy.hpp"

namespace proxy::commands {
namespace {

using base::json::Value;
using policy::Tier;
using replay::WhatIf;

constexpr std::size_t effect_bytes_max = 300;

// Loosened ones first, the widest before all.
constexpr std::array<std::pair<Tier, Tier>, 6> changes{{{Tier::deny, Tier::allow},
                                                        {Tier::ask, Tier::allow},
                                                        {Tier::deny, Tier::ask},
                                                        {Tier::allow, Tier::ask},
                                                        {Tier::ask, Tier::deny},
                                                        {Tier::allow, Tier::deny}}};

std::string by(const std::string& rule) { return rule.empty() ? "the default" : base::quoted(rule); }

std::string line_of(const WhatIf::Call& call) {
  std::string line = "  call " + std::to_string(call.sequence) + " " + base::printable(call.name) + ": by " +
                     by(call.then_by) + ", now by " + by(call.now_by);
  if (!call.now_place.empty())
    line += " (" + base::printable(call.now_place, base::path_shown_bytes_max) + ")";
  if (!call.effect.empty()) line += ", for " + base::quoted(call.effect, effect_bytes_max);
  if (call.hypothetical) line += "; hypothetical";
  return line;
}

// What a judgement of then did not look at, and this one did.
void print_today(const WhatIf& what_if) {
  std::size_t count = 0;
  std::string path;
  for (const WhatIf::Call& call : what_if.calls) {
    if (call.asked_today.empty()) continue;
    if (count++ == 0) path = call.asked_today;
  }
  if (count != 0)
    std::printf("judged also by what stands there today, at %s and elsewhere: %zu\n",
                base::quoted(path, effect_bytes_max).c_str(), count);
}

void print_text(const WhatIf& what_if) {
  std::size_t same = what_if.calls.size();
  for (const auto& [then, now] : changes) {
    std::string lines;
    std::size_t count = 0;
    for (const WhatIf::Call& call : what_if.calls) {
      if (call.then != then || call.now != now) continue;
      lines += line_of(call) + "\n";
      ++count;
    }
    same -= count;
    if (count != 0)
      std::printf("%s → %s: %zu\n%s", policy::name(then), policy::name(now), count, lines.c_str());
  }
  std::printf("the same: %zu\n", same);
  print_today(what_if);
  for (const auto& [why, numbers] : what_if.unknown)
    std::printf("UNKNOWN: %zu, %s\n", numbers.size(), base::printable(why, effect_bytes_max).c_str());
}

void print_json(const WhatIf& what_if) {
  Value matrix = Value::object(), calls = Value::array(), unknown = Value::object();
  for (const WhatIf::Call& call : what_if.calls) {
    Value& count = matrix[std::string(policy::name(call.then)) + "-" + policy::name(call.now)];
    count = count.is_null() ? 1 : count.get<int>() + 1;
    if (call.changed())
      calls.push_back({{"record", call.sequence},
                       {"call", base::printable(call.name)},
                       {"then", policy::name(call.then)},
                       {"now", policy::name(call.now)},
                       {"then_by", call.then_by},
                       {"now_by", call.now_by},
                       {"place", base::printable(call.now_place, base::path_shown_bytes_max)},
                       {"effect", base::printable(call.effect, effect_bytes_max)},
                       {"hypothetical", call.hypothetical},
                       {"asked_today", base::printable(call.asked_today, effect_bytes_max)}});
  }
  for (const auto& [why, numbers] : what_if.unknown) unknown[why] = numbers;
  const Value report{
      {"matrix", matrix}, {"changed", calls}, {"unknown", unknown}, {"loosened", what_if.loosened()}};
  std::printf("%s\n", report.dump(2).c_str());
}

}  // namespace

int replay_policy(const Surroundings& here, const ReplayOptions& options) {
  auto bytes = base::read_file(options.policy, 2 * policy::policy_bytes_max);
  if (!bytes) return fail(bytes.error(), exit_usage);
  const policy::Source file{layer_of(here, options.policy), options.policy, std::move(*bytes), true};
  if (const auto loads = policy::Policy::load({file}, here.workspace, here.home); !loads)
    return fail(loads.error(), exit_usage);
  const auto verified = verified_mission(here, options.mission);
  if (!verified) return fail(verified.error(), exit_usage);
  const auto reader = ledger::Reader::open({here.state_folder});
  if (!reader) return fail(reader.error(), exit_usage);
  const auto span = replay::find_mission(**reader, options.mission);
  if (!span) return fail(span.error(), exit_usage);
  const auto what_if = replay::judge_under(**reader, here, *span, file);
  if (!what_if) return fail(what_if.error(), exit_usage);
  options.json ? print_json(*what_if) : print_text(*what_if);
  return what_if->loosened() ? exit_failed : 0;
}

}  // namespace proxy::commands
