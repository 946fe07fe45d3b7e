#include "proxy/base/json.hpp"

#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "proxy/base/json_number.hpp"
#include "proxy/base/json_scan.hpp"
#include "tests/catch.hpp"

namespace json = base::json;
using namespace std::string_literals;

namespace {

std::string problem(std::string_view text, const json::Limits& limits = {}) {
  const auto checked = json::check(text, limits);
  return checked ? "" : checked.error().message();
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

std::string object_of(std::size_t keys, const std::string& last) {
  std::string text = "{";
  for (std::size_t i = 0; i < keys; ++i) text += "\"key" + std::to_string(i) + "\":1,";
  return text + "\"" + last + "\":1}";
}

}  // namespace

TEST_CASE("legal JSON passes and nlohmann reads the same text") {
  const std::vector<std::string> texts = {"{}",
                                          "[]",
                                          "null",
                                          "true",
                                          "false",
                                          "0",
                                          "-0",
                                          "-0.5e-3",
                                          "1E+2",
                                          "1e308",
                                          "1e-400",
                                          "0e999999999999999999999",
                                          "\"\"",
                                          " \t\r\n{ \"a\" : [ 1 , { } , [ ] ] } \n",
                                          R"("\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00")",
                                          R"("\u0000")",
                                          "\"é€😀\"",
                                          "\"\x7f\"",
                                          "\"\xF4\x8F\xBF\xBF\"",
                                          R"({"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]})",
                                          R"({"":1,"a":2,"A":3})",
                                          "123456789012345678901234567890",
                                          "1.7976931348623157e308",
                                          "0.00000000000000000000000000000001e340"};
  for (const std::string& text : texts) {
    INFO(text);
    CHECK(problem(text) == "");
    CHECK(json::parse(text).has_value());
  }
}

TEST_CASE("what parsers read differently is refused with the place") {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"({"a":1,"a":2})", "duplicate key `a` at byte 7"},
      {R"({"x":{"name":1,"\u006eame":2}})", "duplicate key `name` at byte 15"},
      {R"([[{"a":1,"b":{"a":1},"a":1}]])", "duplicate key `a` at byte 21"},
      {R"({"é":1,"\u00e9":1})", "duplicate key `é` at byte 8"},
      {R"({"😀":1,"\ud83d\uDE00":1})", "duplicate key `😀` at byte 10"},
      {R"({"a\/b":1,"a/b":1})", "duplicate key `a/b` at byte 10"},
      {"\xEF\xBB\xBF{}", "byte order mark at byte 0"},
      {R"({"a\u0000b":1})", "NUL in a key at byte 1"},
      {"{}{}", "data after the value at byte 2"},
      {"{} x", "data after the value at byte 3"},
      {"{}\0"s, "data after the value at byte 2"},
      {"01", "data after the value at byte 1"},
      {"-01", "data after the value at byte 2"},
      {"1.", "malformed number at byte 0"},
      {".5", "unexpected character at byte 0"},
      {"+1", "unexpected character at byte 0"},
      {"1e", "malformed number at byte 0"},
      {"-", "malformed number at byte 0"},
      {"0x10", "data after the value at byte 1"},
      {"1e400", "number that no double holds at byte 0"},
      {"[-1e309]", "number that no double holds at byte 1"},
      {"1.7976931348623159e308", "number that no double holds at byte 0"},
      {"1e999999999999999999999999", "number that no double holds at byte 0"},
      {"NaN", "unexpected character at byte 0"},
      {"-Infinity", "malformed number at byte 0"},
      {"{/**/}", "a key must be a string at byte 1"},
      {"// x\n1", "unexpected character at byte 0"},
      {"[1,]", "unexpected character at byte 3"},
      {"{\"a\":1,}", "a key must be a string at byte 7"},
      {"{a:1}", "a key must be a string at byte 1"},
      {"{'a':1}", "a key must be a string at byte 1"},
      {"{\"a\" 1}", "expected `:` at byte 5"},
      {"[1 2]", "expected `,` or the end of what is open at byte 3"},
      {"[1}", "expected `,` or the end of what is open at byte 2"},
      {"{\"a\":1]", "expected `,` or the end of what is open at byte 6"},
      {"]", "unexpected character at byte 0"},
      {"", "unexpected end at byte 0"},
      {"  ", "unexpected end at byte 2"},
      {"[", "unexpected end at byte 1"},
      {"{\"a\":", "unexpected end at byte 5"},
      {"tru", "unexpected character at byte 0"},
      {"True", "unexpected character at byte 0"},
      {"\"abc", "unterminated string at byte 4"},
      {"\"\\", "invalid escape or lone surrogate at byte 1"},
      {R"("\x41")", "invalid escape or lone surrogate at byte 1"},
      {R"("\u12")", "invalid escape or lone surrogate at byte 1"},
      {R"("\ud800")", "invalid escape or lone surrogate at byte 1"},
      {R"("a\udc00\ud800")", "invalid escape or lone surrogate at byte 2"},
      {R"("\ud83dx\ude00")", "invalid escape or lone surrogate at byte 1"},
      {"\"a\nb\"", "control character in a string at byte 2"},
      {"\"a\0b\""s, "control character in a string at byte 2"},
      {"\"\xC0\xAE\"", "invalid UTF-8 at byte 1"},
      {"\"\xC1\xBF\"", "invalid UTF-8 at byte 1"},
      {"\"\xE0\x80\xAF\"", "invalid UTF-8 at byte 1"},
      {"\"\xED\xA0\x80\"", "invalid UTF-8 at byte 1"},
      {"\"\xF0\x80\x80\xAF\"", "invalid UTF-8 at byte 1"},
      {"\"\xF4\x90\x80\x80\"", "invalid UTF-8 at byte 1"},
      {"\"\xF5\x80\x80\x80\"", "invalid UTF-8 at byte 1"},
      {"\"\x80\"", "invalid UTF-8 at byte 1"},
      {"\"\xE2\x82\"", "invalid UTF-8 at byte 1"},
      {"\"\xE2\x82", "invalid UTF-8 at byte 1"},
      {"\xFF\xFE{", "unexpected character at byte 0"},
  };
  for (const auto& [text, expected] : cases) {
    INFO(text);
    CHECK(problem(text) == "json: " + expected);
    CHECK_FALSE(json::parse(text).has_value());
  }
}

