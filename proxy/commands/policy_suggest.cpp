// callgate policy suggest MISSION: rules that would have let its denied and asked calls through. Writes
// nothing.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ledger/reader.hpp"
#include "policy/load/layers.hpp"
#include "policy/path/file_system.hpp"
#include "policy/policy.hpp"
#include "proxy/base/path_shown.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/policy.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/mission/sessions_under_way.hpp"
#include "proxy/recorded/calls.hpp"
#include "proxy/recorded/history.hpp"
#include "proxy/setup/load_policy.hpp"
#include "proxy/setup/surroundings.hpp"
#include "proxy/setup/trust.hpp"
#include "proxy/suggest/suggest.hpp"

namespace proxy::commands {
namespace {

struct Options {
  std::string mission;
  std::string policy;
  std::string workspace;
};

struct Gathered {
  std::vector<RecordedCall> calls;  // denied or asked, in this workspace
  LeftOut left_out;
  std::size_t all = 0;
};

// With what passed before each, as the policy counts it.
base::Result<Gathered> gather(const ledger::Reader& reader, const std::string& mission,
                              const Surroundings& here, const policy::Policy& policy) {
  Gathered gathered;
  std::vector<std::uint64_t> elsewhere;
  const policy::FileSystem links;
  ReplayedHistory history(policy.tallies());
  const auto count = [&](RecordedCall& call) {
    if (policy.tallies().empty()) return;
    call.history = history.before(call);
    if (call.where.workspace != here.workspace) return history.add_unknown(call);
    policy::Scene scene = scene_of(here, links);
    scene.directory = call.where.directory;
    history.add(call, policy.judge(call.call, scene, call.history).tallies);
  };
  const auto take = [&](RecordedCall call) {
    ++gathered.all;
    call.call.host_user = here.user;
    count(call);
    if (call.decision == "ALLOW") return;
    if (call.where.workspace != here.workspace)
      elsewhere.push_back(call.sequence);
    else
      gathered.calls.push_back(std::move(call));
  };
  auto left_out =
      each_recorded_call(reader, mission, take, [&](const RecordedCall& call) { history.add_unknown(call); });
  if (!left_out) return left_out.error();
  gathered.left_out = std::move(*left_out);
  if (!elsewhere.empty()) gathered.left_out["it was made in another workspace"] = std::move(elsewhere);
  if (gathered.all == 0 && gathered.left_out.empty())
    return base::Error(base::Code::not_found, "there is no call of a mission " + base::quoted(mission) +
                                                  " (see `callgate mission list`)");
  return gathered;
}

// The last file that counts; empty: none does.
std::string place_for(const std::vector<policy::Source>& sources) {
  std::string file;
  for (const policy::Source& source : sources)
    if (source.layer != policy::Layer::built_in && source.trusted) file = source.file;
  return file;
}

// `place`: the file that the rules were tried in.
void print(const suggest::Suggestions& suggestions, const Gathered& gathered, const std::string& place) {
  for (const suggest::Rule& rule : suggestions.rules) std::printf("%s\n", suggest::rule_text(rule).c_str());
  std::printf("# %zu of %zu denied or asked calls would pass with these rules", suggestions.helped.size(),
              gathered.calls.size());
  std::printf(suggestions.passing.empty() ? ".\n" : ", %zu without any by now.\n",
              suggestions.passing.size());
  if (!place.empty() && !suggestions.rules.empty())
    std::printf("# They were tried at the end of %s.\n",
                base::quoted(place, base::path_shown_bytes_max).c_str());
  if (suggestions.baseline && !suggestions.rules.empty())
    std::puts(
        "# No policy file stands here. One takes the place of the baseline: begin it with `callgate init`.");
  if (!suggestions.refusals.empty()) std::puts("# No rule is proposed for:");
  for (const suggest::Refusal& each : suggestions.refusals)
    std::printf("#   call %llu %s, %s: %s\n", static_cast<unsigned long long>(each.call),
                base::printable(each.tool).c_str(), base::quoted(each.effect).c_str(),
                base::printable(each.why, 1000).c_str());
  std::string text = left_out_text(gathered.left_out);
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) text.insert(at, "# ");
  std::fputs(text.c_str(), stdout);
}

int suggest_rules(const Options& options) {
  const auto here = find_workspace(options.workspace);
  if (!here) return fail(here.error());
  const auto reader = ledger::Reader::open({here->state_folder});
  if (!reader) return fail(reader.error(), exit_failed);
  auto sources = policy::read_layers(layer_places(*here, options.policy), trusted_on_record(*here));
  if (!sources) return fail(sources.error(), exit_usage);
  auto policy = policy::Policy::load(*sources, here->workspace, here->home);
  if (!policy) return fail(policy.error(), exit_usage);
  const auto sessions = sessions_under_way(*here, options.policy, *policy);
  if (!sessions) return fail(sessions.error(), exit_usage);
  if (*sessions && (*sessions)->waits_for.empty()) {  // they trust what is not trusted to start with
    complain(notice_of(*here, **sessions, *policy));
    for (policy::Source& source : *sources) source.trusted = true;
    policy = (*sessions)->policy;
  } else if (const std::string notice = trust_notice(*here, *sources); !notice.empty()) {
    complain(notice);
  }
  const auto gathered = gather(**reader, options.mission, *here, *policy);
  if (!gathered) return fail(gathered.error());
  const policy::FileSystem links;
  const auto suggestions = suggest::suggest(gathered->calls, *sources, scene_of(*here, links));
  if (!suggestions) return fail(suggestions.error(), exit_usage);
  print(*suggestions, *gathered, place_for(*sources));
  return 0;
}

}  // namespace

void add_policy_suggest(CLI::App& policy, int& exit) {
  auto options = std::make_shared<Options>();
  CLI::App* command = policy.add_subcommand("suggest",
                                            "The smallest allow rules that would let a mission's denied and "
                                            "asked calls through, as TOML to paste.\n"
                                            "Each was tried: the calls are judged again by the policies that "
                                            "stand here now, with the rules at the end "
                                            "of the\nlast of them; links in paths are those of now. At the "
                                            "end stands what no rule is proposed for, "
                                            "and why.\n"
                                            "Example: callgate policy suggest nightly --policy mission.toml");
  command->add_option("MISSION", options->mission, "Its name or id, as `callgate ledger list` has it")
      ->type_name("")
      ->required();
  command->add_option("--policy", options->policy, "A mission policy, as of `callgate run --policy`")
      ->type_name("FILE");
  command->add_option("--workspace", options->workspace, "Workspace (default: the git top level)")
      ->type_name("FOLDER");
  command->callback([options, &exit] { exit = suggest_rules(*options); });
}

}  // namespace proxy::commands
