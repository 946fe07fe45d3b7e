#include "proxy/pending.hpp"

#include "tests/catch.hpp"

using proxy::Pending;

TEST_CASE("a number and the string of its digits are two ids") {
  Pending pending(10);
  CHECK(pending.add("1", {}) == Pending::Added::yes);
  CHECK(pending.find("\"1\"") == nullptr);
  CHECK(pending.add("\"1\"", {nullptr, true, {}}) == Pending::Added::yes);
  CHECK(pending.size() == 2);
  pending.remove("1");
  CHECK(pending.find("1") == nullptr);
  REQUIRE(pending.find("\"1\"") != nullptr);
  CHECK(pending.find("\"1\"")->initialize);
}

TEST_CASE(
    "an id is found in whatever way its characters are spelled, and listed as the requester spelled it") {
  Pending pending(10);
  CHECK(pending.add("\"\\u00e9\"", {}) == Pending::Added::yes);
  CHECK(pending.find("\"\u00e9\"") != nullptr);
  CHECK(pending.find("\"\\u00E9\"") != nullptr);
  CHECK(pending.find("\"e\"") == nullptr);
  CHECK(pending.add("\"\u00e9\"", {}) == Pending::Added::duplicate);
  CHECK(pending.ids() == std::vector<std::string>{"\"\\u00e9\""});
  pending.remove("\"\u00e9\"");
  CHECK(pending.size() == 0);
}

TEST_CASE(
    "a full table takes no request until one is answered, and a duplicate is called a duplicate even then") {
  Pending pending(2);
  CHECK(pending.add("1", {}) == Pending::Added::yes);
  CHECK(pending.add("2", {}) == Pending::Added::yes);
  CHECK(pending.add("3", {}) == Pending::Added::full);
  CHECK(pending.add("2", {}) == Pending::Added::duplicate);
  CHECK(pending.size() == 2);
  pending.remove("1");
  CHECK(pending.add("3", {}) == Pending::Added::yes);
}

TEST_CASE("a duplicate leaves the first request as it was") {
  Pending pending(2);
  REQUIRE(pending.add("1", {nullptr, true, {}}) == Pending::Added::yes);
  REQUIRE(pending.add("1", {nullptr, false, {}}) == Pending::Added::duplicate);
  REQUIRE(pending.find("1") != nullptr);
  CHECK(pending.find("1")->initialize);
}

TEST_CASE("what no request can have as its id finds nothing") {
  Pending pending(2);
  REQUIRE(pending.add("0", {}) == Pending::Added::yes);
  for (const char* id : {"", "null", "-0", "0.0", "0e0", "9007199254740993", "\"", "{}", "true"}) {
    INFO(id);
    CHECK(pending.find(id) == nullptr);
  }
}
