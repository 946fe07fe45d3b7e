// callgate ledger hold set|release|list: what no purge and no erasure may take.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "approvals/custody.hpp"
#include "ledger/reader.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/custody.hpp"
#include "proxy/commands/ledger_commands.hpp"
#include "proxy/commands/operator.hpp"
#include "proxy/commands/report.hpp"

namespace proxy::commands {
namespace {

using ledger::Hold;

struct HoldSet {
  std::string mission, agent, since, until, reason;
  bool all = false;
};

std::string time_text(std::int64_t time) {
  return base::utc_text(base::WallTime(std::chrono::nanoseconds(time)));
}

std::string shown(const Hold& hold) {
  switch (hold.scope) {
    case Hold::Scope::mission: return "mission " + base::quoted(hold.of);
    case Hold::Scope::agent: return "agent " + base::quoted(hold.of);
    case Hold::Scope::time: return "from " + time_text(hold.from) + " until " + time_text(hold.until);
    case Hold::Scope::all: return "all";
  }
  return "all";
}

base::Result<Hold> hold_from(const HoldSet& options) {
  Hold hold;
  int given = 0;
  const auto of = [&](Hold::Scope scope, const std::string& name) {
    hold.scope = scope;
    hold.of = name;
    ++given;
  };
  if (!options.mission.empty()) of(Hold::Scope::mission, options.mission);
  if (!options.agent.empty()) of(Hold::Scope::agent, options.agent);
  if (options.all) of(Hold::Scope::all, {});
  if (!options.since.empty() || !options.until.empty()) {
    of(Hold::Scope::time, {});
    const auto now = base::wall_now();
    const auto from = since_when(options.since.empty() ? "1970-01-01" : options.since, now);
    const auto until =
        options.until.empty() ? base::Result<base::WallTime>(now) : since_when(options.until, now);
    if (!from || !until) return (from ? until : from).error();
    hold.from = from->time_since_epoch().count();
    hold.until = until->time_since_epoch().count();
    if (hold.from > hold.until) return base::Error(base::Code::invalid, "the hold ends before it begins");
  }
  if (given != 1)
    return base::Error(base::Code::invalid,
                       "say what is held: one of --mission, --agent, --since/--until, --all");
  return hold;
}

int set_hold(const HoldSet& options) {
  const auto hold = hold_from(options);
  if (!hold) return fail(hold.error(), exit_usage);
  if (const auto good = check_reason(options.reason); !good) return fail(good.error(), exit_usage);
  const auto custody = open_custody();
  if (!custody) return fail(custody.error(), exit_failed);
  const auto written =
      custody->writer->append_now({{approvals::make_hold(custody->writer->ledger_id(), *hold, options.reason,
                                                         custody->key, base::random_bytes(16))},
                                   {}});
  if (!written) return fail(written.error(), exit_failed);
  std::printf("hold %llu: %s\n", static_cast<unsigned long long>(written->records.front().sequence),
              shown(*hold).c_str());
  return 0;
}

int release(std::uint64_t id) {
  const auto custody = open_custody();
  if (!custody) return fail(custody.error(), exit_failed);
  const ledger::Fold fold = custody->writer->state();
  const auto hold = fold.holds().find(id);
  if (hold == fold.holds().end())
    return fail({base::Code::not_found, "there is no hold " + std::to_string(id)}, exit_failed);
  const auto written = custody->writer->append_now(
      {{approvals::release_hold(custody->writer->ledger_id(), hold->second, custody->key)}, {}});
  if (!written) return fail(written.error(), exit_failed);
  std::printf("hold %llu is released\n", static_cast<unsigned long long>(id));
  return 0;
}

int list() {
  const auto here = find_surroundings();
  if (!here) return fail(here.error());
  const auto reader = ledger::Reader::open({here->state_folder});
  const auto fold = reader ? (*reader)->state() : base::Result<ledger::Fold>(reader.error());
  if (!fold) return fail(fold.error(), exit_failed);
  for (const auto& [id, hold] : fold->holds())
    std::printf("%llu  %s\n", static_cast<unsigned long long>(id), shown(hold).c_str());
  if (fold->holds().empty()) std::fprintf(stderr, "nothing is held\n");
  return 0;
}

}  // namespace

void add_ledger_hold(CLI::App& ledger, int& exit) {
  CLI::App* hold = ledger.add_subcommand(
      "hold",
      "Keep what a mission, an agent or a time left behind, whatever would purge or erase it.\n"
      "Example: callgate ledger hold set --mission nightly --reason \"incident 7\"");
  hold->require_subcommand(1);
  auto options = std::make_shared<HoldSet>();
  CLI::App* set = hold->add_subcommand("set", "Set a hold.\nExample: callgate ledger hold set --agent codex");
  set->add_option("--mission", options->mission, "All of this mission")->type_name("ID");
  set->add_option("--agent", options->agent, "All missions that this agent took part in")->type_name("NAME");
  set->add_option("--since", options->since, "All from then on, as `ledger list --since` takes it")
      ->type_name("WHEN");
  set->add_option("--until", options->until, "All until then (default: now)")->type_name("WHEN");
  set->add_flag("--all", options->all, "All that is on record");
  set->add_option("--reason", options->reason, "Why; goes on record")->type_name("TEXT");
  set->callback([options, &exit] { exit = set_hold(*options); });
  auto id = std::make_shared<std::uint64_t>(0);
  CLI::App* released =
      hold->add_subcommand("release", "Release a hold.\nExample: callgate ledger hold release 17");
  released->add_option("ID", *id, "Number of the hold, from `hold list`")->type_name("")->required();
  released->callback([id, &exit] { exit = release(*id); });
  hold->add_subcommand("list", "List the holds that stand.\nExample: callgate ledger hold list")
      ->callback([&exit] { exit = list(); });
}

}  // namespace proxy::commands
