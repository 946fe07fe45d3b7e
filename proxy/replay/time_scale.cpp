#include "proxy/replay/time_scale.hpp"

#include <algorithm>

namespace proxy::replay {
namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::int64_t gap_min = 300 * second;  // shorter ones are never cut
constexpr std::int64_t gaps_of_span = 10;       // one is longer than this part of all
constexpr std::int64_t gap_shown_of_rest = 20;  // and shown as this part of the rest

}  // namespace

TimeScale::TimeScale(std::vector<std::int64_t> times) {
  std::sort(times.begin(), times.end());
  first_ = times.front();
  last_ = times.back();
  const std::int64_t longest = std::max(gap_min, (last_ - first_) / gaps_of_span);
  std::int64_t rest = last_ - first_;
  for (std::size_t i = 1; i < times.size(); ++i)
    if (times[i] - times[i - 1] > longest) {
      gaps_.push_back({times[i - 1], times[i]});
      rest -= times[i] - times[i - 1];
    }
  gap_shown_ = std::clamp(rest / gap_shown_of_rest, second, gap_min);
}

std::int64_t TimeScale::shortened(std::int64_t time) const {
  const std::int64_t within = std::clamp(time, first_, last_);
  std::int64_t length = within - first_;
  for (const Gap& gap : gaps_) {
    if (within <= gap.from) break;
    const std::int64_t all = gap.to - gap.from;
    const std::int64_t passed = std::min(within, gap.to) - gap.from;
    length -= passed;
    length += static_cast<std::int64_t>(static_cast<double>(gap_shown_) * static_cast<double>(passed) /
                                        static_cast<double>(all));
  }
  return length;
}

double TimeScale::at(std::int64_t time) const {
  const std::int64_t all = shortened(last_);
  return all <= 0 ? 0.5 : static_cast<double>(shortened(time)) / static_cast<double>(all);
}

std::vector<std::int64_t> TimeScale::ticks(std::int64_t start) const {
  constexpr std::int64_t steps[] = {1,       2,       5,        10,       20,       50,      100,
                                    200,     500,     1000,     2000,     5000,     10000,   15000,
                                    30000,   60000,   120000,   300000,   600000,   900000,  1800000,
                                    3600000, 7200000, 14400000, 21600000, 43200000, 86400000};
  constexpr double apart = 1.0 / 7;
  constexpr int wanted = 6;
  std::int64_t step = 86400LL * 1000 * 1'000'000 * 7;
  for (const std::int64_t each : steps)
    if (each * 1'000'000 * wanted >= shortened(last_)) {
      step = each * 1'000'000;
      break;
    }
  std::vector<std::int64_t> times;
  const auto add = [&](std::int64_t time) {
    if (times.empty() || at(time) - at(times.back()) >= apart) times.push_back(time);
  };
  std::int64_t from = first_;
  const auto mark = [&](std::int64_t to) {  // the round times of a span without a gap, few enough by `step`
    for (std::int64_t time = start + (from - start + step - 1) / step * step; time <= to; time += step)
      add(time);
  };
  for (const Gap& gap : gaps_) {
    mark(gap.from);
    from = gap.to;
  }
  mark(last_);
  return times;
}

}  // namespace proxy::replay
