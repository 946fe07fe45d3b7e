// callgate policy check [FILE…]: what is wrong with policies, or wider than it looks.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "policy/load/layers.hpp"
#include "policy/load/load.hpp"
#include "policy/policy.hpp"
#include "policy/review/lint.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/path_shown.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/policy.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/mission/sessions_under_way.hpp"
#include "proxy/setup/load_policy.hpp"
#include "proxy/setup/surroundings.hpp"
#include "proxy/setup/trust.hpp"

namespace proxy::commands {
namespace {

using base::json::Value;

struct Options {
  std::vector<std::string> files;
  std::string workspace;
  bool json = false;
};

struct Report {
  std::vector<base::Error> errors;
  std::vector<policy::Warning> warnings;
  std::size_t rules = 0;
  std::vector<std::string> files;
  std::string notice;  // empty: none
};

// Together with what always stands beside them.
Report check(const std::vector<policy::Source>& sources, const policy::Anchors& anchors) {
  Report report;
  for (const policy::Source& source : sources) {
    if (source.layer != policy::Layer::built_in) report.files.push_back(source.file);
    for (base::Error& error : policy::check_source(source, anchors))
      report.errors.push_back(std::move(error));
  }
  if (!report.errors.empty()) return report;
  auto compiled = policy::compile_sources(policy::complete_sources(sources), anchors);
  if (compiled.has_error()) {
    report.errors.push_back(compiled.error());
    return report;
  }
  report.warnings = policy::lint(*compiled, [](const std::string& path) {
    std::error_code error;
    return std::filesystem::is_directory(path, error);
  });
  for (const policy::Rule& rule : compiled->rules)
    if (rule.layer != policy::Layer::built_in) ++report.rules;
  report.rules += compiled->result_rules.size();
  return report;
}

// Of sources that are read as if they were trusted: what counts of them, here and in sessions under way.
std::string what_counts(const Surroundings& here, std::vector<policy::Source> sources) {
  const policy::Trusted trusted = trusted_on_record(here);
  for (policy::Source& source : sources)
    if (source.layer == policy::Layer::repository) source.trusted = trusted(base::sha256(source.bytes));
  if (const auto at_start = load_policy(here, {}, trusted))
    if (const auto sessions = sessions_under_way(here, {}, *at_start); sessions && *sessions)
      return notice_of(here, **sessions, *at_start);
  return trust_notice(here, sources);
}

Report check_file(const Surroundings& here, const std::string& file, const policy::Anchors& anchors) {
  // What is too large is said by the loader, with its place.
  auto bytes = base::read_file(file, 2 * policy::policy_bytes_max);
  if (bytes.has_error()) {
    Report report;
    report.files.push_back(file);
    report.errors.emplace_back(bytes.error().code(), bytes.error().message(), file);
    return report;
  }
  const policy::Source source{layer_of(here, file), file, std::move(*bytes), true};
  Report report = check({source}, anchors);
  if (source.layer != policy::Layer::mission) report.notice = what_counts(here, {source});
  return report;
}

// The layers that stand here; the repository's as if it were trusted: what it would do then is the question.
Report check_layers(const Surroundings& here, const policy::Anchors& anchors) {
  auto sources = policy::read_layers(layer_places(here), [](const base::Digest&) { return true; });
  Report report;
  if (sources.has_value()) {
    report = check(*sources, anchors);
    report.notice = what_counts(here, *sources);
    return report;
  }
  report.errors.push_back(sources.error());
  return report;
}

Value as_json(const Report& report) {
  Value errors = Value::array();
  for (const base::Error& error : report.errors)
    errors.push_back({{"place", base::printable(error.place(), base::path_shown_bytes_max)},
                      {"message", error.message()}});
  Value warnings = Value::array();
  for (const policy::Warning& warning : report.warnings)
    warnings.push_back({{"place", base::printable(warning.place, base::path_shown_bytes_max)},
                        {"rule", warning.rule},
                        {"message", warning.message}});
  Value files = Value::array();
  for (const std::string& file : report.files)
    files.push_back(base::printable(file, base::path_shown_bytes_max));
  return {{"files", files},
          {"ok", report.errors.empty()},
          {"rules", report.rules},
          {"errors", errors},
          {"warnings", warnings}};
}

void print(const Report& report) {
  for (const base::Error& error : report.errors)
    std::fprintf(stderr, "%s\n", base::printable(error.text(), base::path_shown_bytes_max).c_str());
  for (const policy::Warning& warning : report.warnings)
    std::printf("%s: warning: `%s`: %s\n", base::printable(warning.place, base::path_shown_bytes_max).c_str(),
                warning.rule.c_str(), warning.message.c_str());
  if (!report.errors.empty()) return;
  std::string names;
  for (const std::string& file : report.files)
    names += (names.empty() ? "" : ", ") + base::printable(file, base::path_shown_bytes_max);
  std::printf("%s: %zu %s, %zu %s\n",
              names.empty() ? "no policy file stands here; the baseline does" : names.c_str(), report.rules,
              report.rules == 1 ? "rule" : "rules", report.warnings.size(),
              report.warnings.size() == 1 ? "warning" : "warnings");
}

int check_policies(const Options& options) {
  const auto here = find_workspace(options.workspace);
  if (!here) return fail(here.error(), exit_usage);
  const policy::Anchors anchors{here->workspace, here->home};
  std::vector<Report> reports;
  for (const std::string& file : options.files) reports.push_back(check_file(*here, file, anchors));
  if (options.files.empty()) reports.push_back(check_layers(*here, anchors));
  bool ok = true;
  Value all = Value::array();
  for (const Report& report : reports) {
    ok = ok && report.errors.empty();
    if (!report.notice.empty()) complain(report.notice);
    if (options.json) {
      all.push_back(as_json(report));
    } else {
      print(report);
    }
  }
  if (options.json) std::printf("%s\n", all.dump(2).c_str());
  return ok ? 0 : exit_usage;
}

}  // namespace

void add_policy_check(CLI::App& policy, int& exit) {
  auto options = std::make_shared<Options>();
  CLI::App* check =
      policy.add_subcommand("check",
                            "Read policies and say what is wrong with them, or wider than it looks.\n"
                            "Example: callgate policy check .callgate/policy.toml");
  check
      ->add_option("FILE", options->files,
                   "Policy files, each checked alone; none: the layers that stand here")
      ->type_name("");
  check->add_option("--workspace", options->workspace, "What relative patterns start at")
      ->type_name("FOLDER");
  check->add_flag("--json", options->json, "A list of reports for machines");
  check->callback([options, &exit] { exit = check_policies(*options); });
}

}  // namespace proxy::commands
