// callgate policy diff A B: which calls of the ledger two policies would decide differently. Writes nothing.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ledger/reader.hpp"
#include "policy/path/file_system.hpp"
#include "policy/policy.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/path_shown.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/policy.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/recorded/calls.hpp"
#include "proxy/recorded/history.hpp"
#include "proxy/setup/load_policy.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {
namespace {

using base::json::Value;

struct Options {
  std::string before, after;
  std::string mission;
  bool json = false;
};

// One policy file, loaded for each workspace that calls were made in.
class Candidate {
 public:
  static base::Result<Candidate> read(const Surroundings& here, const std::string& file) {
    // What is too large is said by the loader, with its place.
    auto bytes = base::read_file(file, 2 * policy::policy_bytes_max);
    if (!bytes) return bytes.error();
    Candidate candidate;
    candidate.sources_ = {{layer_of(here, file), file, std::move(*bytes), true}};
    candidate.home_ = here.home;
    if (const auto loaded = candidate.load(here.workspace); !loaded) return loaded.error();
    return candidate;
  }

  // The file has loaded once; it may still not do so elsewhere, since patterns start at the workspace.
  base::Result<policy::Decision> judge(const RecordedCall& call, const policy::Scene& scene) {
    const auto loaded = load(call.where.workspace);
    if (!loaded) return loaded.error();
    Loaded& here = **loaded;
    policy::Decision decision = here.policy.judge(call.call, scene, here.history.before(call));
    here.history.add(call, decision.tallies);
    // Of a mission in several workspaces: what a path means elsewhere is not known here.
    for (auto& [workspace, other] : policies_)
      if (&other != &here) other.history.add_unknown(call);
    return decision;
  }

  void add_unknown(const RecordedCall& call) {
    for (auto& [workspace, each] : policies_) each.history.add_unknown(call);
  }

 private:
  struct Loaded {
    policy::Policy policy;
    ReplayedHistory history;
  };
  base::Result<Loaded*> load(const std::string& workspace) {
    auto found = policies_.find(workspace);
    if (found == policies_.end()) {
      auto policy = policy::Policy::load(sources_, workspace, home_);
      if (!policy) return policy.error();
      ReplayedHistory history(policy->tallies());
      found = policies_.emplace(workspace, Loaded{std::move(*policy), std::move(history)}).first;
    }
    return &found->second;
  }

