#include "ledger/custody.hpp"

#include <charconv>

namespace ledger {
namespace {

void add_sized(std::string& to, const std::string& text) {
  const std::uint64_t size = text.size();
  for (int shift = 56; shift >= 0; shift -= 8) to += static_cast<char>(size >> shift & 255);
  to += text;
}

template <class Number>
bool read(const Record& record, const char* key, Number& value) {
  const std::string text = record.detail(key);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && value >= 0;
}

}  // namespace

std::string custody_text(const Record& record) {
  std::string details;
  for (const auto& [key, value] : record.details) {
    add_sized(details, key);
    add_sized(details, value);
  }
  const Operator& by = *record.operator_;
  std::string text;
  for (const std::string& line : {"callgate " + std::string(name(record.type)) + " 1", record.ledger,
                                  record.answers ? std::to_string(record.answers->sequence) : "none",
                                  record.answers ? base::hex(record.answers->leaf) : "none", by.answer,
                                  by.level, std::to_string(by.valid_until),
                                  base::hex(base::sha256(record.mission)), base::hex(base::sha256(details))})
    text += line + "\n";
  return text;
}

std::optional<Removal> removal_of(const Record& record) {
  Removal removal;
  removal.mission = record.mission;
  if (record.answers) {
    if (record.type != Type::erase) return std::nullopt;
    removal.from = removal.to = record.answers->sequence;
    const std::string slots = record.detail("slots");
    for (std::size_t at = 0; at < slots.size();) {
      const std::size_t end = std::min(slots.find(' ', at), slots.size());
      removal.slots.push_back(slots.substr(at, end - at));
      at = end + 1;
    }
    return removal.slots.empty() ? std::nullopt : std::optional(removal);
  }
  if (record.mission.empty() || !read(record, "from", removal.from) || !read(record, "to", removal.to) ||
      !read(record, "size", removal.size) || removal.from > removal.to || removal.size <= removal.to)
    return std::nullopt;
  if (record.type == Type::purge && !read(record, "before", removal.before)) return std::nullopt;
  return removal;
}

void put(const Removal& removal, Record& record) {
  record.mission = removal.mission;
  if (!removal.slots.empty()) {
    std::string slots;
    for (const std::string& slot : removal.slots) slots += (slots.empty() ? "" : " ") + slot;
    record.details["slots"] = slots;
    return;
  }
  record.details["from"] = std::to_string(removal.from);
  record.details["to"] = std::to_string(removal.to);
  record.details["size"] = std::to_string(removal.size);
  if (record.type == Type::purge) record.details["before"] = std::to_string(removal.before);
}

}  // namespace ledger
