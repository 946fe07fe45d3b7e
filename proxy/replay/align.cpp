#include "proxy/replay/align.hpp"

#include <algorithm>
#include <cstdint>

namespace proxy::replay {
namespace {

using Place = std::int64_t;

// A part of both sequences: from inclusive, to exclusive.
struct Box {
  Place a_from = 0, a_to = 0, b_from = 0, b_to = 0;
};

struct Split {
  Place a = 0, b = 0;  // a shortest path leads through this point
};

class Aligner {
 public:
  Aligner(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b)
      : a_(a), b_(b), offset_(static_cast<Place>(a.size() + b.size()) + 2) {
    forward_.resize(2 * static_cast<std::size_t>(offset_) + 1);
    backward_.resize(forward_.size());
  }

  std::vector<std::pair<std::size_t, std::size_t>> all() {
    // In order, with a stack of its own: as deep as there are differences, at worst.
    std::vector<Box> boxes{{0, static_cast<Place>(a_.size()), 0, static_cast<Place>(b_.size())}};
    while (!boxes.empty()) {
      Box box = boxes.back();
      boxes.pop_back();
      while (box.a_from < box.a_to && box.b_from < box.b_to && same(box.a_from, box.b_from))
        pairs_.emplace_back(box.a_from++, box.b_from++);
      Place tail = 0;
      while (box.a_from < box.a_to - tail && box.b_from < box.b_to - tail &&
             same(box.a_to - tail - 1, box.b_to - tail - 1))
        ++tail;
      if (tail > 0) {  // comes after what is before it
        boxes.push_back({box.a_to - tail, box.a_to, box.b_to - tail, box.b_to});
        box.a_to -= tail;
        box.b_to -= tail;
      }
      if (box.a_from == box.a_to || box.b_from == box.b_to) continue;
      const Split split = middle(box);
      boxes.push_back({split.a, box.a_to, split.b, box.b_to});
      boxes.push_back({box.a_from, split.a, box.b_from, split.b});
    }
    return std::move(pairs_);
  }

 private:
  bool same(Place a, Place b) const {
    return a_[static_cast<std::size_t>(a)] == b_[static_cast<std::size_t>(b)];
  }
  Place& forward(Place diagonal) { return forward_[static_cast<std::size_t>(diagonal + offset_)]; }
  Place& backward(Place diagonal) { return backward_[static_cast<std::size_t>(diagonal + offset_)]; }

  // Both ends differ, so that the point is neither corner: paths from both corners, until they meet.
  Split middle(const Box& box) {
    const Place width = box.a_to - box.a_from;
    const Place height = box.b_to - box.b_from;
    const Place delta = width - height;
    forward(1) = 0;
    backward(1) = 0;
    for (Place steps = 0;; ++steps) {
      for (Place k = -steps; k <= steps; k += 2) {
        Place x = k == -steps || (k != steps && forward(k - 1) < forward(k + 1)) ? forward(k + 1)
                                                                                 : forward(k - 1) + 1;
        while (x < width && x - k < height && x - k >= 0 && same(box.a_from + x, box.b_from + x - k)) ++x;
        forward(k) = x;
        const Place other = delta - k;  // the same diagonal, counted from the end
        if (delta % 2 != 0 && other >= -(steps - 1) && other <= steps - 1 && x + backward(other) >= width)
          return {box.a_from + x, box.b_from + x - k};
      }
      for (Place k = -steps; k <= steps; k += 2) {
        Place x = k == -steps || (k != steps && backward(k - 1) < backward(k + 1)) ? backward(k + 1)
                                                                                   : backward(k - 1) + 1;
        while (x < width && x - k < height && x - k >= 0 && same(box.a_to - x - 1, box.b_to - (x - k) - 1))
          ++x;
        backward(k) = x;
        const Place other = delta - k;
        if (delta % 2 == 0 && other >= -steps && other <= steps && x + forward(other) >= width)
          return {box.a_to - x, box.b_to - (x - k)};
      }
    }
  }

  const std::vector<std::size_t>& a_;
  const std::vector<std::size_t>& b_;
  Place offset_;
  std::vector<Place> forward_, backward_;  // by diagonal: the furthest reached
  std::vector<std::pair<std::size_t, std::size_t>> pairs_;
};

}  // namespace

std::vector<std::pair<std::size_t, std::size_t>> align(const std::vector<std::size_t>& a,
                                                       const std::vector<std::size_t>& b) {
  return Aligner(a, b).all();
}

}  // namespace proxy::replay
