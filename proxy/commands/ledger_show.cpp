// callgate ledger show: one record whole.

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ledger/reader.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/ledger_commands.hpp"
#include "proxy/commands/report.hpp"

namespace proxy::commands {
namespace {

using ledger::Record;
using ledger::StoredRecord;

constexpr std::size_t shown_bytes_max = 64 * 1024;  // of one payload, as text; --json prints all

struct Shown {
  StoredRecord stored;
  std::vector<std::optional<std::string>> payloads;  // one for each commitment; nullopt: gone
  std::vector<Record> answered_by;
};

base::Result<std::uint64_t> sequence_of(const ledger::Reader& reader, const std::string& text) {
  if (text == "last") {
    const auto head = reader.head();
    if (!head) return head.error();
    if (!*head) return base::Error(base::Code::not_found, "the ledger has no record");
    return (*head)->sequence;
  }
  std::uint64_t sequence = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), sequence);
  if (error != std::errc{} || end != text.data() + text.size())
    return base::Error(base::Code::invalid, base::quoted(text) + " is neither a record's number nor `last`");
  return sequence;
}

base::Result<Shown> read_shown(const ledger::Reader& reader, std::uint64_t sequence) {
  auto stored = reader.record(sequence);
  if (!stored) return stored.error();
  if (!*stored) return base::Error(base::Code::not_found, "there is no record " + std::to_string(sequence));
  Shown shown{std::move(**stored), {}, {}};
  for (const auto& commitment : shown.stored.record.payloads) {
    auto payload = reader.payload(shown.stored, commitment.slot);
    if (!payload) return payload.error();
    shown.payloads.push_back(std::move(*payload));
  }
  auto scanned = reader.scan(sequence + 1, ~std::uint64_t{0}, [&](const StoredRecord& later) {
    if (later.record.answers && later.record.answers->sequence == sequence)
      shown.answered_by.push_back(later.record);
    return true;
  });
  if (!scanned) return scanned.error();
  return shown;
}

std::string time_of(const Record& record) {
  return base::utc_text(base::WallTime(std::chrono::nanoseconds(record.time)));
}

void print_json(const Shown& shown) {
  nlohmann::ordered_json out;
  out["record"] = nlohmann::ordered_json::parse(shown.stored.body);
  out["leaf"] = base::hex(shown.stored.leaf);
  out["payloads"] = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < shown.payloads.size(); ++i)
    out["payloads"][shown.stored.record.payloads[i].slot] =
        shown.payloads[i] ? nlohmann::ordered_json::parse(json_of(*shown.payloads[i]))
                          : nlohmann::ordered_json(nullptr);
  out["answered_by"] = nlohmann::ordered_json::array();
  for (const Record& record : shown.answered_by)
    out["answered_by"].push_back(
        {{"sequence", record.sequence}, {"type", ledger::name(record.type)}, {"time", time_of(record)}});
  std::printf("%s\n", out.dump(2).c_str());
}

// Each line behind a gutter, so that no payload can pass for a line of ours.
void print_lines(std::string_view text) {
  const std::string_view shown = text.substr(0, shown_bytes_max);
  for (std::size_t at = 0; at <= shown.size();) {
    const std::size_t end = std::min(shown.find('\n', at), shown.size());
    std::printf("  │ %s\n", base::printable(shown.substr(at, end - at), 4 * shown_bytes_max).c_str());
    at = end + 1;
  }
  if (shown.size() < text.size())
    std::printf("  … %zu more bytes; `--json` prints all\n", text.size() - shown.size());
}

void print_text(const Shown& shown) {
  const Record& record = shown.stored.record;
  std::printf("record %llu: %s, %s\nleaf %s\n", static_cast<unsigned long long>(record.sequence),
              ledger::name(record.type), time_of(record).c_str(), base::hex(shown.stored.leaf).c_str());
  const auto body = nlohmann::ordered_json::parse(shown.stored.body);
  for (const auto& [key, value] : body.items()) {
    if (key == "sequence" || key == "type" || key == "payloads") continue;
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    std::printf("%-11s %s\n", key.c_str(), base::printable(text, 64 * 1024).c_str());
  }
  for (std::size_t i = 0; i < shown.payloads.size(); ++i) {
    const auto& commitment = record.payloads[i];
    std::printf("payload %s, %llu bytes%s\n", base::printable(commitment.slot).c_str(),
                static_cast<unsigned long long>(commitment.size), shown.payloads[i] ? "" : ": gone");
    if (shown.payloads[i]) print_lines(*shown.payloads[i]);
  }
  for (const Record& answer : shown.answered_by)
    std::printf("answered by record %llu: %s, %s\n", static_cast<unsigned long long>(answer.sequence),
                ledger::name(answer.type), time_of(answer).c_str());
}

}  // namespace

int show_ledger(const ledger::Place& place, const LedgerShow& options) {
  const auto reader = ledger::Reader::open(place);
  if (!reader) return fail(reader.error(), exit_failed);
  const auto sequence = sequence_of(**reader, options.sequence);
  if (!sequence)
    return fail(sequence.error(), sequence.error().code() == base::Code::invalid ? exit_usage : exit_failed);
  const auto shown = read_shown(**reader, *sequence);
  if (!shown) return fail(shown.error(), exit_failed);
  if (options.json)
    print_json(*shown);
  else
    print_text(*shown);
  return 0;
}

}  // namespace proxy::commands
