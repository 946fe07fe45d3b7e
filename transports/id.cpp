#include "transports/id.hpp"

#include <charconv>
#include <cstdint>

#include "proxy/base/json.hpp"
#include "proxy/base/json_scan.hpp"

namespace transports {
namespace {

constexpr std::int64_t integer_max = std::int64_t{1} << 53;

bool small_integer(std::string_view text) {
  std::int64_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() && value >= -integer_max &&
         value <= integer_max && text != "-0";
}

}  // namespace

bool echoable_id(std::string_view spelled) {
  const auto scanned = base::json::scan(spelled, {.bytes_max = id_bytes_max, .depth_max = 0});
  return scanned && scanned->size == spelled.size() && scanned->type != base::json::Type::boolean;
}

bool usable_id(std::string_view spelled) {
  if (!echoable_id(spelled)) return false;
  return spelled.front() == '"' || small_integer(spelled);
}

std::string id_key(std::string_view spelled) {
  if (spelled.empty() || spelled.front() != '"') return std::string(spelled);
  return '"' + base::json::unescaped(spelled) + '"';
}

}  // namespace transports
