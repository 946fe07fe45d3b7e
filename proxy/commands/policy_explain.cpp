// callgate policy explain: what would be decided about one call, and why. Writes nothing.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ledger/reader.hpp"
#include "policy/catalogue/catalogue.hpp"
#include "policy/path/file_system.hpp"
#include "policy/path/path.hpp"
#include "policy/policy.hpp"
#include "policy/review/explain.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/policy.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/mission/live_grants.hpp"
#include "proxy/mission/sessions_under_way.hpp"
#include "proxy/setup/folders.hpp"
#include "proxy/setup/load_policy.hpp"
#include "proxy/setup/surroundings.hpp"
#include "proxy/setup/trust.hpp"

namespace proxy::commands {
namespace {

struct Options {
  std::string tool;
  std::string arguments = "{}";
  std::string policy;
  std::string directory;
  std::string workspace;
  std::string mission;  // whose grants count
  std::optional<std::string> entry;
  std::vector<std::string> command;  // behind `--`
  bool json = false;
};

base::Result<policy::Call> read_call(const Options& options) {
  policy::Call call;
  const std::size_t slash = options.tool.find('/');
  if (slash == std::string::npos)
    return base::Error(base::Code::invalid,
                       "--tool is written SERVER/TOOL, not " + base::quoted(options.tool));
  call.server = options.tool.substr(0, slash);
  call.tool = options.tool.substr(slash + 1);
  call.method = "tools/call";
  auto arguments = base::json::parse(options.arguments);
  if (!arguments) return base::Error(base::Code::invalid, "--args: " + arguments.error().message());
  if (!arguments->is_object()) return base::Error(base::Code::invalid, "--args must be a JSON object");
  call.arguments = std::move(*arguments);
  return call;
}

// As `run` does where the server's command line is given.
base::Result<void> bind(policy::Call& call, const Options& options, const policy::Scene& scene) {
  if (options.command.empty()) {
    auto entry = policy::entry_without_command(options.entry, call.server);
    if (!entry) return entry.error();
    call.catalogue_entry = std::move(*entry);
    return {};
  }
  if (options.entry)
    return base::Error(base::Code::invalid, "a command behind `--` says what `--catalogue` would: give one");
  const policy::ServerIdentity server = policy::identify(options.command, call.server);
  if (server.entry != nullptr) call.catalogue_entry = server.entry->name;
  call.folders = folders_of_server(server, scene).value_or(std::vector<std::string>());
  return {};
}

// Rather than let a guess pass for what the server does.
void say_if_guessed(const Options& options, const policy::Call& call, const policy::Decision& decision) {
  const bool guessed = std::any_of(decision.effects.begin(), decision.effects.end(),
                                   [](const policy::Effect& effect) { return effect.guessed; });
  if (!guessed || !call.catalogue_entry.empty() || !options.command.empty() || options.entry) return;
  complain("effects are guessed: the catalogue has no entry " + base::quoted(call.server) +
           "; give the server's command behind `--`, as `run` has it");
}

int exit_for(policy::Tier tier) {
  switch (tier) {
    case policy::Tier::allow: return 0;
    case policy::Tier::ask: return 10;
    case policy::Tier::deny: return 20;
  }
  return 20;
}

// What stands in a mission, whichever of its agents it was given to.
struct MissionGrants {
  std::vector<policy::Grant> counted;
  std::vector<std::uint64_t> of_calls;  // of one very call each, which is known by more than is given here
};

base::Result<MissionGrants> grants_of(const Surroundings& here, const std::string& mission) {
  if (mission.empty()) return MissionGrants();
  const auto reader = ledger::Reader::open({here.state_folder});
  const auto fold = reader ? (*reader)->state() : base::Result<ledger::Fold>(reader.error());
  if (!fold && fold.error().code() != base::Code::not_found) return fold.error();
  if (!fold || fold->mission(mission) == nullptr)
    return base::Error(base::Code::not_found, "no mission " + base::quoted(mission) + " is under way");
  LiveGrants grants({here.state_folder}, mission, std::nullopt, {here.workspace, here.home});
  MissionGrants found{grants.standing({}, {}, complain), {}};
  const std::int64_t now = base::wall_now().time_since_epoch().count();
  for (const auto& [record, grant] : fold->grants()) {
    if (grant.mission != mission || grant.expires <= now) continue;
    const auto read = read_grant(**reader, grant, fold->operator_key().value_or(""));
    if (read && read->scope == approvals::GrantScope::call) found.of_calls.push_back(record);
  }
  return found;
}

std::string numbers_text(const std::vector<std::uint64_t>& numbers) {
  std::string text;
  for (const std::uint64_t number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

std::vector<std::uint64_t> numbers_of(const std::vector<policy::Grant>& grants) {
  std::vector<std::uint64_t> numbers;
  for (const policy::Grant& grant : grants) numbers.push_back(grant.id);
  return numbers;
}

std::string grants_text(const MissionGrants& grants, const std::string& mission) {
  if (mission.empty()) return {};
  const std::string name = "mission " + base::quoted(mission);
  if (grants.counted.empty() && grants.of_calls.empty()) return "  grants: " + name + " has none\n";
  std::string text = "  grants of " + name + " that count here: " +
                     (grants.counted.empty() ? "none" : numbers_text(numbers_of(grants.counted)));
  if (!grants.of_calls.empty())
    text += "; not counted, since each is of one very call: " + numbers_text(grants.of_calls);
  return text + " (see `callgate grants`)\n";
}

int explain_call(const Options& options) {
  const auto here = find_workspace(options.workspace);
  if (!here) return fail(here.error(), exit_usage);
  auto call = read_call(options);
  if (!call) return fail(call.error(), exit_usage);
  const auto at_start = load_policy(*here, options.policy, trusted_on_record(*here));
  if (!at_start) return fail(at_start.error(), exit_usage);
  const auto sessions = sessions_under_way(*here, options.policy, *at_start);
  if (!sessions) return fail(sessions.error(), exit_usage);
  const policy::Policy& policy = *sessions ? (*sessions)->policy : *at_start;
  const policy::FileSystem files;
  policy::Scene scene = scene_of(*here, files);
  if (!options.directory.empty()) scene.directory = policy::fold_path(options.directory, here->directory);
  if (const auto bound = bind(*call, options, scene); !bound) return fail(bound.error(), exit_usage);
  call->host_user = here->user;
  call->mission = options.mission;
  const auto grants = grants_of(*here, options.mission);
  if (!grants) return fail(grants.error(), exit_usage);
  const policy::Explanation explanation = policy::explain(policy, *call, scene, grants->counted);
  base::json::Value json = options.json ? policy::explanation_json(explanation) : base::json::Value();
  if (options.json && !options.mission.empty())
    json["grants"] = {{"counted", numbers_of(grants->counted)}, {"of_one_call", grants->of_calls}};
  std::fputs((options.json ? json.dump(2) + "\n"
                           : policy::explanation_text(explanation) + grants_text(*grants, options.mission))
                 .c_str(),
             stdout);
  if (*sessions)
    complain(notice_of(*here, **sessions, *at_start) + " (it would decide " +
             policy::name(policy::explain(*at_start, *call, scene, grants->counted).decision.tier) + ")");
  else if (const std::string notice = trust_notice(*here, policy.sources()); !notice.empty())
    complain(notice);
  say_if_guessed(options, *call, explanation.decision);
  return exit_for(explanation.decision.tier);
}

}  // namespace

void add_policy_explain(CLI::App& policy, std::vector<std::string> command_line, int& exit) {
  auto options = std::make_shared<Options>();
  options->command = std::move(command_line);
  CLI::App* command = policy.add_subcommand("explain",
                                            "Say what would be decided about a call: its effects, every rule "
                                            "that matches, and the one that decides.\n"
                                            "Exit 0 ALLOW, 10 ASK, 20 DENY, 2 usage or policy error.\n"
                                            "Example: callgate policy explain --tool files/read_file --args "
                                            "'{\"path\": \".env\"}' -- npx -y "
                                            "@modelcontextprotocol/server-filesystem .\n"
                                            "What stands behind `--` is the server's command, as of "
                                            "`callgate run`; it is not started.");
  command->add_option("--tool", options->tool, "The tool")->type_name("SERVER/TOOL")->required();
  command->add_option("--args", options->arguments, "The tool's arguments, a JSON object")->type_name("JSON");
  command->add_option("--policy", options->policy, "A mission policy, as of `callgate run --policy`")
      ->type_name("FILE");
  command->add_option("--cwd", options->directory, "Where the server runs (default: here)")
      ->type_name("FOLDER");
  command->add_option("--workspace", options->workspace, "Workspace (default: the git top level)")
      ->type_name("FOLDER");
  command
      ->add_option("--catalogue", options->entry,
                   "Catalogue entry of the server, where no command is given (default: the one of its name)")
      ->type_name("NAME");
  command
      ->add_option("--mission", options->mission, "The mission that it is a call of, with the grants in it")
      ->type_name("NAME");
  command->add_flag("--json", options->json, "For machines");
  command->callback([options, &exit] { exit = explain_call(*options); });
}

}  // namespace proxy::commands
