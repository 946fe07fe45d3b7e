#include "proxy/base/clock.hpp"

#include <string>

#include "tests/catch.hpp"

using base::time_from_text;
using namespace std::chrono_literals;

TEST_CASE("a time is read as it is written, to the millisecond") {
  const base::WallTime time(std::chrono::nanoseconds(1'796'000'400'123'000'000));
  CHECK(base::utc_text(time) == "2026-11-30T01:00:00.123Z");
  CHECK(time_from_text(base::utc_text(time)) == time);
  CHECK(time_from_text("2026-11-30T01:00:00Z") == time - 123ms);
  CHECK(time_from_text("2026-11-30T01:00:00.000000001Z") == time - 123ms + 1ns);
  CHECK(time_from_text("2026-11-30") == time - 123ms - 1h);
  CHECK(time_from_text("2028-02-29").has_value());
}

TEST_CASE("what is no time is none, cut at every length or changed at every byte") {
  const std::string whole = "2026-11-30T01:00:00.123Z";
  for (std::size_t size = 0; size < whole.size(); ++size)
    if (size != 10) CHECK_FALSE(time_from_text(whole.substr(0, size)).has_value());
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string changed = whole;
    changed[at] = '/';
    CHECK_FALSE(time_from_text(changed).has_value());
  }
  for (const char* text : {"2026-02-29", "2026-13-01", "2026-00-01", "1969-12-31", "2201-01-01",
                           "2026-11-30T24:00:00Z", "2026-11-30T01:60:00Z", "2026-11-30T01:00:60Z",
                           "2026-11-30T01:00:00.Z", "2026-11-30T01:00:00.1234567890Z",
                           "2026-11-30T01:00:00.-1Z", "2026-11-30T01:00:00+01:00", "yesterday"})
    CHECK_FALSE(time_from_text(text).has_value());
}

TEST_CASE("a duration is a whole number and a unit") {
  CHECK(base::duration_from_text("10m") == 10min);
  CHECK(base::duration_from_text("1d") == 24h);
  for (const char* text : {"", "10", "m", "-1m", "1.5h", "1h30m", "10 m"})
    CHECK_FALSE(base::duration_from_text(text).has_value());
}
