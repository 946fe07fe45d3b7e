#include "proxy/base/shared.hpp"

#include <string>

#include "tests/catch.hpp"

TEST_CASE("copies of a shared value are one until one of them is changed") {
  base::Shared<std::string> first(std::string("a"));
  base::Shared<std::string> second = first;
  CHECK(&*first == &*second);
  second.change() += "b";
  CHECK(*first == "a");
  CHECK(*second == "ab");
  const std::string* own = &*second;
  second.change() += "c";
  CHECK(&*second == own);
  CHECK_FALSE(first == second);
  CHECK(first == base::Shared<std::string>(std::string("a")));
}

TEST_CASE("a shared value that was never set is an empty one") {
  base::Shared<std::string> none;
  CHECK(none->empty());
  CHECK(none == base::Shared<std::string>(std::string()));
  none.change() = "x";
  CHECK(*none == "x");
  CHECK(base::Shared<std::string>()->empty());
}
