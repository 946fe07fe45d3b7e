#include "proxy/replay/words.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace proxy::replay {
namespace {

std::string format(const char* pattern, double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), pattern, value);
  return text.data();
}

std::string two(std::int64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); }

std::string many(std::size_t count, const char* one, const char* more) {
  return std::to_string(count) + " " + (count == 1 ? one : more);
}

void add(std::string& text, const char* between, const std::string& part) {
  if (part.empty()) return;
  text += (text.empty() ? "" : between) + part;
}

}  // namespace

std::string duration_text(std::int64_t nanoseconds) {
  const double milliseconds = static_cast<double>(std::max<std::int64_t>(nanoseconds, 0)) / 1e6;
  if (milliseconds < 10) return format("%.1f ms", milliseconds);
  if (milliseconds < 1000) return format("%.0f ms", milliseconds);
  if (milliseconds < 9950) return format("%.1f s", milliseconds / 1000);
  const auto seconds = static_cast<std::int64_t>(milliseconds / 1000 + 0.5);
  if (seconds < 60) return std::to_string(seconds) + " s";
  if (seconds < 3600) return std::to_string(seconds / 60) + " min " + std::to_string(seconds % 60) + " s";
  if (seconds < 86400)
    return std::to_string(seconds / 3600) + " h " + std::to_string(seconds / 60 % 60) + " min";
  return std::to_string(seconds / 86400) + " d " + std::to_string(seconds / 3600 % 24) + " h";
}

std::string after_text(std::int64_t nanoseconds) {
  if (nanoseconds < 0) return "-" + after_text(-nanoseconds);
  const std::int64_t milliseconds = nanoseconds / 1'000'000;
  const std::int64_t seconds = milliseconds / 1000;
  const std::string rest = std::to_string(1000 + milliseconds % 1000).substr(1);
  const std::string tail = two(seconds % 60) + "." + rest;
  if (seconds < 3600) return std::to_string(seconds / 60) + ":" + tail;
  return std::to_string(seconds / 3600) + ":" + two(seconds / 60 % 60) + ":" + tail;
}

std::string size_text(std::uint64_t bytes) {
  if (bytes < 1000) return std::to_string(bytes) + " B";
  if (bytes < 1'000'000) return format("%.1f kB", static_cast<double>(bytes) / 1e3);
  return format("%.1f MB", static_cast<double>(bytes) / 1e6);
}

std::string decided_by(const Call& call) {
  if (!call.grants.empty()) {
    std::string text = call.grants.size() == 1 ? "grant" : "grants";
    for (const std::uint64_t grant : call.grants) text += " " + std::to_string(grant);
    return text;
  }
  return call.rule.empty() ? "default" : call.rule;
}

std::string outcome_text(const Call& call) {
  std::string text;
  if (call.answer)
    text = (call.answer->verdict == "allow" ? "allowed" : "denied") + std::string(" after ") +
           duration_text(call.answer->time - call.time);
  else if (call.decision == "ASK" && call.settled && call.state != "answered")
    text = call.state + " after " + duration_text(*call.settled - call.time);
  if (call.has_outcome) {
    // That it was refused says the denial already.
    const bool said = call.state == "refused" && call.answer && call.answer->verdict == "deny";
    if (!said) add(text, ", ", call.is_error && call.state == "answered" ? "answered (error)" : call.state);
    add(text, " ", call.error.empty() ? "" : "(" + call.error + ")");
    if (call.state == "answered") text += ", " + duration_text(call.duration) + ", " + size_text(call.size);
  } else if (text.empty() || (call.answer && call.state == "open")) {
    add(text, ", ", call.state);
  }
  if (!call.result.empty()) add(text, ", ", "result " + call.result);
  if (call.judged_again) add(text, ", ", "judged again");
  return text;
}

std::string telling_effect(const Timeline& timeline, const Call& call) {
  const Effect* telling = nullptr;
  for (const Effect& each : call.effects) {
    const bool decided = each.tier == call.decision && !(each.tier == "ALLOW" && each.rule.empty());
    if (decided || (telling == nullptr && !each.summary.starts_with("use "))) telling = &each;
    if (decided) break;
  }
  std::string text = telling == nullptr ? std::string() : telling->summary;
  const std::string below = " " + timeline.workspace + "/";
  const std::size_t at = text.find(below);
  if (!timeline.workspace.empty() && at != std::string::npos && at == text.find(' '))
    text.erase(at + 1, below.size() - 1);
  return text;
}

std::string breach_text(const Breach& breach) {
  std::string text = breach.rule.empty() ? breach.kind : "rule " + breach.rule;
  if (breach.kind == "result") text += " (in what came back)";
  add(text, ", ", breach.severity);
  add(text, ", ", breach.violation_class);
  return text;
}

std::string totals_text(const Totals& totals) {
  std::string answers;
  if (totals.approved > 0) add(answers, ", ", std::to_string(totals.approved) + " approved");
  if (totals.refused > 0) add(answers, ", ", std::to_string(totals.refused) + " refused");
  if (totals.unanswered > 0) add(answers, ", ", std::to_string(totals.unanswered) + " not answered");
  std::string parts;
  if (totals.allowed > 0) add(parts, ", ", std::to_string(totals.allowed) + " allowed");
  if (totals.asked > 0) add(parts, ", ", std::to_string(totals.asked) + " asked (" + answers + ")");
  if (totals.denied > 0) add(parts, ", ", std::to_string(totals.denied) + " denied");
  std::string text = many(totals.calls, "call", "calls") + (parts.empty() ? "" : ": " + parts);
  text +=
      "; " + (totals.violations == 0 ? "no violation" : many(totals.violations, "violation", "violations"));
  if (totals.errors > 0) text += "; " + many(totals.errors, "error", "errors");
  if (totals.withheld > 0)
    text += "; " + many(totals.withheld, "result", "results") + " withheld or redacted";
  if (totals.waited > 0) text += "; waited " + duration_text(totals.waited) + " for people";
  return text;
}

std::string checked_text(const Checked& checked) {
  std::string text =
      std::string(ledger::name(checked.level)) + ", " + many(checked.records, "record", "records");
  if (!checked.loss.empty()) text += "; " + checked.loss;
  if (!checked.here.empty())
    text += "; " + many(checked.here.size(), "finding", "findings") + " in this mission";
  if (checked.elsewhere > 0)
    text += "; " + many(checked.elsewhere, "finding", "findings") + " elsewhere (`callgate ledger verify`)";
  if (checked.not_listed > 0) text += "; " + std::to_string(checked.not_listed) + " more, not listed";
  return text;
}

std::string finding_text(const ledger::Finding& finding) {
  return finding.sequence == ledger::Finding::no_record
             ? finding.what
             : "record " + std::to_string(finding.sequence) + ": " + finding.what;
}

}  // namespace proxy::replay
