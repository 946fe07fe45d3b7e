#include "proxy/base/json_find.hpp"

#include <vector>

#include "proxy/base/json.hpp"
#include "tests/catch.hpp"

using namespace base::json;

namespace {

std::string at(const std::string& text, const std::string& pointer) {
  const auto piece = find(text, pointer);
  return piece ? text.substr(piece->offset, piece->size) : "-";
}

}  // namespace

TEST_CASE("a pointer leads to the value's own bytes") {
  const std::string text = R"( {"a" : [1, {"b\u0063":"x\"}"} , -1.5e3], "" : {}, "a/b~c":true,"0":[ ]} )";
  CHECK(at(text, "") == text.substr(1, text.size() - 2));
  CHECK(at(text, "/a/0") == "1");
  CHECK(at(text, "/a/1/bc") == R"("x\"}")");
  CHECK(at(text, "/a/2") == "-1.5e3");
  CHECK(at(text, "/") == "{}");
  CHECK(at(text, "/a~1b~0c") == "true");
  CHECK(at(text, "/0") == "[ ]");
  for (const char* nowhere : {"/b", "/a/3", "/a/00", "/a/-", "/a/x", "/a/0/0", "/0/0", "/a/1/b"})
    CHECK(at(text, nowhere) == "-");
}

TEST_CASE("replacing changes that value and nothing else") {
  const std::string text = R"({ "n":1.0e1,"p" : "a" , "o":{ } })";
  CHECK(replaced(text, "/p", "\"b\"") == R"({ "n":1.0e1,"p" : "b" , "o":{ } })");
  CHECK(replaced(text, "/o/x", "true") == R"({ "n":1.0e1,"p" : "a" , "o":{ "x":true} })");
  CHECK(replaced(text, "/q~1", "1") == R"({ "n":1.0e1,"p" : "a" , "o":{ } ,"q/":1})");
  CHECK(replaced("{}", "/a", "1") == R"({"a":1})");
  CHECK_FALSE(replaced(text, "/z/x", "1").has_value());
  CHECK_FALSE(replaced(text, "/p/x", "1").has_value());
  CHECK_FALSE(replaced("[1]", "/1", "1").has_value());
}

TEST_CASE("each string is told once, with whether it is a key") {
  const std::string text = R"({"a":"b\\","c" : ["\"d", 1, {"e":null}]})";
  std::vector<std::string> told;
  each_string(text, [&](Piece piece, bool key) {
    told.push_back((key ? "k " : "v ") + text.substr(piece.offset, piece.size));
  });
  CHECK(told == std::vector<std::string>{R"(k "a")", R"(v "b\\")", R"(k "c")", R"(v "\"d")", R"(k "e")"});
}
