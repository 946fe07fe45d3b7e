#include "proxy/replay/mission_span.hpp"

#include <charconv>
#include <optional>
#include <string_view>

#include "proxy/base/text.hpp"

namespace proxy::replay {
namespace {

using ledger::Record;
using ledger::Type;

// What `text` asks for.
struct Wanted {
  std::string name;  // empty: any
  std::optional<std::uint64_t> start;

  bool begins(const Record& record) const {
    return record.type == Type::mission_start && (name.empty() || record.mission == name) &&
           (!start || record.sequence == *start);
  }
};

Wanted wanted_by(const std::string& text) {
  if (text == "last") return {};
  const std::size_t at = text.rfind('@');
  if (at == std::string::npos) return {text, {}};
  const std::string_view digits = std::string_view(text).substr(at + 1);
  std::uint64_t start = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), start);
  if (error != std::errc{} || end != digits.data() + digits.size()) return {text, {}};
  return {text.substr(0, at), start};
}

}  // namespace

base::Result<MissionSpan> find_mission(const ledger::Reader& reader, const std::string& text) {
  const Wanted wanted = wanted_by(text);
  std::optional<MissionSpan> found;
  const auto scanned = reader.scan(0, ~std::uint64_t{0}, [&](const ledger::StoredRecord& stored) {
    const Record& record = stored.record;
    if (wanted.begins(record))
      found = MissionSpan{record.mission, record.sequence};
    else if (found && record.type == Type::mission_start && found->holds(record))
      found->last = record.sequence - 1;
    return true;
  });
  if (!scanned) return scanned.error();
  if (found) return *found;
  return base::Error(base::Code::not_found, text == "last"
                                                ? "no mission is on record yet"
                                                : "there is no mission " + base::quoted(text) + " on record");
}

}  // namespace proxy::replay
