#pragma once
// What the rounds of a benchmark come to: medians, ratios, and whether the targets are met.

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bench {

struct Case {
  std::string name;
  // `small.p50_us`, `memory.after_kb`, … → the median over the rounds that have it
  std::map<std::string, double> medians;
  std::optional<double> get(const std::string& key) const;
};

struct Target {
  std::string text;             // what must hold
  std::optional<double> value;  // nullopt: not measured
  double limit = 0;
  bool at_most = true;  // else at least
  std::string unit;     // `×`, `ms`, `MB`, …
  bool met() const { return value && (at_most ? *value <= limit : *value >= limit); }
};

struct Report {
  std::vector<Case> cases;  // in the order of first appearance; `floor` is the bare fdatasync
  std::vector<Target> targets;
  const Case* find(const std::string& name) const;
};

// `lines`: JSON objects of bench_client and fdatasync_floor, one a line. Throws on anything else.
Report make_report(const std::vector<std::string>& lines);

struct Circumstances {
  std::string machine, command, date;
};

std::string text_table(const Report& report);
std::string results_json(const Report& report, const Circumstances& circumstances);
std::string results_rows(const Report& report, const Circumstances& circumstances);  // for RESULTS.md
std::string picture(const Report& report, const Circumstances& circumstances);       // SVG

// `1,234`, `12.3`, or an em dash when there is no value.
std::string number(std::optional<double> value, int decimals = 1);

}  // namespace bench
