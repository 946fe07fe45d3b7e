#include "proxy/replay/picture.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "proxy/replay/markup.hpp"
#include "proxy/replay/time_scale.hpp"
#include "proxy/replay/words.hpp"

namespace proxy::replay {
namespace {

constexpr int name_height = 22;    // of a lane's title
constexpr int marks_height = 34;   // of a lane of marks
constexpr int column_height = 64;  // of a lane of columns
constexpr int axis_height = 26;
constexpr std::size_t columns_count = 120;
constexpr std::size_t lanes_max = 12;
constexpr std::size_t tab_stops_max = 60;

std::string decimal(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f", value);
  return text.data();
}

std::string percent(double part) { return decimal(100 * part) + "%"; }

struct Column {
  std::array<std::size_t, 3> count{};  // allowed, asked, denied
  std::size_t violations = 0;
  std::uint64_t first = 0;  // number of its first call
  bool waits = false;
  std::size_t all() const { return count[0] + count[1] + count[2]; }
};

class Picture {
 public:
  Picture(const Timeline& timeline, const std::vector<std::size_t>& places)
      : timeline_(timeline), scale_(times(timeline, places)) {
    for (const std::size_t place : places) {
      const Call* call = std::get_if<Call>(&timeline.entries[place]);
      if (call == nullptr) {
        events_.push_back(&std::get<Event>(timeline.entries[place]));
        continue;
      }
      calls_.push_back(call);
      if (std::find(lanes_.begin(), lanes_.end(), call->server) == lanes_.end() && lanes_.size() < lanes_max)
        lanes_.push_back(call->server);
    }
    columns_ = calls_.size() > marks_max;
    lane_height_ = columns_ ? column_height : marks_height;
  }

  std::string svg() {
    if (calls_.empty()) return {};
    const int height = static_cast<int>(lanes_.size()) * (name_height + lane_height_);
    const std::string end = std::to_string(height);
    out_ = "<svg class=\"plot\" role=\"img\" aria-label=\"" + escaped(totals_text(totals_of(timeline_))) +
           "\" height=\"" + std::to_string(height + axis_height) + "\">\n" + definitions();
    axis(height);
    for (std::size_t i = 0; i < lanes_.size(); ++i) lane(i);
    for (const Event* each : events_) across(*each, height);
    for (const TimeScale::Gap& gap : scale_.gaps())
      rectangle("break", scale_.at(gap.from), scale_.at(gap.to), 0, height,
                "nothing happened for " + duration_text(gap.to - gap.from));
    if (columns_)
      columns();
    else
      marks();
    return out_ + "</svg>\n" + legend();
  }

 private:
  static std::vector<std::int64_t> times(const Timeline& timeline, const std::vector<std::size_t>& places) {
    std::vector<std::int64_t> all;
    for (const std::size_t place : places) {
      all.push_back(time_of(timeline.entries[place]));
      const Call* call = std::get_if<Call>(&timeline.entries[place]);
      if (call != nullptr && call->settled) all.push_back(*call->settled);
    }
    if (all.empty()) all.push_back(timeline.start);
    return all;
  }

  // Shapes are drawn around 0 0.
  static std::string definitions() {
    return "<defs><circle id=\"allow\" r=\"5\"/><path id=\"ask\" d=\"M0-6.5 6.5 0 0 6.5-6.5 0Z\"/>"
           "<path id=\"deny\" d=\"M-5-5H5V5H-5Z\"/><path id=\"violation\" d=\"M0-6 6 5H-6Z\"/><path "
           "id=\"small\" d=\"M0-4 3.5 3H-3.5Z\"/>"
           "<pattern id=\"hatch\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\" "
           "patternTransform=\"rotate(45)\"><path class=\"hatch\" d=\"M0 0V4\"/></pattern>"
           "<pattern id=\"cross\" width=\"4\" height=\"4\" patternUnits=\"userSpaceOnUse\" "
           "patternTransform=\"rotate(45)\"><path class=\"hatch\" d=\"M0 0V4M0 0H4\"/></pattern></defs>\n";
  }

  int top(std::size_t lane) const { return static_cast<int>(lane) * (name_height + lane_height_); }

  // Calls of servers beyond the last lane stand in that.
  std::size_t lane_of(const Call& call) const {
    const auto found = std::find(lanes_.begin(), lanes_.end(), call.server);
    return found == lanes_.end() ? lanes_.size() - 1 : static_cast<std::size_t>(found - lanes_.begin());
  }

