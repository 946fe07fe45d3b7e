#include "proxy/replay/time_scale.hpp"

#include "tests/catch.hpp"

namespace proxy::replay {
namespace {

constexpr std::int64_t second = 1'000'000'000;

TEST_CASE("times stand in proportion, the first at 0 and the last at 1") {
  const TimeScale scale({10 * second, 14 * second, 12 * second});
  CHECK(scale.gaps().empty());
  CHECK(scale.at(10 * second) == Approx(0));
  CHECK(scale.at(11 * second) == Approx(0.25));
  CHECK(scale.at(14 * second) == Approx(1));
  CHECK(scale.at(0) == Approx(0));
  CHECK(scale.at(99 * second) == Approx(1));
}

TEST_CASE("a night of silence is cut short, and order is kept across it") {
  const TimeScale scale({0, 60 * second, 120 * second, 30'000 * second, 30'060 * second});
  REQUIRE(scale.gaps().size() == 1);
  CHECK(scale.at(120 * second) > 0.5);
  CHECK(scale.at(30'000 * second) - scale.at(120 * second) < 0.1);
  CHECK(scale.at(120 * second) < scale.at(15'000 * second));
  CHECK(scale.at(15'000 * second) < scale.at(30'000 * second));
}

TEST_CASE("ticks are few, round and apart") {
  const TimeScale scale({0, 95 * second});
  const auto ticks = scale.ticks(0);
  REQUIRE(ticks.size() >= 2);
  CHECK(ticks.size() <= 8);
  for (std::size_t i = 1; i < ticks.size(); ++i)
    CHECK(scale.at(ticks[i]) - scale.at(ticks[i - 1]) >= 1.0 / 7);
}

TEST_CASE("one moment stands in the middle") { CHECK(TimeScale({5}).at(5) == Approx(0.5)); }

}  // namespace
}  // namespace proxy::replay
