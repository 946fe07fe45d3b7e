#include "tests/bench/report.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace bench {
namespace {

using nlohmann::json;

void collect(const json& object, const std::string& prefix,
             std::map<std::string, std::vector<double>>& values) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_object()) collect(value, prefix + key + ".", values);
    if (value.is_number()) values[prefix + key].push_back(value.get<double>());
  }
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::optional<double> divided(std::optional<double> upper, std::optional<double> lower) {
  if (!upper || !lower || *lower == 0) return std::nullopt;
  return *upper / *lower;
}

std::optional<double> minus(std::optional<double> left, std::optional<double> right) {
  if (!left || !right) return std::nullopt;
  return *left - *right;
}

std::optional<double> scaled(std::optional<double> value, double factor) {
  if (!value) return std::nullopt;
  return *value * factor;
}

std::optional<double> get(const Report& report, const std::string& name, const std::string& key) {
  const Case* found = report.find(name);
  return found == nullptr ? std::nullopt : found->get(key);
}

// What the benchmark is to reach. Values without a measurement stay open.
std::vector<Target> targets(const Report& report) {
  const auto of = [&report](const char* name, const char* key) { return get(report, name, key); };
  const auto process = of("process", "small.p50_us"), disk = of("disk", "small.p50_us");
  const auto start = minus(of("disk", "start.p50_us"), of("direct", "start.p50_us"));
  return {
      {"p50 of a 1 KB call, process durability, to the relay's",
       divided(process, of("relay", "small.p50_us")), 5, true, "×"},
      {"p50 of a 1 KB call, disk above process, to fdatasync",
       divided(minus(disk, process), of("floor", "p50_us")), 1.7, true, "×"},
      {"p99 to p50 of a 1 KB call, process durability", divided(of("process", "small.p99_us"), process), 3,
       true, "×"},
      {"p99 to p50 of a 1 KB call, disk durability", divided(of("disk", "small.p99_us"), disk), 3, true, "×"},
      {"durable 1 KB calls with 16 in flight, disk durability", of("disk", "small_many.calls_per_second"),
       10000, false, "/s"},
      {"p50 of a 1 MB result, process durability, to the relay's",
       divided(of("process", "large.p50_us"), of("relay", "large.p50_us")), 4, true, "×"},
      {"p50 of a 1 MB result, disk durability, to the relay's",
       divided(of("disk", "large.p50_us"), of("relay", "large.p50_us")), 4, true, "×"},
      {"ready after, beyond the server's own start", scaled(start, 1e-3), 10, true, "ms"},
      {"resident after the soak, disk durability", scaled(of("disk", "memory.after_kb"), 1.0 / 1024), 20,
       true, "MB"},
      {"growth of it after the first hundredth of the calls",
       scaled(minus(of("disk", "memory.after_kb"), of("disk", "memory.warm_kb")), 1.0 / 1024), 1, true, "MB"},
  };
}

std::string padded(std::string text, std::size_t width, bool right = true) {
  // Width in characters: every byte but UTF-8 continuations.
  const auto shown = static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }));
  const std::string space(shown < width ? width - shown : 0, ' ');
  return right ? space + text : text + space;
}

std::string with_ratio(std::optional<double> value, std::optional<double> base, int decimals) {
  const auto ratio = divided(value, base);
  std::string text = number(value, decimals);
  if (ratio) text.append(" (").append(number(ratio)).append("×)");
  return text;
}

}  // namespace

std::optional<double> Case::get(const std::string& key) const {
  const auto found = medians.find(key);
  if (found == medians.end()) return std::nullopt;
  return found->second;
}

const Case* Report::find(const std::string& name) const {
  const auto found =
      std::find_if(cases.begin(), cases.end(), [&](const Case& each) { return each.name == name; });
  return found == cases.end() ? nullptr : &*found;
}