  void rectangle(const char* kind, double from, double to, int y, int height, const std::string& title) {
    out_ += "<rect class=\"" + std::string(kind) + "\" x=\"" + percent(from) + "\" width=\"" +
            percent(std::max(to - from, 0.001)) + "\" y=\"" + std::to_string(y) + "\" height=\"" +
            std::to_string(height) + "\"" +
            (title.empty() ? "/>\n" : "><title>" + escaped(title) + "</title></rect>\n");
  }

  void axis(int height) {
    for (const std::int64_t time : scale_.ticks(timeline_.start)) {
      const double at = scale_.at(time);
      const std::string x = percent(at);
      out_ += "<line class=\"tick\" x1=\"" + x + "\" x2=\"" + x + "\" y1=\"0\" y2=\"" +
              std::to_string(height + 6) + "\"/><text x=\"" + x + "\" y=\"" + std::to_string(height + 20) +
              "\" text-anchor=\"" +
              (at < 0.04   ? "start"
               : at > 0.96 ? "end"
                           : "middle") +
              "\">" +
              escaped(time <= timeline_.start ? "start" : "+" + duration_text(time - timeline_.start)) +
              "</text>\n";
    }
  }

  void lane(std::size_t i) {
    const auto count =
        std::count_if(calls_.begin(), calls_.end(), [&](const Call* call) { return lane_of(*call) == i; });
    out_ += "<text class=\"name\" x=\"0\" y=\"" + std::to_string(top(i) + 16) + "\">" +
            escaped(lanes_[i], 60) + "</text><text x=\"100%\" text-anchor=\"end\" y=\"" +
            std::to_string(top(i) + 16) + "\">" + std::to_string(count) + (count == 1 ? " call" : " calls") +
            "</text>\n";
    out_ += "<rect class=\"lane\" x=\"0\" width=\"100%\" rx=\"4\" y=\"" +
            std::to_string(top(i) + name_height) + "\" height=\"" + std::to_string(lane_height_ - 6) +
            "\"/>\n";
  }

  void across(const Event& event, int height) {
    if (event.type == "mission_pause") {
      const auto resumed = std::find_if(events_.begin(), events_.end(), [&](const Event* each) {
        return each->record > event.record && each->kind == Event::Kind::mission;
      });
      return rectangle("pause", scale_.at(event.time),
                       scale_.at(resumed == events_.end() ? timeline_.end : (*resumed)->time), 0, height,
                       event.text);
    }
    const bool trouble = event.kind == Event::Kind::trouble;
    if (!trouble && event.type != "policy_changed") return;
    const std::string x = percent(scale_.at(event.time));
    out_ += "<line class=\"" + std::string(trouble ? "trouble" : "policy") + "\" x1=\"" + x + "\" x2=\"" + x +
            "\" y1=\"0\" y2=\"" + std::to_string(height) + "\"><title>" + escaped(event.text) +
            "</title></line>\n";
  }

  void link(const Call& call, const std::string& title, const std::string& inside) {
    out_ += "<a class=\"mark " + decision_class(call.decision) + "\" href=\"#call-" +
            std::to_string(call.number) + "\"" + (calls_.size() > tab_stops_max ? " tabindex=\"-1\"" : "") +
            "><title>" + escaped(title) + "</title>" + inside + "</a>\n";
  }

  void marks() {
    for (const Call* call : calls_)
      if (call->settled)
        rectangle("wait", scale_.at(call->time), scale_.at(*call->settled),
                  top(lane_of(*call)) + name_height + 11, 6,
                  "waited " + duration_text(*call->settled - call->time) + " for a person");
    for (const Call* call : calls_) {
      const std::string kind = decision_class(call->decision);
      const std::string x = percent(scale_.at(call->time));
      const int y = top(lane_of(*call)) + name_height + 14;
      std::string inside = "<use class=\"shape " + kind + "\" href=\"#" + kind + "\" x=\"" + x + "\" y=\"" +
                           std::to_string(y) + "\"/>";
      if (!call->breaches.empty())
        inside += "<use class=\"violation\" href=\"#violation\" x=\"" + x + "\" y=\"" +
                  std::to_string(y - 15) + "\"/>";
      link(*call,
           "call " + std::to_string(call->number) + ", " + call->decision + ": " + call->what() + ", " +
               outcome_text(*call),
           inside);
    }
  }

  std::map<std::pair<std::size_t, std::size_t>, Column> counted() const {
    std::map<std::pair<std::size_t, std::size_t>, Column> found;  // by lane and column
    const auto column = [&](std::int64_t time) {
      return std::min(columns_count - 1, static_cast<std::size_t>(scale_.at(time) * columns_count));
    };
    for (const Call* call : calls_) {
      Column& at = found[{lane_of(*call), column(call->time)}];
      ++at.count[call->decision == "ALLOW" ? 0 : call->decision == "ASK" ? 1 : 2];
      at.violations += call->breaches.size();
      if (at.first == 0) at.first = call->number;
      if (call->settled)
        for (std::size_t i = column(call->time); i <= column(*call->settled); ++i)
          found[{lane_of(*call), i}].waits = true;
    }
    return found;
  }

