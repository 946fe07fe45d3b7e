#include "proxy/replay/text.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "approvals/render.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/text.hpp"
#include "proxy/replay/words.hpp"

namespace proxy::replay {
namespace {

constexpr std::size_t what_min = 20;  // columns of what a call did
constexpr std::size_t field_bytes_max = 4096;

enum class Colour { none, green, yellow, red, dim, bold };

std::string painted(const std::string& text, Colour colour, bool on) {
  if (!on || colour == Colour::none || text.empty()) return text;
  const char* code = colour == Colour::green    ? "32"
                     : colour == Colour::yellow ? "33"
                     : colour == Colour::red    ? "31"
                     : colour == Colour::dim    ? "2"
                                                : "1";
  return "\x1b[" + std::string(code) + "m" + text + "\x1b[0m";
}

Colour colour_of(const std::string& decision) {
  return decision == "ALLOW" ? Colour::green : decision == "ASK" ? Colour::yellow : Colour::red;
}

std::size_t columns_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  }));
}

// Printable text, cut to so many columns with a mark.
std::string cut(const std::string& text, std::size_t columns) {
  if (columns_of(text) <= columns) return text;
  std::size_t bytes = 0;
  for (std::size_t seen = 0; bytes < text.size(); ++bytes)
    if ((static_cast<unsigned char>(text[bytes]) & 0xC0U) != 0x80U &&
        ++seen == std::max<std::size_t>(columns, 1))
      break;
  return text.substr(0, bytes) + "…";
}

std::string shown(const std::string& text) { return base::printable(text, field_bytes_max); }

std::string utc(std::int64_t nanoseconds) {
  return base::utc_text(base::WallTime(std::chrono::nanoseconds(nanoseconds)));
}

std::string field(const char* name, const std::string& value) {
  std::string line(name);
  line.resize(10, ' ');
  return line + shown(value);
}

// Filled to so many columns.
std::string filled(std::string text, std::size_t columns) {
  const std::size_t there = columns_of(text);
  return there < columns ? text + std::string(columns - there, ' ') : text;
}

struct Row {
  std::array<std::string, 5> cells;  // number, after, call, decision, rule
  std::string outcome, what;
};

Row row_of(const Timeline& timeline, const Call& call) {
  return {{std::to_string(call.number), after_text(call.time - timeline.start),
           base::printable(call.server, 20) + "/" + base::printable(call.what(), 32), call.decision,
           cut(base::printable(decided_by(call), 64), 24)},
          shown(outcome_text(call)),
          shown(telling_effect(timeline, call))};
}

std::string joined(const Row& row, const std::array<std::size_t, 5>& widths, const std::string& decision,
                   bool colour) {
  std::string line;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const std::string& cell = row.cells[i];
    const std::string blanks(widths[i] - columns_of(cell), ' ');
    if (i == 0)
      line += blanks + cell + "  ";  // numbers end below each other
    else
      line +=
          (i == 3 ? painted(cell, colour_of(decision), colour && !decision.empty()) : cell) + blanks + "  ";
  }
  return line;
}

// What a call has beside its line.
void add_beneath(std::vector<std::string>& lines, const Call& call, std::size_t indent,
                 const TextOptions& options) {
  const std::size_t room = options.width > indent + what_min ? options.width - indent : what_min;
  const auto add = [&](const std::string& text, Colour colour) {
    lines.push_back(std::string(indent, ' ') + painted(cut(text, room), colour, options.colour));
  };
  for (const Breach& each : call.breaches) add("! violation: " + shown(breach_text(each)), Colour::red);
  if (!call.redirected_by.empty()) add("redirected by rule " + shown(call.redirected_by), Colour::none);
  if (call.answer && !call.answer->rationale.empty())
    add((call.answer->words == Answered::Words::proven ? "because "
                                                       : "because (changed since it was signed) ") +
            approvals::render_inline(call.answer->rationale, 400),
        Colour::dim);
}

}  // namespace

