#include "proxy/session/requests.hpp"

#include "tests/catch.hpp"

using proxy::Request;
using proxy::Requests;

TEST_CASE("a number and the string of its digits are two ids") {
  Requests requests(10);
  CHECK(requests.add("1", {}) == Requests::Added::yes);
  CHECK(requests.find("\"1\"") == nullptr);
  CHECK(requests.add("\"1\"", {.asks = Request::Asks::handshake}) == Requests::Added::yes);
  CHECK(requests.size() == 2);
  requests.remove("1");
  CHECK(requests.find("1") == nullptr);
  REQUIRE(requests.find("\"1\"") != nullptr);
  CHECK(requests.find("\"1\"")->asks == Request::Asks::handshake);
}

TEST_CASE(
    "an id is found in whatever way its characters are spelled, and listed as the requester spelled it") {
  Requests requests(10);
  CHECK(requests.add("\"\\u00e9\"", {}) == Requests::Added::yes);
  CHECK(requests.find("\"\u00e9\"") != nullptr);
  CHECK(requests.find("\"\\u00E9\"") != nullptr);
  CHECK(requests.find("\"e\"") == nullptr);
  CHECK(requests.add("\"\u00e9\"", {}) == Requests::Added::duplicate);
  CHECK(requests.ids() == std::vector<std::string>{"\"\\u00e9\""});
  requests.remove("\"\u00e9\"");
  CHECK(requests.size() == 0);
}

TEST_CASE(
    "a full table takes no request until one is answered, and a duplicate is called a duplicate even then") {
  Requests requests(2);
  CHECK(requests.add("1", {}) == Requests::Added::yes);
  CHECK(requests.add("2", {}) == Requests::Added::yes);
  CHECK(requests.add("3", {}) == Requests::Added::full);
  CHECK(requests.add("2", {}) == Requests::Added::duplicate);
  CHECK(requests.size() == 2);
  requests.remove("1");
  CHECK(requests.add("3", {}) == Requests::Added::yes);
}

TEST_CASE("a duplicate leaves the first request as it was") {
  Requests requests(2);
  REQUIRE(requests.add("1", {.asks = Request::Asks::handshake}) == Requests::Added::yes);
  REQUIRE(requests.add("1", {}) == Requests::Added::duplicate);
  REQUIRE(requests.find("1") != nullptr);
  CHECK(requests.find("1")->asks == Request::Asks::handshake);
}

TEST_CASE("what no request can have as its id finds nothing") {
  Requests requests(2);
  REQUIRE(requests.add("0", {}) == Requests::Added::yes);
  for (const char* id : {"", "null", "-0", "0.0", "0e0", "9007199254740993", "\"", "{}", "true"}) {
    INFO(id);
    CHECK(requests.find(id) == nullptr);
  }
}