  void columns() {
    const auto found = counted();
    std::size_t most = 1;
    for (const auto& [at, column] : found) most = std::max(most, column.all());
    constexpr std::array kinds = {"allow", "ask", "deny"};
    constexpr std::array fills = {"", "hatch", "cross"};
    const double width = 1.0 / columns_count;
    for (const auto& [at, column] : found) {
      const double x = static_cast<double>(at.second) * width;
      const int floor = top(at.first) + name_height + lane_height_ - 12;
      if (column.waits) rectangle("wait", x, x + width, floor, 6, "calls waited for a person");
      if (column.all() == 0) continue;
      // No column is so low that it is not seen, and none of its parts.
      double y = floor;
      std::string inside;
      for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (column.count[i] == 0) continue;
        const double high = std::max(
            3.0, (lane_height_ - 26) * static_cast<double>(column.count[i]) / static_cast<double>(most));
        y -= high;
        const std::string box = "\" x=\"" + percent(x) + "\" width=\"" + percent(width * 0.86) + "\" y=\"" +
                                decimal(y) + "\" height=\"" + decimal(high) + "\"/>";
        inside += "<rect class=\"shape " + std::string(kinds[i]) + box;
        if (*fills[i] != 0) inside += "<rect fill=\"url(#" + std::string(fills[i]) + ")" + box;
      }
      if (column.violations > 0)
        inside += "<use class=\"violation\" href=\"#small\" x=\"" + percent(x + width / 2) + "\" y=\"" +
                  decimal(std::max(y - 5, top(at.first) + name_height + 2.0)) + "\"/>";
      Call first;
      first.number = column.first;
      link(first,
           std::to_string(column.count[0]) + " allowed, " + std::to_string(column.count[1]) + " asked, " +
               std::to_string(column.count[2]) + " denied, " + std::to_string(column.violations) +
               " violations, from call " + std::to_string(column.first) + " on",
           inside);
    }
  }

  std::string legend() const {
    const auto item = [](const std::string& drawn, const char* text) {
      return "<li><svg viewBox=\"-8 -8 16 16\" aria-hidden=\"true\">" + drawn + "</svg>" + text + "</li>";
    };
    const auto shape = [&](const char* kind, const char* text, const char* fill) {
      const std::string box = "\" x=\"-6\" y=\"-6\" width=\"12\" height=\"12\"/>";
      if (!columns_)
        return item("<use class=\"shape " + std::string(kind) + "\" href=\"#" + kind + "\"/>", text);
      return item("<rect class=\"shape " + std::string(kind) + box +
                      (*fill == 0 ? "" : "<rect fill=\"url(#" + std::string(fill) + ")" + box),
                  text);
    };
    std::string list =
        "<ul class=\"legend\">" + shape("allow", "allowed", "") + shape("ask", "asked", "hatch") +
        shape("deny", "denied", "cross") +
        item("<use class=\"violation\" href=\"#violation\"/>", "violation") +
        item("<rect class=\"wait\" x=\"-8\" y=\"-3\" width=\"16\" height=\"6\"/>", "waited for a person");
    const auto has = [&](const char* type) {
      return std::any_of(events_.begin(), events_.end(),
                         [&](const Event* each) { return each->type == type; });
    };
    if (has("mission_pause"))
      list += item("<rect class=\"pause\" x=\"-8\" y=\"-8\" width=\"16\" height=\"16\"/>", "paused");
    if (has("policy_changed")) list += item("<line class=\"policy\" y1=\"-8\" y2=\"8\"/>", "policy changed");
    if (!scale_.gaps().empty())
      list += item("<rect class=\"break\" x=\"-7\" y=\"-7\" width=\"14\" height=\"14\"/>",
                   "long silence, cut short");
    return list + "</ul>\n";
  }

  const Timeline& timeline_;
  TimeScale scale_;
  std::vector<const Call*> calls_;
  std::vector<const Event*> events_;
  std::vector<std::string> lanes_;
  bool columns_ = false;
  int lane_height_ = marks_height;
  std::string out_;
};

}  // namespace

std::string picture(const Timeline& timeline, const std::vector<std::size_t>& places) {
  return Picture(timeline, places).svg();
}

}  // namespace proxy::replay
