#include "proxy/call/progress.hpp"

#include "proxy/base/json.hpp"
#include "tests/catch.hpp"

namespace {

std::string notification(const std::string& params) {
  return R"({"jsonrpc":"2.0","method":"notifications/progress","params":)" + params + "}";
}

// The whole notification after the offset; `none` when it is not to be passed on.
std::string offset(const std::string& params, std::uint64_t by) {
  auto parsed = transports::parse(notification(params), {});
  REQUIRE(parsed);
  return proxy::offset_progress(parsed.message(), by).value_or("none");
}

// The progress alone, as spelled.
std::string sum(const std::string& progress, std::uint64_t by) {
  const std::string before = notification(R"({"progressToken":1,"progress":)");
  const std::string line = offset(R"({"progressToken":1,"progress":)" + progress + "}", by);
  const std::size_t start = before.size() - 1;
  return line.size() < start + 2 ? line : line.substr(start, line.size() - start - 2);
}

}  // namespace

TEST_CASE("progress and total are offset in place, and nothing else of the notification changes") {
  CHECK(offset(R"({"progressToken":1, "progress":2,"total":10,"x":"é"})", 3) ==
        notification(R"({"progressToken":1, "progress":5,"total":13,"x":"é"})"));
  CHECK(offset(R"({ "total" : 10 , "x" : {"progress":7,"total":8} , "progress" : 2 , "progressToken":"t" })",
               3) ==
        notification(
            R"({ "total" : 13 , "x" : {"progress":7,"total":8} , "progress" : 5 , "progressToken":"t" })"));
}

TEST_CASE("integers stay integers") {
  CHECK(sum("0", 1) == "1");
  CHECK(sum("-0", 1) == "1");
  CHECK(sum("-5", 3) == "-2");
  CHECK(sum("99", 1) == "100");
  CHECK(sum("9007199254740990", 1) == "9007199254740991");
  CHECK(sum("9007199254740993", 1) == "9007199254740994");
}

TEST_CASE("fractions and exponents become a number that holds the sum") {
  CHECK(sum("0.5", 2) == "2.5");
  CHECK(sum("-0.25", 1) == "0.75");
  CHECK(sum("1.0", 2) == "3");
  CHECK(sum("1e3", 2) == "1002");
}

TEST_CASE("numbers beyond what an integer holds never shrink and stay JSON") {
  for (const char* number : {"9007199254740992", "9223372036854775807", "18446744073709551616",
                             "123456789012345678901234567890", "1e300", "1.7976931348623157e308"}) {
    INFO(number);
    const auto value = base::json::parse(sum(number, 3));
    REQUIRE(value.has_value());
    REQUIRE(value->is_number());
    CHECK(value->get<double>() >= std::stod(number));
  }
}

TEST_CASE("progress that is no number is not passed on, and a total that is none stays") {
  CHECK(offset(R"({"progress":"1","progressToken":"t"})", 2) == "none");
  CHECK(offset(R"({"progress":null,"progressToken":"t"})", 2) == "none");
  CHECK(offset(R"({"total":10,"progressToken":"t"})", 2) == "none");
  CHECK(offset(R"({"progress":1,"total":"ten","progressToken":"t"})", 2) ==
        notification(R"({"progress":3,"total":"ten","progressToken":"t"})"));
}
