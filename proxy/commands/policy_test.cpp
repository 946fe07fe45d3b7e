// callgate policy test POLICY CASES.jsonl: whether a policy decides as its cases say. Reads nothing but the
// two files.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>

#include "policy/cases.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/policy.hpp"

namespace proxy::commands {
namespace {

constexpr std::size_t policy_bytes_max = 2u << 20;  // what is too large is said by the loader, with its place
constexpr std::size_t cases_bytes_max = 64u << 20;
constexpr int usage_exit = 2;

struct Options {
  std::string policy;
  std::string cases;
  bool json = false;
};

int complain(const base::Error& error) {
  std::cerr << "callgate: " << base::printable(error.text(), 4096) << '\n';
  return usage_exit;
}

base::json::Value as_json(const policy::CaseResult& result) {
  const policy::Reason* reason = policy::deciding(result.decision);
  base::json::Value value{{"id", result.id}, {"line", result.line}, {"passed", result.passed}};
  value["expected"] = policy::name(result.expect);
  value["decided"] = policy::name(result.decision.tier);
  value["rule"] =
      reason == nullptr || reason->rule.empty() ? base::json::Value() : base::json::Value(reason->rule);
  return value;
}

void print_difference(const policy::CaseResult& result, const std::string& file) {
  std::cout << base::printable(file, 4096) << ':' << result.line << ": " << base::printable(result.id)
            << ": expected " << policy::name(result.expect) << ", decided "
            << policy::name(result.decision.tier) << ": " << policy::explain_to_agent(result.decision)
            << '\n';
}

int test_policy(const Options& options) {
  auto policy_bytes = base::read_file(options.policy, policy_bytes_max);
  if (!policy_bytes) return complain(policy_bytes.error());
  const auto case_bytes = base::read_file(options.cases, cases_bytes_max);
  if (!case_bytes) return complain(case_bytes.error());
  const auto cases = policy::parse_cases(options.cases, *case_bytes);
  if (!cases) return complain(cases.error());
  const auto results =
      policy::run_cases({{policy::Layer::mission, options.policy, std::move(*policy_bytes), true}}, *cases);
  if (!results) return complain(results.error());
  const auto passed = static_cast<std::size_t>(std::count_if(
      results->begin(), results->end(), [](const policy::CaseResult& result) { return result.passed; }));
  const std::size_t failed = results->size() - passed;
  if (options.json) {
    base::json::Value all = base::json::Value::array();
    for (const policy::CaseResult& result : *results) all.push_back(as_json(result));
    std::cout << base::json::Value{{"passed", passed}, {"failed", failed}, {"cases", all}}.dump(2) << '\n';
  } else {
    for (const policy::CaseResult& result : *results)
      if (!result.passed) print_difference(result, options.cases);
    std::cout << passed << " passed, " << failed << " failed\n";
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace

void add_policy_test(CLI::App& policy, int& exit) {
  auto options = std::make_shared<Options>();  // lives as long as the command line's callback
  CLI::App* command = policy.add_subcommand(
      "test", "Hold a policy against cases, one JSON object a line; exit 1 if any differs");
  command->add_option("policy", options->policy, "The policy file")->required();
  command->add_option("cases", options->cases, "CASES.jsonl")->required();
  command->add_flag("--json", options->json, "For machines");
  command->footer("Example: callgate policy test .callgate/policy.toml .callgate/cases.jsonl");
  command->callback([options, &exit] { exit = test_policy(*options); });
}

}  // namespace proxy::commands
