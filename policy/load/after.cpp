// `after` and `rate` of a rule: what earlier calls are counted for, and how many it takes.

#include <array>
#include <charconv>

#include "policy/load/parts.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

constexpr std::int64_t count_max = 10'000;
constexpr std::chrono::hours span_max{24 * 366};

std::optional<std::chrono::nanoseconds> read_within(TomlReader& reader, const toml::node& node) {
  const auto text = reader.string(node, "within");
  if (!text) return std::nullopt;
  const auto span = base::duration_from_text(*text);
  if (!span || span->count() == 0 || *span > span_max) {
    reader.fail(node, base::quoted(*text) + " is no span such as `30s`, `10m`, `2h` or `7d`, at most `366d`");
    return std::nullopt;
  }
  return *span;
}

std::size_t read_count(TomlReader& reader, const toml::node& node) {
  const auto* number = node.as_integer();
  if (number != nullptr && number->get() >= 1 && number->get() <= count_max)
    return static_cast<std::size_t>(number->get());
  reader.fail(node, "`count` must be a whole number from 1 to " + std::to_string(count_max));
  return 1;
}

std::optional<std::chrono::nanoseconds> unit(std::string_view text) {
  using namespace std::chrono;
  if (text == "s") return seconds(1);
  if (text == "min") return minutes(1);
  if (text == "h") return hours(1);
  if (text == "day") return hours(24);
  return std::nullopt;
}

}  // namespace

std::optional<After> read_after(FileContext& context, const toml::node& node, const Condition& rule) {
  TomlReader& reader = context.reader;
  const toml::table* table = reader.table(node, "after", "after = { read = [\"**/.env\"] }");
  if (table == nullptr) return std::nullopt;
  static constexpr std::array<std::string_view, 9> known{"read",    "write",   "delete", "path", "run",
                                                         "connect", "content", "within", "count"};
  const std::size_t before = reader.count();
  static constexpr std::string_view of_calls =
      "does not stand in `after`: it looks at what earlier calls did, whatever server or tool they were for";
  static constexpr std::array<TomlReader::Misplaced, 4> misplaced{
      {{"server", of_calls}, {"tool", of_calls}, {"method", of_calls}, {"argument", of_calls}}};
  reader.check_keys(*table, known, misplaced);
  After after;
  after.effects = read_condition(context, *table, rule.stance);
  after.effects.leaves_bare_words = rule.leaves_bare_words;
  if (const auto* within = table->get("within")) after.within = read_within(reader, *within);
  if (const auto* count = table->get("count")) after.count = read_count(reader, *count);
  after.text = std::to_string(after.count) + (after.count == 1 ? " call" : " calls");
  if (const auto* within = table->get_as<std::string>("within")) after.text += " in " + within->get();
  if (reader.count() != before) return std::nullopt;
  if (!after.effects.names_effects() && after.effects.content.empty()) {
    reader.fail(node,
                "`after` names no effect: it needs `read`, `write`, `delete`, `path`, `run`, `connect` or "
                "`content`");
  } else if (kinds_of(after.effects) == 0) {
    reader.fail(node, "what `after` waits for never happens: no effect has all that its keys ask for");
  }
  return after;
}

std::optional<Rate> read_rate(FileContext& context, const toml::node& node, Tier tier) {
  TomlReader& reader = context.reader;
  if (tier != Tier::allow) {
    reader.fail(node, "`rate` says how often an allow lets pass; a deny or ask rule has none");
    return std::nullopt;
  }
  const auto text = reader.string(node, "rate");
  if (!text) return std::nullopt;
  std::int64_t count = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), count);
  const std::string_view rest(end, static_cast<std::size_t>(text->data() + text->size() - end));
  const auto span = rest.starts_with('/') ? unit(rest.substr(1)) : std::nullopt;
  if (error != std::errc{} || !span || count < 1 || count > count_max) {
    reader.fail(node, base::quoted(*text) + " is no rate such as `30/min`: a whole number from 1 to " +
                          std::to_string(count_max) + ", and `/s`, `/min`, `/h` or `/day`");
    return std::nullopt;
  }
  return Rate{static_cast<std::size_t>(count), *span, *text, {}};
}

}  // namespace policy
