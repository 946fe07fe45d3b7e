// callgate ledger list: calls, newest first. Read backwards in pieces, so that a long ledger costs no more
// than what is shown of it, and what came of a call is known before the call is met.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "approvals/effects.hpp"
#include "ledger/reader.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/ledger_commands.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/commands/terminal.hpp"

namespace proxy::commands {
namespace {

using ledger::Record;
using ledger::StoredRecord;
using ledger::Type;

constexpr std::size_t what_min = 40;  // columns, where the terminal has fewer left

struct Call {
  std::uint64_t sequence = 0;
  std::string time, mission, server, tool, decision, rule, status;
  std::string what;  // the effect that tells most; empty: none does
};

// What a record says about the call that it answers; empty: nothing.
std::string status_of(const Record& record) {
  if (record.type == Type::outcome && record.outcome)
    return record.outcome->is_error && record.outcome->status == "answered" ? "answered (error)"
                                                                            : record.outcome->status;
  if (record.type == Type::answer && record.operator_)
    return record.operator_->answer == "allow" ? "allowed" : "denied";
  if (record.type == Type::expired || record.type == Type::withdrawn || record.type == Type::detached ||
      record.type == Type::released)
    return ledger::name(record.type);
  return {};
}

base::WallTime time_of(const Record& record) { return base::WallTime(std::chrono::nanoseconds(record.time)); }

Call call_of(const Record& record, const std::string& status) {
  Call call;
  call.sequence = record.sequence;
  call.time = base::utc_text(time_of(record));
  call.mission = record.mission;
  call.server = record.server;
  if (record.capability)
    call.tool = record.capability->tool.empty() ? record.capability->method : record.capability->tool;
  call.decision = record.decision;
  // What decided: grants, or the first rule of the same tier as the decision.
  if (const std::string grants = record.detail("grants"); !grants.empty()) call.rule = "grant " + grants;
  for (const ledger::Rule& rule : record.rules)
    if (rule.tier == record.decision && call.rule.empty()) call.rule = rule.id;
  call.status = !status.empty()             ? status
                : record.decision == "ASK"  ? "waiting"
                : record.decision == "DENY" ? "refused"
                                            : "open";
  return call;
}

bool is_guess(const approvals::ShownEffect& effect) { return effect.summary.ends_with(" (a guess)"); }

// The first effect that decided, else the first that is more than the tool's use, and no guess where there is
// another; what a tool is used for stands in its name already.
std::string what_of(const ledger::Reader& reader, const StoredRecord& stored) {
  const auto payload = reader.payload(stored, "effects");
  if (!payload || !*payload) return {};
  const auto effects = approvals::effects_from_payload(**payload);
  if (!effects) return {};
  const approvals::ShownEffect* telling = nullptr;
  for (const approvals::ShownEffect& each : *effects) {
    if (each.effect == "use") continue;
    if (each.tier == stored.record.decision && !(each.tier == "ALLOW" && each.rule.empty()))
      return each.summary;
    if (telling == nullptr || (is_guess(*telling) && !is_guess(each))) telling = &each;
  }
  return telling == nullptr ? std::string() : telling->summary;
}

base::Result<std::vector<Call>> newest(const ledger::Reader& reader, const LedgerList& options) {
  std::vector<Call> calls;
  std::map<std::uint64_t, std::string> statuses;  // of decisions not met yet
  TooOld too_old(options);
  const auto scanned = reader.scan_back(
      [&](const StoredRecord& stored) {
        const Record& record = stored.record;
        if (calls.size() >= options.limit || too_old(record)) return false;
        if (record.answers)
          if (const std::string status = status_of(record); !status.empty())
            statuses.try_emplace(record.answers->sequence, status);
        if (record.type != Type::decision) return true;
        const auto status = statuses.extract(record.sequence);
        if (!wanted(options, record)) return true;
        calls.push_back(call_of(record, status.empty() ? "" : status.mapped()));
        calls.back().what = what_of(reader, stored);
        return true;
      },
      options.mission);
  if (!scanned) return scanned.error();
  return calls;
}

void print_json(const std::vector<Call>& calls) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Call& call : calls)
    list.push_back({{"sequence", call.sequence},
                    {"time", call.time},
                    {"mission", call.mission},
                    {"server", call.server},
                    {"tool", call.tool},
                    {"decision", call.decision},
                    {"rule", call.rule},
                    {"status", call.status},
                    {"what", call.what}});
  std::printf("%s\n", list.dump(2).c_str());
}

