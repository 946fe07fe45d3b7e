// The picture of a benchmark: one panel a figure, one bar a case, the ratio to the relay beside each bar.
// One SVG that reads on light and on dark pages: colours follow prefers-color-scheme, bars carry their names.

#include <algorithm>

#include "tests/bench/report.hpp"

namespace bench {
namespace {

struct Panel {
  const char *title, *key;
  double factor;
  const char* unit;
  int decimals;
  bool less_is_better;
};

constexpr Panel panels[] = {
    {"1 KB call, one at a time, median", "small.p50_us", 1, "µs", 1, true},
    {"1 KB call, one at a time, 99th percentile", "small.p99_us", 1, "µs", 1, true},
    {"1 KB calls with 16 in flight", "small_many.calls_per_second", 1, "calls/s", 0, false},
    {"1 MB result, one at a time, median", "large.p50_us", 1, "µs", 0, true},
    {"Start to the answer of initialize", "start.p50_us", 1e-3, "ms", 1, true},
    {"Resident memory after the soak", "memory.after_kb", 1.0 / 1024, "MB", 1, true},
};

constexpr int width = 760, name_width = 70, bar_width = 440, bar_height = 18, bar_step = 24, panel_gap = 34;

constexpr const char* style =
    "<style>text{font:13px system-ui,sans-serif;fill:#1f2328}.h{font-weight:600}.d{fill:#59636e}"
    ".direct{fill:#8c959f}.relay{fill:#6e7781}.process{fill:#1a7f64}.disk{fill:#0969da}.back{fill:#fff}"
    "@media(prefers-color-scheme:dark){text{fill:#e6edf3}.d{fill:#9198a1}.direct{fill:#6e7681}.relay{fill:#"
    "8b949e}"
    ".process{fill:#2ea486}.disk{fill:#4493f8}.back{fill:#0d1117}}</style>\n";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char byte : text) {
    if (byte == '&')
      out += "&amp;";
    else if (byte == '<')
      out += "&lt;";
    else if (byte == '"')
      out += "&quot;";
    else
      out += byte;
  }
  return out;
}

std::string text_at(int x, int y, const std::string& text, const std::string& attributes = "") {
  return "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\"" + attributes + ">" +
         escaped(text) + "</text>\n";
}

std::string bar(const Case& each, const Panel& panel, double value, double largest,
                std::optional<double> relay, int y) {
  const int length = std::max(2, static_cast<int>(bar_width * value / largest));
  std::string label = number(value, panel.decimals) + " " + panel.unit;
  if (relay && *relay > 0 && each.name != "relay") label += "  (" + number(value / *relay, 2) + "× relay)";
  return text_at(name_width - 8, y + 14, each.name, " text-anchor=\"end\"") + "<rect class=\"" +
         escaped(each.name) + "\" x=\"" + std::to_string(name_width) + "\" y=\"" + std::to_string(y) +
         "\" width=\"" + std::to_string(length) + "\" height=\"" + std::to_string(bar_height) +
         "\" rx=\"2\"/>\n" + text_at(name_width + length + 8, y + 14, label);
}

}  // namespace

std::string picture(const Report& report, const Circumstances& circumstances) {
  std::string body =
      text_at(16, 28, "callgate: what the gate costs a call", " class=\"h\" style=\"font-size:16px\"");
  body += text_at(16, 48, circumstances.machine + ", " + circumstances.date, " class=\"d\"");
  int y = 82;
  for (const Panel& panel : panels) {
    double largest = 0;
    for (const Case& each : report.cases)
      largest = std::max(largest, each.get(panel.key).value_or(0) * panel.factor);
    if (largest <= 0) continue;
    body += text_at(16, y, std::string(panel.title) + (panel.less_is_better ? "" : " (more is better)"),
                    " class=\"h\"");
    y += 10;
    const Case* relay = report.find("relay");
    auto base = relay == nullptr ? std::nullopt : relay->get(panel.key);
    if (base) base = *base * panel.factor;
    for (const Case& each : report.cases) {
      const auto value = each.get(panel.key);
      if (!value) continue;
      body += bar(each, panel, *value * panel.factor, largest, base, y);
      y += bar_step;
    }
    y += panel_gap;
  }
  body +=
      text_at(16, y, "direct: no proxy; relay: copies bytes; process, disk: callgate with policy and ledger,",
              " class=\"d\"");
  body += text_at(16, y + 18,
                  "each decision on record before the call (surviving a killed process; a power cut).",
                  " class=\"d\"");
  y += 36;
  const std::string size = "width=\"" + std::to_string(width) + "\" height=\"" + std::to_string(y) + "\"";
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" " + size + " viewBox=\"0 0 " + std::to_string(width) +
         " " + std::to_string(y) +
         "\" role=\"img\" aria-label=\"Benchmark of callgate against a byte relay\">\n" + style +
         "<rect class=\"back\" " + size + "/>\n" + body + "</svg>\n";
}

}  // namespace bench
