// What json::check accepts, nlohmann accepts too, no key is lost on the way to the tree, and the canonical
// text is a fixed point that the strict reader accepts.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "proxy/base/check.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/utf8.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace json = base::json;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (!json::check(text)) return 0;
  CHECK(base::utf8::valid(text));
  // Every key that nlohmann meets is still in its tree: none was a duplicate.
  std::size_t keys = 0;
  std::size_t kept = 0;
  const auto count = [&](int, json::Value::parse_event_t event, json::Value& value) {
    if (event == json::Value::parse_event_t::key) ++keys;
    if (event == json::Value::parse_event_t::object_end) kept += value.size();
    return true;
  };
  CHECK(!json::Value::parse(text, count, false).is_discarded());
  CHECK(keys == kept);
  const json::Value value = json::parse(text).value();
  const std::string canonical = json::canonical(value);
  const auto again = json::parse(canonical, {.bytes_max = 64 * size + 64, .depth_max = 128});
  CHECK(again.has_value());
  CHECK(json::canonical(*again) == canonical);
  return 0;
}