std::string number(std::optional<double> value, int decimals) {
  if (!value) return "—";
  char text[64];
  std::snprintf(text, sizeof text, "%.*f", decimals, *value);
  std::string digits = text;
  const std::size_t point = std::min(digits.find('.'), digits.size()), first = digits[0] == '-' ? 1 : 0;
  for (std::size_t at = point; at > first + 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

Report make_report(const std::vector<std::string>& lines) {
  std::vector<std::string> order;
  std::map<std::string, std::map<std::string, std::vector<double>>> rounds;
  for (const std::string& line : lines) {
    const json object = json::parse(line);
    const std::string name = object.at("case").get<std::string>();
    if (!rounds.contains(name)) order.push_back(name);
    collect(object, "", rounds[name]);
  }
  Report report;
  for (const std::string& name : order) {
    Case each{name, {}};
    for (const auto& [key, values] : rounds[name]) each.medians[key] = median(values);
    report.cases.push_back(std::move(each));
  }
  report.targets = targets(report);
  return report;
}

std::string text_table(const Report& report) {
  struct Column {
    const char *title, *key;
    double factor;
    int decimals;
    bool ratio;
  };
  static constexpr Column columns[] = {{"1 KB p50 µs", "small.p50_us", 1, 1, true},
                                       {"p99 µs", "small.p99_us", 1, 1, false},
                                       {"calls/s", "small.calls_per_second", 1, 0, false},
                                       {"16: p50 µs", "small_many.p50_us", 1, 0, false},
                                       {"16: p99 µs", "small_many.p99_us", 1, 0, false},
                                       {"16: calls/s", "small_many.calls_per_second", 1, 0, false},
                                       {"1 MB p50 µs", "large.p50_us", 1, 0, true},
                                       {"p99 µs", "large.p99_us", 1, 0, false},
                                       {"16: calls/s", "large_many.calls_per_second", 1, 0, false},
                                       {"start ms", "start.p50_us", 1e-3, 1, false},
                                       {"RSS MB", "memory.start_kb", 1.0 / 1024, 1, false},
                                       {"after soak", "memory.after_kb", 1.0 / 1024, 1, false},
                                       {"peak", "peak_kb", 1.0 / 1024, 1, false}};
  std::string text = padded("", 8);
  for (const Column& column : columns) text += padded(column.title, column.ratio ? 18 : 12);
  for (const Case& each : report.cases) {
    if (each.name == "floor") continue;
    text.append("\n").append(padded(each.name, 8, false));
    for (const Column& column : columns) {
      const auto value = scaled(each.get(column.key), column.factor);
      const auto base = column.ratio ? get(report, "relay", column.key) : std::nullopt;
      text += padded(with_ratio(value, base, column.decimals), column.ratio ? 18 : 12);
    }
  }
  if (const Case* floor = report.find("floor"))
    text += "\nfdatasync of 12 KB, busy for the time of a call between two: p50 " +
            number(floor->get("p50_us")) + " µs, p99 " + number(floor->get("p99_us")) + " µs";
  text += "\n\n";
  for (const Target& target : report.targets)
    text += padded(!target.value  ? "—"
                   : target.met() ? "met"
                                  : "MISSED",
                   8, false) +
            padded(target.text, 60, false) + padded(number(target.value) + " " + target.unit, 14) +
            (target.at_most ? "  at most " : "  at least ") +
            number(target.limit, target.limit < 3 && target.limit > 1 ? 1 : 0) + " " + target.unit + "\n";
  return text;
}

std::string results_json(const Report& report, const Circumstances& circumstances) {
  json object{
      {"machine", circumstances.machine}, {"command", circumstances.command}, {"date", circumstances.date}};
  for (const Case& each : report.cases) object["cases"][each.name] = each.medians;
  for (const Target& target : report.targets) {
    json entry{
        {"target", target.text}, {"limit", target.limit}, {"at_most", target.at_most}, {"unit", target.unit}};
    entry["value"] = target.value ? json(*target.value) : json(nullptr);
    entry["met"] = target.value ? json(target.met()) : json(nullptr);
    object["targets"].push_back(std::move(entry));
  }
  return object.dump(2) + "\n";
}

// Columns: RESULTS.md.
std::string results_rows(const Report& report, const Circumstances& circumstances) {
  std::string rows;
  for (const Case& each : report.cases) {
    if (each.name == "floor") continue;
    const auto start = minus(each.get("start.p50_us"), get(report, "direct", "start.p50_us"));
    rows += "| " + circumstances.date + " | " + circumstances.machine + " | `" + circumstances.command +
            "` | " + each.name;
    rows += " | " + with_ratio(each.get("small.p50_us"), get(report, "relay", "small.p50_us"), 1);
    rows += " | " + number(each.get("small.p99_us"));
    rows += " | " + number(each.get("small_many.calls_per_second"), 0);
    rows += " | " + with_ratio(each.get("large.p50_us"), get(report, "relay", "large.p50_us"), 0);
    rows += " | " + number(each.name == "direct" ? std::nullopt : scaled(start, 1e-3));
    rows += " | " + number(scaled(each.get("memory.after_kb"), 1.0 / 1024));
    rows += " | " + number(get(report, "floor", "p50_us")) + " |\n";
  }
  return rows;
}

}  // namespace bench
