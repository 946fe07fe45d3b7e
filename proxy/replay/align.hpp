#pragma once
// Two sequences side by side: a longest common subsequence by Myers' O(ND) algorithm in its linear-space form
// (E. W. Myers, «An O(ND) Difference Algorithm and Its Variations», 1986, section 4b). Pure.

#include <cstddef>
#include <utility>
#include <vector>

namespace proxy::replay {

// The places of equal elements, both ascending. Elements are equal when their numbers are. Memory is linear
// in the lengths, time in their sum times the number of differences: 10,000 calls that have nothing in common
// take about a second.
std::vector<std::pair<std::size_t, std::size_t>> align(const std::vector<std::size_t>& a,
                                                       const std::vector<std::size_t>& b);

}  // namespace proxy::replay