TEST_CASE("a broken byte is found wherever it stands in a long string") {
  for (std::size_t at = 0; at < 70; ++at) {
    for (const char bad : {'\n', '\x80', '\xFF', '\x1f', '\0'}) {
      std::string text = "\"" + std::string(70, 'x') + "\"";
      text[1 + at] = bad;
      CHECK(problem(text).ends_with("at byte " + std::to_string(1 + at)));
    }
    std::string text = "\"" + std::string(70, 'x') + "\"";
    text[1 + at] = '"';
    CHECK(problem(text).ends_with("after the value at byte " + std::to_string(2 + at)));
  }
}

TEST_CASE("every cut of a value is refused") {
  const std::string text = R"({"a":[1.5e3,"\u00e9é😀",{"b":null}],"c":{"d":true,"e":false}})";
  REQUIRE(problem(text) == "");
  for (std::size_t size = 0; size < text.size(); ++size) CHECK(problem(text.substr(0, size)) != "");
}

TEST_CASE("depth and size have limits that are met exactly") {
  CHECK(problem(nested(128)) == "");
  CHECK(problem(nested(129)) == "json: more than 128 levels at byte 128");
  CHECK(json::check(nested(129)).error().code() == base::Code::limit);
  CHECK(problem(std::string(1'000'000, '[')) == "json: more than 128 levels at byte 128");
  CHECK(problem("[[{}]]", {.bytes_max = 100, .depth_max = 3}) == "");
  CHECK(problem("[[{}]]", {.bytes_max = 100, .depth_max = 2}) != "");
  CHECK(problem("[[1]]", {.bytes_max = 5, .depth_max = 2}) == "");
  CHECK(json::check("[[1]]", {.bytes_max = 4, .depth_max = 2}).error().code() == base::Code::limit);
}

TEST_CASE("duplicates are found in objects of any size") {
  for (std::size_t keys = 1; keys < 400; keys += keys < 40 ? 1 : 97) {
    INFO(keys);
    CHECK(problem(object_of(keys, "other")) == "");
    for (const std::size_t twin : {std::size_t{0}, keys / 2, keys - 1}) {
      const std::string name = "key" + std::to_string(twin);
      CHECK(problem(object_of(keys, name)).find("duplicate key `" + name + "`") != std::string::npos);
      CHECK(problem(object_of(keys, "\\u006bey" + std::to_string(twin))).find("duplicate") !=
            std::string::npos);
    }
  }
}

