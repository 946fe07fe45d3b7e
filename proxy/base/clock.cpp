#include "proxy/base/clock.hpp"

#include <array>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <fstream>

namespace base {

WallTime wall_now() {
  return std::chrono::time_point_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now());
}

MonotonicTime monotonic_now() {
  timespec now{};
  clock_gettime(CLOCK_BOOTTIME, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

const std::string& boot_id() {
  static const std::string id = [] {
    std::string text;
    std::ifstream("/proc/sys/kernel/random/boot_id") >> text;
    std::erase(text, '-');
    return text.size() == 32 ? text : std::string(32, '0');
  }();
  return id;
}

std::string utc_text(WallTime time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(time - seconds).count();
  const std::time_t calendar = std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(seconds));
  std::tm parts{};
  gmtime_r(&calendar, &parts);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02d.%03dZ", parts.tm_year + 1900,
                parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                static_cast<int>(milliseconds));
  return text.data();
}

std::optional<std::chrono::milliseconds> duration_from_text(std::string_view text) {
  long long count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc{} || count < 0 || count > 1'000'000'000) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  using namespace std::chrono;
  if (unit == "ms") return milliseconds(count);
  if (unit == "s") return seconds(count);
  if (unit == "m") return minutes(count);
  if (unit == "h") return hours(count);
  if (unit == "d") return hours(24 * count);
  return std::nullopt;
}

}  // namespace base
