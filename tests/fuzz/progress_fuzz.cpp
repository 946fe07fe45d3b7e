// The first two bytes are the offset, the rest a progress notification: only its progress and total change,
// neither gets smaller, and what comes out is read like what went in.

#include <cstddef>
#include <cstdint>
#include <string>

#include "proxy/base/check.hpp"
#include "proxy/base/json.hpp"
#include "proxy/call/progress.hpp"
#include "transports/message.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::uint64_t offset = data[0] * 256u + data[1];
  const std::string line(reinterpret_cast<const char*>(data) + 2, size - 2);
  auto parsed = transports::parse(line, transports::Limits{});
  if (!parsed) return 0;
  const auto moved = proxy::offset_progress(parsed.message(), offset);
  if (!moved) return 0;
  auto again = transports::parse(*moved, transports::Limits{});
  CHECK(again);
  CHECK(again.message().id == parsed.message().id);
  CHECK(again.message().method == parsed.message().method);
  CHECK(again.message().progress_token == parsed.message().progress_token);
  auto before = base::json::parse(line).value();
  auto after = base::json::parse(*moved).value();
  for (const char* key : {"progress", "total"}) {
    if (!before["params"].contains(key) || !before["params"][key].is_number()) continue;
    CHECK(after["params"][key].is_number());
    const double from = before["params"][key].get<double>();
    const double to = after["params"][key].get<double>();
    CHECK(to >= from);
    if (from >= 0 && from < 1e9) CHECK(to - from > static_cast<double>(offset) - 0.001);
    after["params"][key] = before["params"][key];
  }
  CHECK(before == after);
  return 0;
}