TEST_CASE("large objects inside and beside large objects keep their keys apart") {
  const std::string inner = object_of(30, "x");
  std::string text = "{";
  for (int i = 0; i < 40; ++i) text += "\"key" + std::to_string(i) + "\":" + inner + ",";
  CHECK(problem(text + "\"last\":1}") == "");
  CHECK(problem(text + "\"key3\":1}").find("duplicate key `key3`") != std::string::npos);
  CHECK(problem("[" + inner + "," + inner + "]") == "");
}

TEST_CASE("members are told with their path and place, through objects alone") {
  const std::string text = R"( {"a" : 1 , "b":{"c":{"d":{"e":1}, "f":[{"g":1}]}},"\u0068":"x"} )";
  std::string seen;
  const json::Visit visit = [&](const json::Member& member) {
    for (const auto key : member.path) seen += "/" + std::string(key);
    seen += "=" + text.substr(member.value.offset, member.value.size) + ";";
  };
  const auto top = json::scan(text, json::Limits{}, visit);
  REQUIRE(top.has_value());
  CHECK(text.substr(top->offset, top->size) == text.substr(1, text.size() - 2));
  CHECK(top->type == json::Type::object);
  CHECK(seen == R"(/a=1;/b/c/d={"e":1};/b/c/f=[{"g":1}];/b/c={"d":{"e":1}, "f":[{"g":1}]};)"
                R"(/b={"c":{"d":{"e":1}, "f":[{"g":1}]}};/h="x";)");
}

TEST_CASE("canonical text follows RFC 8785") {
  const auto canonical = [](std::string_view text) { return json::canonical(json::parse(text).value()); };
  CHECK(canonical(
            R"({"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],)"
            R"("string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]})") ==
        R"({"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],)"
        R"("string":"€$\u000f\nA'B\"\\\\\"/"})");
  // The order of UTF-16 code units: the RFC's own example.
  CHECK(canonical(R"({"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7})") ==
        "{\"\\r\":2,\"1\":4,\"\xC2\x80\":6,\"ö\":7,\"€\":1,\"😀\":5,\"\xEF\xAC\xB3\":3}");
  CHECK(canonical(" [ ] ") == "[]");
  CHECK(canonical(R"([{},"",-0,-0.0,1.0,9007199254740993])") == R"([{},"",0,0,1,9007199254740993])");
}

TEST_CASE("a tree is not built of more values than it may have") {
  std::string text = "[0";
  for (std::size_t i = 2; i < json::tree_limits.values_max; ++i) text += ",0";
  CHECK(json::parse(text + "]").has_value());
  CHECK(json::parse(text + ",{}]").error().code() == base::Code::limit);
  CHECK(json::check(text + ",{}]").has_value());
}

TEST_CASE("numbers print as ECMAScript prints them") {
  const auto bits = [](std::uint64_t pattern) {
    double value = 0;
    std::memcpy(&value, &pattern, sizeof value);
    return json::number_text(value);
  };
  // RFC 8785, appendix B.
  CHECK(bits(0x0000000000000000) == "0");
  CHECK(bits(0x8000000000000000) == "0");
  CHECK(bits(0x0000000000000001) == "5e-324");
  CHECK(bits(0x8000000000000001) == "-5e-324");
  CHECK(bits(0x7fefffffffffffff) == "1.7976931348623157e+308");
  CHECK(bits(0x4340000000000000) == "9007199254740992");
  CHECK(bits(0xc340000000000000) == "-9007199254740992");
  CHECK(bits(0x4430000000000000) == "295147905179352830000");
  CHECK(bits(0x44b52d02c7e14af5) == "9.999999999999997e+22");
  CHECK(bits(0x44b52d02c7e14af6) == "1e+23");
  CHECK(bits(0x444b1ae4d6e2ef4e) == "999999999999999700000");
  CHECK(bits(0x444b1ae4d6e2ef50) == "1e+21");
  CHECK(bits(0x3eb0c6f7a0b5ed8c) == "9.999999999999997e-7");
  CHECK(bits(0x3eb0c6f7a0b5ed8d) == "0.000001");
  CHECK(bits(0x41b3de4355555553) == "333333333.3333332");
  CHECK(bits(0x41b3de4355555557) == "333333333.33333343");
  CHECK(bits(0xbecbf647612f3696) == "-0.0000033333333333333333");
  CHECK(bits(0x43143ff3c1cb0959) == "1424953923781206.2");
}
