// callgate grants, grants revoke: what the operator allowed beforehand, and taking it back.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "approvals/ask.hpp"
#include "approvals/grant.hpp"
#include "approvals/render.hpp"
#include "ledger/reader.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/json.hpp"
#include "proxy/commands/commands.hpp"
#include "proxy/commands/operator.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/commands/terminal.hpp"
#include "proxy/mission/live_grants.hpp"
#include "proxy/mission/mission.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {
namespace {

std::string utc(std::int64_t nanoseconds) {
  return base::utc_text(base::WallTime(std::chrono::nanoseconds(nanoseconds)));
}

std::string tool_of(const ledger::Record& ask) {
  if (!ask.capability) return {};
  return ask.capability->tool.empty() ? ask.capability->method : ask.capability->tool;
}

// Of scope `call` the arguments that the rule does not tell of, as recorded; empty: they are gone, or it is
// another.
std::string arguments_of(const ledger::Reader& reader, const RecordedGrant& read) {
  if (read.scope != approvals::GrantScope::call) return {};
  const auto bytes = reader.payload(read.ask, "arguments");
  return bytes && *bytes ? **bytes : std::string();
}

base::json::Value as_json(const RecordedGrant& read, const std::string& arguments) {
  const ledger::Record& record = read.grant.record;
  base::json::Value value = {{"id", record.sequence},
                             {"mission", record.mission},
                             {"server", record.server},
                             {"tool", tool_of(read.ask.record)},
                             {"scope", approvals::name(read.scope)},
                             {"rule", read.rule},
                             {"given", utc(record.time)},
                             {"given_at", read.ask.record.sequence},
                             {"expires", utc(record.operator_->valid_until)}};
  if (auto parsed = base::json::parse(arguments)) value["arguments"] = std::move(*parsed);
  return value;
}

void print(const RecordedGrant& read, const std::string& arguments) {
  const ledger::Record& record = read.grant.record;
  std::printf("%llu  %s %s  in %s  for the %s  until %s\n", static_cast<unsigned long long>(record.sequence),
              approvals::render_inline(record.server, 40).c_str(),
              approvals::render_inline(tool_of(read.ask.record), 60).c_str(),
              approvals::render_inline(record.mission, 80).c_str(), approvals::name(read.scope),
              utc(record.operator_->valid_until).c_str());
  const approvals::RenderOptions options{.width = std::max(terminal_width(), approvals::width_min)};
  const bool call = read.scope == approvals::GrantScope::call;
  if (call && arguments.empty()) std::printf("its arguments are not on record any more\n");
  const approvals::Rendered shown =
      call ? approvals::render_json(arguments, options) : approvals::render(read.rule, options);
  for (const std::string& line : shown.lines) std::printf("%s\n", line.c_str());
}

int list_grants(const std::string& mission, bool json) {
  const auto here = find_surroundings();
  if (!here) return fail(here.error(), exit_failed);
  const auto reader = ledger::Reader::open({here->state_folder});
  if (!reader && reader.error().code() != base::Code::not_found) return fail(reader.error(), exit_failed);
  const auto fold = reader ? (*reader)->state() : base::Result<ledger::Fold>(ledger::Fold());
  if (!fold) return fail(fold.error(), exit_failed);
  const std::int64_t now = base::wall_now().time_since_epoch().count();
  base::json::Value rows = base::json::Value::array();
  bool any = false;
  for (const auto& [record, grant] : fold->grants()) {
    if (grant.expires <= now || (!mission.empty() && grant.mission != mission)) continue;
    const ledger::Mission* of = fold->mission(grant.mission);
    const auto gone = of == nullptr ? base::Result<bool>(true) : agent_gone(**reader, *of);
    if (!gone) return fail(gone.error(), exit_failed);
    if (*gone) continue;  // the next run ends it
    const auto read = read_grant(**reader, grant, fold->operator_key().value_or(""));
    if (!read) {
      complain(read.error().text());
      continue;
    }
    any = true;
    if (json)
      rows.push_back(as_json(*read, arguments_of(**reader, *read)));
    else
      print(*read, arguments_of(**reader, *read));
  }
  if (json)
    std::printf("%s\n", approvals::json_text(rows).c_str());
  else if (!any)
    std::fprintf(stderr, "no grant stands\n");
  return 0;
}

int revoke(std::uint64_t id, const std::string& reason) {
  const auto here = find_surroundings();
  if (!here) return fail(here.error(), exit_failed);
  if (const auto good = check_reason(reason); !good) return fail(good.error());
  const auto none = base::Error(base::Code::not_found, "there is no grant " + std::to_string(id) +
                                                           " that stands (see `callgate grants`)");
  const auto reader = ledger::Reader::open({here->state_folder});
  if (!reader)
    return fail(reader.error().code() == base::Code::not_found ? none : reader.error(), exit_failed);
  const auto fold = (*reader)->state();
  if (!fold) return fail(fold.error(), exit_failed);
  const auto stored = (*reader)->record(id);
  if (!stored) return fail(stored.error(), exit_failed);
  if (!fold->grants().contains(id) || !*stored) return fail(none, exit_failed);
  const auto key = matching_key(here->state_folder, *fold);
  if (!key) return fail(key.error(), exit_failed);
  const auto writer = operator_writer(here->state_folder, *key);
  if (!writer) return fail(writer.error(), exit_failed);
  const auto written =
      (*writer)->append_now(approvals::make_revocation(**stored, reason, *key, base::random_bytes(16)));
  if (!written) return fail(written.error(), exit_failed);
  std::printf("grant %llu is taken back (record %llu)\n", static_cast<unsigned long long>(id),
              static_cast<unsigned long long>(written->records.front().sequence));
  return 0;
}

}  // namespace

void add_grants(CLI::App& app, int& exit) {
  struct Options {
    std::string mission;
    bool json = false;
    std::uint64_t id = 0;
    std::string reason;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("grants",
                                         "List what is allowed beforehand, in missions under way.\n"
                                         "Example: callgate grants\n"
                                         "Example: callgate grants revoke 17");
  command->require_subcommand(0, 1);
  command->add_option("--mission", options->mission, "Only of this one")->type_name("NAME");
  command->add_flag("--json", options->json, "Print a list of objects with `id`");
  CLI::App* taking_back = command->add_subcommand(
      "revoke", "Take a grant back: what it covers is asked again.\nExample: callgate grants revoke 17");
  taking_back->add_option("ID", options->id, "Number of the grant, from `callgate grants`")
      ->type_name("")
      ->required();
  taking_back->add_option("--reason", options->reason, "Why; goes on record")->type_name("TEXT");
  taking_back->callback([options, &exit] { exit = revoke(options->id, options->reason); });
  command->callback([options, command, &exit] {
    if (command->get_subcommands().empty()) exit = list_grants(options->mission, options->json);
  });
}

}  // namespace proxy::commands
