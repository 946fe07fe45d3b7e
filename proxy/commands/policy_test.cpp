// callgate policy test POLICY CASES.jsonl: whether a policy decides as its cases say. Reads nothing but the
// two files.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <CLI/Validators.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "policy/policy.hpp"
#include "policy/review/cases.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/path_shown.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/policy.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/setup/load_policy.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {
namespace {

constexpr std::size_t cases_bytes_max = 64u << 20;

struct Options {
  std::string policy;
  std::string cases;
  std::string layer;  // empty: by where the file stands
  bool json = false;
};

base::json::Value as_json(const policy::CaseResult& result, bool redacted) {
  const policy::Reason* reason = policy::deciding(result.decision);
  base::json::Value value{{"id", result.id}, {"line", result.line}, {"passed", result.passed}};
  value["expected"] = policy::name(result.expect);
  value["decided"] = policy::name(result.decision.tier);
  value["rule"] =
      reason == nullptr || reason->rule.empty() ? base::json::Value() : base::json::Value(reason->rule);
  if (redacted) value["redacted"] = true;
  return value;
}

// As the ledger has secrets (ledger/redact.hpp): of a case that was made from a record the mark is judged,
// and not what it stands for.
bool holds_redacted(const policy::Case& each) {
  constexpr std::string_view mark = "<redacted:";
  const auto in = [&](const policy::Call& call) {
    return base::json::canonical(call.arguments).find(mark) != std::string::npos;
  };
  return in(each.call) || std::any_of(each.history.begin(), each.history.end(),
                                      [&](const policy::EarlierCall& earlier) { return in(earlier.call); });
}

// Nothing says what the tool's arguments mean, which a case can mend.
const char* guessed(const policy::Decision& decision) {
  const bool any = std::any_of(decision.effects.begin(), decision.effects.end(),
                               [](const policy::Effect& effect) { return effect.guessed && !effect.idle; });
  const policy::Reason* reason = policy::deciding(decision);
  const bool use = reason != nullptr && reason->rule.empty() && reason->effect < decision.effects.size() &&
                   decision.effects[reason->effect].kind == policy::EffectKind::use;
  return any && use ? " (effects are guessed: `catalogue` in the case says which entry declares the tool)"
                    : "";
}

void print_difference(const policy::CaseResult& result, const std::string& file) {
  std::printf("%s:%zu: %s: expected %s, decided %s: %s%s\n",
              base::printable(file, base::path_shown_bytes_max).c_str(), result.line,
              base::printable(result.id).c_str(), policy::name(result.expect),
              policy::name(result.decision.tier), policy::explain_to_agent(result.decision).c_str(),
              guessed(result.decision));
}

policy::Layer layer_for(const Options& options, const Surroundings& here) {
  using policy::Layer;
  for (const Layer each : {Layer::organisation, Layer::user, Layer::repository, Layer::mission})
    if (options.layer == policy::name(each)) return each;
  return layer_of(here, options.policy);
}

int test_policy(const Options& options) {
  const auto here = find_surroundings();
  if (!here) return fail(here.error(), exit_usage);
  // What is too large is said by the loader, with its place.
  auto policy_bytes = base::read_file(options.policy, 2 * policy::policy_bytes_max);
  if (!policy_bytes) return fail(policy_bytes.error(), exit_usage);
  const auto case_bytes = base::read_file(options.cases, cases_bytes_max);
  if (!case_bytes) return fail(case_bytes.error(), exit_usage);
  const auto [cases, errors] = policy::read_cases(options.cases, *case_bytes);
  for (const base::Error& error : errors) fail(error, exit_usage);
  if (!errors.empty()) return exit_usage;
  if (cases.empty())
    return fail({base::Code::invalid, "there is no case in the file: nothing is tested", options.cases},
                exit_usage);
  const auto results =
      policy::run_cases({{layer_for(options, *here), options.policy, std::move(*policy_bytes), true}}, cases);
  if (!results) return fail(results.error(), exit_usage);
  const auto passed = static_cast<std::size_t>(std::count_if(
      results->begin(), results->end(), [](const policy::CaseResult& result) { return result.passed; }));
  const std::size_t failed = results->size() - passed;
  std::size_t redacted = 0;  // one result for each case, in their order
  if (options.json) {
    base::json::Value all = base::json::Value::array();
    for (std::size_t i = 0; i < results->size(); ++i)
      all.push_back(as_json((*results)[i], holds_redacted(cases[i])));
    const base::json::Value report{{"passed", passed}, {"failed", failed}, {"cases", all}};
    std::printf("%s\n", report.dump(2).c_str());
  } else {
    for (std::size_t i = 0; i < results->size(); ++i) {
      const policy::CaseResult& result = (*results)[i];
      if (!result.passed) print_difference(result, options.cases);
      if (!holds_redacted(cases[i])) continue;
      ++redacted;
      std::printf("%s:%zu: %s: holds a redacted value; its mark was judged, not what it stands for\n",
                  base::printable(options.cases, base::path_shown_bytes_max).c_str(), result.line,
                  base::printable(result.id).c_str());
    }
    std::printf("%zu passed, %zu failed", passed, failed);
    if (redacted > 0) std::printf(", %zu of them with redacted values", redacted);
    std::printf("\n");
  }
  return failed == 0 ? 0 : exit_failed;
}

}  // namespace

void add_policy_test(CLI::App& policy, int& exit) {
  auto options = std::make_shared<Options>();
  CLI::App* command = policy.add_subcommand(
      "test",
      "Hold a policy against cases, one JSON object a line; exit 1 if any differs. A case is\n"
      "  {\"id\": \"a\", \"tool\": \"files/read_file\", \"arguments\": {\"path\": \"src/a\"}, "
      "\"expect\": \"allow\"}\n"
      "with `expect` allow, ask or deny; the workspace is /workspace. Other members: "
      "policy/OPERATING.md, «Cases».\n"
      "Example: callgate policy test .callgate/policy.toml .callgate/cases.jsonl");
  command->add_option("POLICY", options->policy, "The policy file")->type_name("")->required();
  command->add_option("CASES", options->cases, "The cases, a .jsonl file")->type_name("")->required();
  command
      ->add_option("--layer", options->layer,
                   "What the file is, wherever it stands: `organisation`, `user`, `repository` or `mission`")
      ->type_name("LAYER")
      ->check(CLI::IsMember({"organisation", "user", "repository", "mission"}).description(""));
  command->add_flag("--json", options->json, "For machines");
  command->callback([options, &exit] { exit = test_policy(*options); });
}

}  // namespace proxy::commands
