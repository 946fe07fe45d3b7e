#include "proxy/base/clock.hpp"

#include <array>
#include <charconv>
#include <cstdint>
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

std::optional<WallTime> time_from_text(std::string_view text) {
  const auto number = [&](std::size_t at, std::size_t digits) -> int {
    int value = 0;
    for (const char c : text.substr(at, digits)) {
      if (c < '0' || c > '9') return -1;
      value = value * 10 + (c - '0');
    }
    return value;
  };
  constexpr std::string_view form = "2026-11-29T17:44:21";
  const bool day_alone = text.size() == 10;
  if (!day_alone && (text.size() < form.size() + 1 || text.back() != 'Z')) return std::nullopt;
  for (std::size_t i = 0; i < (day_alone ? 10 : form.size()); ++i)
    if ((form[i] < '0' || form[i] > '9') ? text[i] != form[i] : (text[i] < '0' || text[i] > '9'))
      return std::nullopt;
  using namespace std::chrono;
  const year_month_day date(year(number(0, 4)), month(static_cast<unsigned>(number(5, 2))),
                            day(static_cast<unsigned>(number(8, 2))));
  if (!date.ok() || date.year() < year(1970) || date.year() > year(2200)) return std::nullopt;
  WallTime time = sys_days(date);
  if (day_alone) return time;
  if (number(11, 2) > 23 || number(14, 2) > 59 || number(17, 2) > 59) return std::nullopt;
  time += hours(number(11, 2)) + minutes(number(14, 2)) + seconds(number(17, 2));
  const std::string_view fraction = text.substr(form.size(), text.size() - form.size() - 1);
  if (fraction.empty()) return time;
  const int value = number(form.size() + 1, fraction.size() - 1);
  if (fraction.front() != '.' || fraction.size() < 2 || fraction.size() > 10 || value < 0)
    return std::nullopt;
  std::int64_t nanoseconds_of = value;
  for (std::size_t digits = fraction.size() - 1; digits < 9; ++digits) nanoseconds_of *= 10;
  return time + nanoseconds(nanoseconds_of);
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