std::vector<std::string> heading_lines(const Timeline& timeline, const Checked& checked,
                                       const TextOptions& options) {
  std::vector<std::string> lines;
  const std::size_t listed = std::min(checked.here.size(), findings_shown_max);
  for (std::size_t i = 0; i < listed; ++i)
    lines.push_back(painted("finding: " + shown(finding_text(checked.here[i])), Colour::red, options.colour));
  if (listed < checked.here.size())
    lines.push_back("finding: … and " + std::to_string(checked.here.size() - listed) + " more");
  const bool sound = checked.level == ledger::Report::Level::self_consistent;
  lines.push_back(painted("ledger    " + shown(checked_text(checked)), sound ? Colour::none : Colour::red,
                          options.colour));
  lines.push_back(
      painted(field("mission", timeline.span.id + ", " + timeline.state), Colour::bold, options.colour));
  lines.push_back(field("time", utc(timeline.start) + " to " + utc(timeline.end) + ", " +
                                    duration_text(timeline.end - timeline.start)));
  std::string agent = timeline.agent.empty() ? "nameless" : timeline.agent;
  if (timeline.process != 0) agent += ", process " + std::to_string(timeline.process);
  lines.push_back(field("agent", agent));
  std::string workspace = timeline.workspace.empty() ? "gone" : timeline.workspace;
  if (!timeline.commit.empty()) workspace += " at commit " + timeline.commit.substr(0, 12);
  lines.push_back(field("workspace", workspace));
  for (const ServerSeen& each : timeline.servers) {
    std::string text = each.name;
    if (!each.server_name.empty())
      text += ": " + each.server_name + (each.server_version.empty() ? "" : " " + each.server_version);
    if (!each.tools_count.empty()) text += ", " + each.tools_count + " tools";
    lines.push_back(field("server", text));
  }
  for (const PolicySeen& each : timeline.policies)
    lines.push_back(field("policy", each.digest.substr(0, 12) + "  " + each.files));
  lines.push_back(field("calls", totals_text(totals_of(timeline))));
  return lines;
}

std::vector<std::string> entry_lines(const Timeline& timeline, const std::vector<std::size_t>& places,
                                     const TextOptions& options) {
  const Row head{{"CALL", "AFTER", "TOOL", "DECISION", "RULE"}, "OUTCOME", "WHAT"};
  std::array<std::size_t, 5> widths{};
  for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = head.cells[i].size();
  std::size_t outcome_width = head.outcome.size();
  bool calls = false;
  for (const std::size_t place : places) {
    const Call* call = std::get_if<Call>(&timeline.entries[place]);
    if (call == nullptr) continue;
    calls = true;
    const Row row = row_of(timeline, *call);
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], columns_of(row.cells[i]));
    outcome_width = std::max(outcome_width, columns_of(row.outcome));
  }
  std::size_t before = outcome_width + 2;
  for (const std::size_t width : widths) before += width + 2;
  const std::size_t indent = widths[0] + 2 + widths[1] + 2;
  const std::size_t room = options.width > before + what_min ? options.width - before : what_min;
  const bool narrow = options.width < before + what_min;  // outcome and effect stand below, then
  const auto whole = [&](const Row& row, const std::string& decision) {
    std::string line = joined(row, widths, decision, options.colour);
    if (!narrow) line += filled(row.outcome, outcome_width) + "  " + cut(row.what, room);
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  };
  std::vector<std::string> lines;
  if (calls) lines.push_back(painted(whole(head, ""), Colour::dim, options.colour));
  for (const std::size_t place : places) {
    const Entry& entry = timeline.entries[place];
    if (const Call* call = std::get_if<Call>(&entry)) {
      const Row row = row_of(timeline, *call);
      lines.push_back(whole(row, call->decision));
      if (narrow)
        lines.push_back(std::string(indent, ' ') +
                        cut(row.outcome + (row.what.empty() ? "" : "  " + row.what),
                            std::max(options.width, indent + what_min) - indent));
      add_beneath(lines, *call, indent, options);
      continue;
    }
    const Event& event = std::get<Event>(entry);
    const std::string at = after_text(event.time - timeline.start);
    const std::string text = std::string(widths[0] + 2, ' ') + filled(at, widths[1]) + "  " +
                             (event.kind == Event::Kind::trouble ? "! " : "· ") + shown(event.text);
    lines.push_back(painted(cut(text, std::max(options.width, indent + what_min)),
                            event.kind == Event::Kind::trouble ? Colour::red : Colour::dim, options.colour));
  }
  return lines;
}

