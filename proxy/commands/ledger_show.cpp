// callgate ledger show: one record whole, and, of a decision, all that came of it.

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "approvals/render.hpp"
#include "ledger/reader.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/ledger_commands.hpp"
#include "proxy/commands/record_text.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/commands/terminal.hpp"

namespace proxy::commands {
namespace {

using ledger::StoredRecord;

struct Shown {
  StoredRecord stored;
  std::vector<std::optional<std::string>> payloads;  // one for each commitment; nullopt: gone
};

// Of the newest decision.
base::Result<std::uint64_t> last_call(const ledger::Reader& reader) {
  std::optional<std::uint64_t> found;
  const auto scanned = reader.scan_back([&](const StoredRecord& stored) {
    if (stored.record.type == ledger::Type::decision) found = stored.record.sequence;
    return !found;
  });
  if (!scanned) return scanned.error();
  if (!found) return base::Error(base::Code::not_found, "no call is on record yet");
  return *found;
}

base::Result<std::uint64_t> sequence_of(const ledger::Reader& reader, const std::string& text) {
  if (text == "last") return last_call(reader);
  std::uint64_t sequence = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), sequence);
  if (error != std::errc{} || end != text.data() + text.size())
    return base::Error(base::Code::invalid, base::quoted(text) + " is neither a record's number nor `last`");
  return sequence;
}

base::Result<Shown> with_payloads(const ledger::Reader& reader, StoredRecord stored) {
  Shown shown{std::move(stored), {}};
  for (const auto& commitment : shown.stored.record.payloads) {
    auto payload = reader.payload(shown.stored, commitment.slot);
    if (!payload) return payload.error();
    shown.payloads.push_back(std::move(*payload));
  }
  return shown;
}

// The record, then those that answer it, and those that answer these, in order.
base::Result<std::vector<Shown>> read_shown(const ledger::Reader& reader, std::uint64_t sequence) {
  auto first = reader.record(sequence);
  if (!first) return first.error();
  if (!*first) return base::Error(base::Code::not_found, "there is no record " + std::to_string(sequence));
  std::vector<StoredRecord> found{std::move(**first)};
  std::set<std::uint64_t> known{sequence};
  const auto scanned = reader.scan(sequence + 1, ~std::uint64_t{0}, [&](const StoredRecord& later) {
    if (later.record.answers && known.contains(later.record.answers->sequence)) {
      known.insert(later.record.sequence);
      found.push_back(later);
    }
    return true;
  });
  if (!scanned) return scanned.error();
  std::vector<Shown> all;
  for (StoredRecord& stored : found) {
    auto shown = with_payloads(reader, std::move(stored));
    if (!shown) return shown.error();
    all.push_back(std::move(*shown));
  }
  return all;
}

nlohmann::ordered_json as_json(const Shown& shown) {
  nlohmann::ordered_json out;
  out["record"] = nlohmann::ordered_json::parse(shown.stored.body);
  out["leaf"] = base::hex(shown.stored.leaf);
  out["payloads"] = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < shown.payloads.size(); ++i)
    out["payloads"][shown.stored.record.payloads[i].slot] =
        shown.payloads[i] ? nlohmann::ordered_json::parse(json_of(*shown.payloads[i]))
                          : nlohmann::ordered_json(nullptr);
  return out;
}

void print_json(const std::vector<Shown>& all) {
  nlohmann::ordered_json out = as_json(all.front());
  out["answered_by"] = nlohmann::ordered_json::array();
  for (auto shown = all.begin() + 1; shown != all.end(); ++shown) {
    const ledger::Record& record = shown->stored.record;
    nlohmann::ordered_json entry = {
        {"sequence", record.sequence},
        {"type", ledger::name(record.type)},
        {"time", base::utc_text(base::WallTime(std::chrono::nanoseconds(record.time)))}};
    entry.update(as_json(*shown));
    out["answered_by"].push_back(std::move(entry));
  }
  std::printf("%s\n", out.dump(2).c_str());
}

void print_lines(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) std::printf("%s\n", line.c_str());
}

void print_text(const std::vector<Shown>& all) {
  const approvals::RenderOptions options{.width = std::max(terminal_width(), approvals::width_min)};
  for (const Shown& shown : all) {
    const ledger::Record& record = shown.stored.record;
    std::printf("%s%s\n", &shown == &all.front() ? "" : "\n", record_title(record).c_str());
    print_lines(record_lines(record));
    for (std::size_t i = 0; i < shown.payloads.size(); ++i)
      print_lines(payload_lines(record, record.payloads[i], shown.payloads[i], options));
  }
}

}  // namespace

int show_ledger(const ledger::Place& place, const LedgerShow& options) {
  const auto reader = ledger::Reader::open(place);
  if (!reader) return fail(reader.error(), exit_failed);
  const auto sequence = sequence_of(**reader, options.sequence);
  if (!sequence)
    return fail(sequence.error(), sequence.error().code() == base::Code::invalid ? exit_usage : exit_failed);
  const auto all = read_shown(**reader, *sequence);
  if (!all) return fail(all.error(), exit_failed);
  if (options.json)
    print_json(*all);
  else
    print_text(*all);
  return 0;
}

}  // namespace proxy::commands
