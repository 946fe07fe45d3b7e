#include "proxy/replay/align.hpp"

#include <algorithm>
#include <random>

#include "tests/catch.hpp"

namespace proxy::replay {
namespace {

using Sequence = std::vector<std::size_t>;

// By the textbook's table.
std::size_t longest(const Sequence& a, const Sequence& b) {
  std::vector<Sequence> table(a.size() + 1, Sequence(b.size() + 1));
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j)
      table[i][j] =
          a[i - 1] == b[j - 1] ? table[i - 1][j - 1] + 1 : std::max(table[i - 1][j], table[i][j - 1]);
  return table[a.size()][b.size()];
}

TEST_CASE("an alignment pairs equal elements, in order, and as many as there can be") {
  std::mt19937 chance(7);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t kinds = 1 + chance() % 6;
    Sequence a(chance() % 24), b(chance() % 24);
    for (auto* each : {&a, &b})
      for (std::size_t& element : *each) element = chance() % kinds;
    const auto pairs = align(a, b);
    CHECK(pairs.size() == longest(a, b));
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      REQUIRE(a[pairs[i].first] == b[pairs[i].second]);
      if (i > 0) REQUIRE((pairs[i].first > pairs[i - 1].first && pairs[i].second > pairs[i - 1].second));
    }
  }
}

TEST_CASE("ten thousand elements with nothing in common, and with a shift, are aligned") {
  Sequence a(10'000), b(10'000), c(10'000);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = i;
    b[i] = 100'000 + i;
    c[i] = i + 3;
  }
  CHECK(align(a, b).empty());
  CHECK(align(a, c).size() == 9'997);
}

}  // namespace
}  // namespace proxy::replay