namespace {

void append(std::vector<std::string>& lines, const approvals::Rendered& block) {
  lines.insert(lines.end(), block.lines.begin(), block.lines.end());
}

void add_answer(std::vector<std::string>& lines, const Call& call, const approvals::RenderOptions& render) {
  if (!call.answer) return;
  lines.push_back(
      field("answer", call.answer->verdict + " after " + duration_text(call.answer->time - call.time) +
                          ", as " + call.answer->level + ", record " + std::to_string(call.answer->record)));
  switch (call.answer->words) {
    case Answered::Words::none: return;
    case Answered::Words::gone: return lines.push_back("the operator's words are gone");
    case Answered::Words::proven: lines.push_back("because"); break;
    case Answered::Words::unproven: lines.push_back("because (changed since it was signed)"); break;
  }
  append(lines, approvals::render(call.answer->rationale, render));
}

std::vector<std::string> call_lines(const Timeline& timeline, const Call& call, const TextOptions& options) {
  const approvals::RenderOptions render{.width = std::max(options.width, approvals::width_min)};
  std::vector<std::string> lines;
  lines.push_back(painted("call " + std::to_string(call.number), Colour::bold, options.colour) + "  " +
                  painted(call.decision, colour_of(call.decision), options.colour) + "  " +
                  shown(call.server + "/" + call.what()));
  lines.push_back(field("time", utc(call.time) + ", " + after_text(call.time - timeline.start) +
                                    " into the mission, record " + std::to_string(call.record)));
  for (const Breach& each : call.breaches)
    lines.push_back(painted(field("violation", breach_text(each) + ", record " + std::to_string(each.record)),
                            Colour::red, options.colour));
  std::string by = decided_by(call);
  if (!call.layer.empty()) by += " (" + call.layer + (call.place.empty() ? "" : ", " + call.place) + ")";
  lines.push_back(field("rule", by));
  if (!call.why.empty()) lines.push_back(field("why", call.why));
  for (const Effect& each : call.effects)
    lines.push_back(
        field("effect", each.tier + "  " + each.summary + (each.rule.empty() ? "" : "  by " + each.rule)));
  if (call.effects_count > call.effects.size())
    lines.push_back(
        field("effect", "… and " + std::to_string(call.effects_count - call.effects.size()) + " more"));
  if (!call.redirected_by.empty()) lines.push_back(field("redirect", "by " + call.redirected_by));
  if (call.again_of)
    lines.push_back(field("again", "was judged before as call " + std::to_string(*call.again_of)));
  if (call.answer_of)
    lines.push_back(
        field("about", "what came back of the call of record " + std::to_string(*call.answer_of)));
  if (call.joins)
    lines.push_back(field("joins", "waits for the answer to record " + std::to_string(*call.joins)));
  add_answer(lines, call, render);
  if (call.grant) lines.push_back(field("grant", "record " + std::to_string(*call.grant)));
  lines.push_back(field("outcome", outcome_text(call)));
  if (!call.found.empty()) lines.push_back(field("found", call.found));
  if (call.arguments_gone) lines.emplace_back("arguments gone");
  if (!call.arguments.empty()) {
    lines.push_back("arguments, " + size_text(call.arguments_size) + (call.redacted ? ", redacted" : ""));
    const bool whole = call.arguments_size <= argument_bytes_max;
    append(lines, whole ? approvals::render_json(call.arguments, render)
                        : approvals::render(call.arguments, render));
  }
  return lines;
}

}  // namespace

namespace {

// Longer lines go on below, indented; colours begin and end with each line.
std::vector<std::string> wrapped(const std::vector<std::string>& lines, std::size_t width) {
  constexpr std::size_t indent = 10;
  std::vector<std::string> out;
  for (const std::string& line : lines) {
    std::string piece, colour;
    std::size_t columns = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '\x1b') {  // ours: untrusted text is printable
        const std::size_t end = line.find('m', i);
        colour = line.substr(i, end - i + 1) == "\x1b[0m" ? "" : line.substr(i, end - i + 1);
        piece += line.substr(i, end - i + 1);
        i = end;
        continue;
      }
      const bool starts = (static_cast<unsigned char>(line[i]) & 0xC0U) != 0x80U;
      if (starts && columns == std::max(width, indent + what_min)) {
        out.push_back(piece + (colour.empty() ? "" : "\x1b[0m"));
        piece = colour + std::string(indent, ' ');
        columns = indent;
      }
      columns += starts ? 1 : 0;
      piece += line[i];
    }
    out.push_back(std::move(piece));
  }
  return out;
}

}  // namespace

std::vector<std::string> full_lines(const Timeline& timeline, std::size_t place, const TextOptions& options) {
  const Entry& entry = timeline.entries[place];
  if (const Call* call = std::get_if<Call>(&entry))
    return wrapped(call_lines(timeline, *call, options), options.width);
  const Event& event = std::get<Event>(entry);
  return wrapped({painted(shown(event.text), Colour::bold, options.colour),
                  field("time", utc(event.time) + ", " + after_text(event.time - timeline.start) +
                                    " into the mission, record " + std::to_string(event.record))},
                 options.width);
}

}  // namespace proxy::replay