  std::vector<policy::Source> sources_;
  std::string home_;
  std::map<std::string, Loaded> policies_;  // by workspace
};

struct Difference {
  RecordedCall call;
  policy::Decision before, after;
};

struct Comparison {
  std::size_t judged = 0;
  std::vector<Difference> differences;
  LeftOut left_out;
};

// Decisions that agree may have other reasons: those are no difference.
base::Result<Comparison> compare(const Surroundings& here, const ledger::Reader& reader,
                                 const std::string& mission, Candidate& before, Candidate& after) {
  Comparison comparison;
  base::Result<void> failed;
  const policy::FileSystem links;
  const auto judge = [&](RecordedCall call) {
    call.call.host_user = here.user;
    policy::Scene scene = scene_of(here, links);
    scene.workspace = call.where.workspace;
    scene.directory = call.where.directory;
    auto first = before.judge(call, scene);
    auto second = after.judge(call, scene);
    if (!first) failed = first.error();
    if (!second) failed = second.error();
    if (!failed) return;
    ++comparison.judged;
    if (first->tier != second->tier)
      comparison.differences.push_back({std::move(call), std::move(*first), std::move(*second)});
  };
  auto left_out = each_recorded_call(reader, mission, judge, [&](const RecordedCall& call) {
    before.add_unknown(call);
    after.add_unknown(call);
  });
  if (!left_out) return left_out.error();
  if (!failed) return failed.error();
  comparison.left_out = std::move(*left_out);
  if (!mission.empty() && comparison.judged == 0 && comparison.left_out.empty())
    return base::Error(base::Code::not_found, "there is no call of a mission " + base::quoted(mission));
  return comparison;
}

std::string by(const policy::Decision& decision) {
  const policy::Reason* reason = policy::deciding(decision);
  if (reason == nullptr) return "";
  return " by " + (reason->rule.empty() ? std::string("the default") : base::quoted(reason->rule)) +
         (reason->place.empty() ? ""
                                : " (" + base::printable(reason->place, base::path_shown_bytes_max) + ")") +
         ", for " + base::quoted(policy::summary(decision.effects[reason->effect]));
}

Value side_json(const policy::Decision& decision) {
  const policy::Reason* reason = policy::deciding(decision);
  Value value{{"decision", policy::name(decision.tier)}};
  value["rule"] = reason == nullptr || reason->rule.empty() ? Value() : Value(reason->rule);
  if (reason != nullptr && !reason->place.empty())
    value["place"] = base::printable(reason->place, base::path_shown_bytes_max);
  if (reason != nullptr)
    value["effect"] = base::printable(policy::summary(decision.effects[reason->effect]), 300);
  return value;
}

void print_json(const Comparison& comparison) {
  Value calls = Value::array();
  for (const Difference& each : comparison.differences)
    calls.push_back({{"call", each.call.sequence},
                     {"mission", each.call.call.mission},
                     {"tool", base::printable(each.call.name(), 300)},
                     {"recorded", each.call.decision},
                     {"a", side_json(each.before)},
                     {"b", side_json(each.after)}});
  Value left_out = Value::object();
  for (const auto& [why, numbers] : comparison.left_out) left_out[why] = numbers;
  const Value report{{"judged", comparison.judged}, {"different", calls}, {"not_judged", left_out}};
  std::printf("%s\n", report.dump(2).c_str());
}

void print_text(const Comparison& comparison) {
  for (const Difference& each : comparison.differences)
    std::printf("call %llu %s\n  A %s%s\n  B %s%s\n", static_cast<unsigned long long>(each.call.sequence),
                base::printable(each.call.name()).c_str(), policy::name(each.before.tier),
                by(each.before).c_str(), policy::name(each.after.tier), by(each.after).c_str());
  std::fputs(left_out_text(comparison.left_out).c_str(), stdout);
  std::printf("%zu of %zu calls would be decided differently\n", comparison.differences.size(),
              comparison.judged);
}

int diff_policies(const Options& options) {
  const auto here = find_surroundings();
  if (!here) return fail(here.error(), exit_usage);
  auto before = Candidate::read(*here, options.before);
  if (!before) return fail(before.error(), exit_usage);
  auto after = Candidate::read(*here, options.after);
  if (!after) return fail(after.error(), exit_usage);
  const auto reader = ledger::Reader::open({here->state_folder});
  if (!reader) return fail(reader.error(), exit_usage);
  const auto comparison = compare(*here, **reader, options.mission, *before, *after);
  if (!comparison) return fail(comparison.error(), exit_usage);
  if (options.json)
    print_json(*comparison);
  else
    print_text(*comparison);
  return comparison->differences.empty() ? 0 : exit_failed;
}

}  // namespace

void add_policy_diff(CLI::App& policy, int& exit) {
  auto options = std::make_shared<Options>();
  CLI::App* command = policy.add_subcommand(
      "diff",
      "Which calls on record policy B would decide otherwise than policy A, each alone beside what is built "
      "in.\n"
      "Calls are judged as they were made, but links in paths, the home folder and the catalogue are those "
      "of "
      "now.\nCalls whose arguments are not on record are counted, not guessed; each is known by its number "
      "in "
      "the\nledger (`callgate ledger show NUMBER`).\n"
      "Exit 0 no call would, 1 some would, 2 usage, policy or ledger error.\n"
      "Example: callgate policy diff .callgate/policy.toml new.toml --mission nightly");
  command->add_option("A", options->before, "A policy file")->type_name("")->required();
  command->add_option("B", options->after, "Another")->type_name("")->required();
  command->add_option("--mission", options->mission, "Calls of this mission only")->type_name("NAME");
  command->add_flag("--json", options->json, "For machines");
  command->callback([options, &exit] { exit = diff_policies(*options); });
}

}  // namespace proxy::commands
