#pragma once
// Where times stand in a picture: from 0 to 1 in proportion, but that long spans in which nothing happened
// are cut short. Pure.

#include <cstdint>
#include <vector>

namespace proxy::replay {

class TimeScale {
 public:
  struct Gap {  // that is cut short
    std::int64_t from = 0, to = 0;
  };
  // `times` at which something happened, in any order; at least one.
  explicit TimeScale(std::vector<std::int64_t> times);

  double at(std::int64_t time) const;  // rises with time; 0 to 1
  const std::vector<Gap>& gaps() const { return gaps_; }
  // Times to mark, at round distances from `start`, outside of gaps, no closer than 1/7.
  std::vector<std::int64_t> ticks(std::int64_t start) const;

 private:
  std::int64_t shortened(std::int64_t time) const;  // ns since the first, gaps cut
  std::int64_t first_ = 0, last_ = 0;
  std::int64_t gap_shown_ = 0;
  std::vector<Gap> gaps_;
};

}  // namespace proxy::replay
