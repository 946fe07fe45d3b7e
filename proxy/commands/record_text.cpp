#include "proxy/commands/record_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "approvals/answer.hpp"
#include "approvals/ask.hpp"
#include "approvals/effects.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/base/text.hpp"

namespace proxy::commands {
namespace {

using ledger::Record;

constexpr std::size_t shown_bytes_max = 64 * 1024;
constexpr std::size_t field_bytes_max = 4096;

std::string utc(std::int64_t nanoseconds) {
  return base::utc_text(base::WallTime(std::chrono::nanoseconds(nanoseconds)));
}

std::string milliseconds(std::int64_t nanoseconds) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.3f ms", static_cast<double>(nanoseconds) / 1e6);
  return text.data();
}

std::string shown(std::string_view text) { return base::printable(text, field_bytes_max); }

// The fields that are there, as lines.
class Fields {
 public:
  void add(std::string_view name, const std::string& value) {
    if (value.empty()) return;
    std::string line(name);
    line.resize(std::max<std::size_t>(line.size(), 10), ' ');
    lines.push_back("  " + line + " " + value);
  }
  std::vector<std::string> lines;
};

std::string agent_text(const ledger::Agent& agent) {
  std::string text = shown(agent.name);
  if (!agent.version.empty()) text += " " + shown(agent.version);
  if (!agent.protocol.empty()) text += ", protocol " + shown(agent.protocol);
  return text + (text.empty() ? "" : ", ") + "process " + std::to_string(agent.process.pid);
}

std::string capability_text(const ledger::Capability& capability) {
  std::string text = shown(capability.method);
  if (!capability.tool.empty()) text += " " + shown(capability.tool);
  std::string effects;
  for (const std::string& effect : capability.effects) effects += (effects.empty() ? ": " : ", ") + effect;
  return text + effects;
}

std::string operator_text(const ledger::Operator& by) {
  return by.answer + ", as " + by.level + ", key " + by.key.substr(0, 8) +
         (by.valid_until == 0 ? "" : ", usable until " + utc(by.valid_until));
}

std::string outcome_text(const ledger::Outcome& outcome) {
  return outcome.status + (outcome.is_error ? ", an error" : "") +
         (outcome.error.empty() ? "" : ", " + shown(outcome.error)) + ", " + std::to_string(outcome.size) +
         " bytes after " + milliseconds(outcome.duration);
}

std::string detail_text(const Record& record, const std::string& key, const std::string& value) {
  if (record.type == ledger::Type::decision && key == "expires") {
    std::int64_t time = 0;
    const char* const end = value.data() + value.size();
    if (const auto read = std::from_chars(value.data(), end, time); read.ec == std::errc{} && read.ptr == end)
      return utc(time);
  }
  if (record.type == ledger::Type::detached && key == "limit") return shown(value) + " ms";
  return shown(value);
}

void append(std::vector<std::string>& lines, const approvals::Rendered& block) {
  lines.insert(lines.end(), block.lines.begin(), block.lines.end());
}

// Whether it could be shown as effects.
bool append_effects(std::vector<std::string>& lines, const std::string& bytes,
                    const approvals::RenderOptions& options) {
  const auto effects = approvals::effects_from_payload(bytes);
  if (!effects) return false;
  for (const approvals::ShownEffect& effect : *effects) approvals::add_effect(lines, effect, options);
  return true;
}

}  // namespace

std::string record_title(const Record& record) {
  return "record " + std::to_string(record.sequence) + ": " + ledger::name(record.type) + ", " +
         utc(record.time);
}

std::vector<std::string> record_lines(const Record& record) {
  Fields fields;
  if (record.answers) fields.add("answers", "record " + std::to_string(record.answers->sequence));
  fields.add("mission",
             shown(record.mission) +
                 (record.call == 0 ? "" : ", call " + std::to_string(record.call) + " of its run"));
  if (record.agent) fields.add("agent", agent_text(*record.agent));
  fields.add("server", shown(record.server));
  if (record.capability) fields.add("call", capability_text(*record.capability));
  fields.add("decision", record.decision);
  for (const ledger::Rule& rule : record.rules)
    fields.add("rule", shown(rule.id.empty() ? "the default" : rule.id) + " (" + shown(rule.layer) +
                           "): " + rule.tier);
  if (record.violation)
    fields.add("violation",
               shown(record.violation->kind) + ", " + shown(record.violation->violation_class) +
                   ", severity " + record.violation->severity +
                   (record.violation->rule.empty() ? "" : ", rule " + shown(record.violation->rule)));
  if (record.operator_) fields.add("operator", operator_text(*record.operator_));
  if (record.outcome) fields.add("outcome", outcome_text(*record.outcome));
  for (const auto& [key, value] : record.details) fields.add(shown(key), detail_text(record, key, value));
  if (record.policy) fields.add("policy", base::hex(*record.policy));
  for (const auto& [rule, count] : record.redacted)
    fields.add("redacted", std::to_string(count) + " by " + shown(rule));
  return fields.lines;
}

std::vector<std::string> payload_lines(const Record& record, const ledger::Commitment& commitment,
                                       const std::optional<std::string>& bytes,
                                       const approvals::RenderOptions& options) {
  std::vector<std::string> lines{"payload " + shown(commitment.slot) + ", " +
                                 std::to_string(commitment.size) + " bytes" + (bytes ? "" : ": gone")};
  if (!bytes) return lines;
  if (commitment.slot == "effects" && append_effects(lines, *bytes, options)) return lines;
  if (record.operator_ && (commitment.slot == "rationale" || commitment.slot == "rule")) {
    const auto words = approvals::signed_words(record.detail(commitment.slot), *bytes);
    if (!words) lines.front() += ", changed since it was signed";
    append(lines, approvals::render(words ? *words : *bytes, options));
    return lines;
  }
  const std::string_view part = std::string_view(*bytes).substr(0, shown_bytes_max);
  append(lines, part.size() == bytes->size() ? approvals::render_json(part, options)
                                             : approvals::render(part, options));
  if (part.size() < bytes->size())
    lines.push_back("… " + std::to_string(bytes->size() - part.size()) + " more bytes; `--json` prints all");
  return lines;
}

}  // namespace proxy::commands
