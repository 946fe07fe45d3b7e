#include "transports/batch.hpp"

#include "tests/catch.hpp"

using transports::is_batch;
using transports::split_batch;

namespace {

using Elements = std::vector<std::string>;

Elements split(const std::string& line) {
  const auto elements = split_batch(line, {});
  INFO(line);
  REQUIRE(elements.has_value());
  return *elements;
}

}  // namespace

TEST_CASE("a batch is told from a message by its first character that is no white space") {
  for (const char* line : {"[]", " \t[1", "[{}]"}) CHECK(is_batch(line));
  for (const char* line : {"", " ", "{}", "{\"a\":[]}", "\"[\"", "x["}) CHECK_FALSE(is_batch(line));
}

TEST_CASE("each element keeps its exact bytes, and commas and brackets inside it do not end it") {
  CHECK(split(" [ {\"a\" : 1.0} , {\"b\":[1,[2,{\"c\":3}]]},\"x,]\\\"[{\",7,null,[] ] ") ==
        Elements{"{\"a\" : 1.0}", "{\"b\":[1,[2,{\"c\":3}]]}", "\"x,]\\\"[{\"", "7", "null", "[]"});
  CHECK(split("[{}]") == Elements{"{}"});
  CHECK(split("[\"\\\\\",1]") == Elements{"\"\\\\\"", "1"});
}

TEST_CASE("what is no strict JSON array of messages is refused whole") {
  for (const char* line :
       {"[", "[]", "[ ]", "[1,]", "[,1]", "[1 2]", "[1]x", "[{\"a\":1,\"a\":2}]", "[\"\xff\"]", "{}"}) {
    INFO(line);
    CHECK(split_batch(line, {}).has_error());
  }
}

TEST_CASE("a batch has its limits: elements, bytes, and the depth of each message") {
  transports::Limits limits;
  limits.batch_elements_max = 2;
  limits.depth_max = 2;
  CHECK(split_batch("[1,2]", limits).has_value());
  CHECK(split_batch("[1,2,3]", limits).has_error());
  CHECK(split_batch("[[[1]]]", limits).has_value());
  CHECK(split_batch("[[[[1]]]]", limits).has_error());
  limits.message_bytes_max = 4;
  CHECK(split_batch("[1,2]", limits).has_error());
}