void print_table(const std::vector<Call>& calls) {
  std::vector<std::array<std::string, 7>> rows{
      {"SEQUENCE", "TIME", "MISSION", "CALL", "DECISION", "RULE", "STATUS"}};
  for (const Call& call : calls)
    rows.push_back({std::to_string(call.sequence), call.time, base::printable(call.mission, 24),
                    base::printable(call.server, 32) + "/" + base::printable(call.tool, 48), call.decision,
                    base::printable(call.rule, 40), call.status});
  std::array<std::size_t, 7> widths{};
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  std::size_t before = 0;
  for (const std::size_t width : widths) before += width + 2;
  const std::size_t room = terminal_width() > before + what_min ? terminal_width() - before : what_min;
  for (std::size_t each = 0; each < rows.size(); ++each) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i)
      line += rows[each][i] + std::string(widths[i] - rows[each][i].size() + 2, ' ');
    line += each == 0 ? "WHAT" : shown_what(calls[each - 1].what, room);
    line.erase(line.find_last_not_of(' ') + 1);
    std::printf("%s\n", line.c_str());
  }
}

}  // namespace

std::string shown_what(const std::string& what, std::size_t columns) {
  constexpr std::string_view cut = "…";
  const std::string all = base::printable(what, what.size() * 8 + 8);
  const auto starts = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; };
  std::vector<std::size_t> places;  // of characters
  for (std::size_t i = 0; i < all.size(); ++i)
    if (starts(all[i])) places.push_back(i);
  if (places.size() <= columns) return all;
  const std::size_t blank = all.find(' ');
  const bool path = all.starts_with("read /") || all.starts_with("write /") || all.starts_with("delete /");
  if (!path || blank + 2 >= columns) return all.substr(0, places[columns - 1]) + std::string(cut);
  return all.substr(0, blank + 1) + std::string(cut) +
         all.substr(places[places.size() - (columns - blank - 2)]);
}

bool TooOld::operator()(const Record& record) {
  constexpr std::size_t in_a_row_max = 512;
  if (!options_.since) return false;
  in_a_row_ = time_of(record) < *options_.since ? in_a_row_ + 1 : 0;
  return in_a_row_ > in_a_row_max;
}

bool wanted(const LedgerList& options, const Record& record) {
  return (options.mission.empty() || options.mission == record.mission) &&
         (options.server.empty() || options.server == record.server) &&
         (options.decision.empty() || options.decision == record.decision) &&
         (!options.since || time_of(record) >= *options.since);
}

base::Result<base::WallTime> since_when(const std::string& text, base::WallTime now) {
  if (const auto ago = base::duration_from_text(text))
    return now - std::min(*ago, std::chrono::floor<std::chrono::milliseconds>(now.time_since_epoch()));
  if (const auto time = base::time_from_text(text)) return *time;
  return base::Error(base::Code::invalid, base::quoted(text) +
                                              " is neither a duration such as `10m`, `2h` or `1d`, nor a UTC "
                                              "time such as `2026-11-29T17:44:21Z` or `2026-11-29`");
}

int list_ledger(const ledger::Place& place, const LedgerList& options) {
  const auto reader = ledger::Reader::open(place);
  const auto calls = reader ? newest(**reader, options) : base::Result<std::vector<Call>>(reader.error());
  if (!calls) return fail(calls.error(), exit_failed);
  if (options.json) {
    print_json(*calls);
  } else if (calls->empty()) {
    const bool all =
        options.mission.empty() && options.server.empty() && options.decision.empty() && !options.since;
    std::fprintf(stderr, "%s\n", all ? "no calls yet" : "no such calls");
  } else {
    print_table(*calls);
  }
  return 0;
}

}  // namespace proxy::commands
