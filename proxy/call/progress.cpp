#include "proxy/call/progress.hpp"

#include <charconv>
#include <limits>
#include <vector>

#include "proxy/base/json.hpp"
#include "proxy/base/json_scan.hpp"

namespace proxy {
namespace {

struct Number {
  std::size_t offset = 0;
  std::size_t size = 0;
};

// Integers stay integers; anything else becomes the shortest number that holds the sum.
std::string sum(std::string_view number, std::uint64_t offset) {
  std::int64_t integer = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), integer);
  if (error == std::errc{} && end == number.data() + number.size() &&
      integer <= std::numeric_limits<std::int64_t>::max() - static_cast<std::int64_t>(offset))
    return std::to_string(integer + static_cast<std::int64_t>(offset));
  double value = 0;
  std::from_chars(number.data(), number.data() + number.size(), value);
  char text[64];
  const auto written = std::to_chars(text, text + sizeof text, value + static_cast<double>(offset));
  return {text, written.ptr};
}

}  // namespace

std::optional<std::string> offset_progress(const transports::Message& notification, std::uint64_t offset) {
  std::vector<Number> numbers;
  bool has_progress = false;
  const auto scanned = base::json::scan(notification.bytes, {}, [&](const base::json::Member& member) {
    if (member.path.size() != 2 || member.path[0] != "params") return;
    if (member.path[1] != "progress" && member.path[1] != "total") return;
    if (member.value.type != base::json::Type::number) return;
    has_progress = has_progress || member.path[1] == "progress";
    numbers.push_back({member.value.offset, member.value.size});
  });
  if (!scanned || !has_progress) return std::nullopt;
  std::string bytes;
  std::size_t copied = 0;
  for (const Number& number : numbers) {
    bytes.append(notification.bytes, copied, number.offset - copied);
    bytes += sum(std::string_view(notification.bytes).substr(number.offset, number.size), offset);
    copied = number.offset + number.size;
  }
  return bytes.append(notification.bytes, copied);
}

}  // namespace proxy
