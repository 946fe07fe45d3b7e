#include "proxy/replay/request_key.hpp"

#include "tests/catch.hpp"

namespace proxy::replay {
namespace {

TEST_CASE("requests are the same in any spelling and in any workspace") {
  CHECK(request_key(R"({"a":1,"p":"/w/x.txt"})", "/w", false) ==
        request_key(R"({"p": "/home/me/other/x.txt", "a": 1})", "/home/me/other", false));
  CHECK(request_key(R"(["cat /w/x /w"])", "/w", false) == request_key(R"(["cat /v/x /v"])", "/v", false));
}

TEST_CASE("what only begins as the workspace does is another place") {
  CHECK(request_key(R"(["/work/x"])", "/w", false) != request_key(R"(["/vork/x"])", "/v", false));
  CHECK(request_key(R"(["/a/w/x"])", "/w", false) != request_key(R"(["/a/v/x"])", "/v", false));
}

TEST_CASE("`_meta` counts for tools alone, and bytes that are no JSON count byte by byte") {
  const char* with = R"({"_meta":{"t":1},"a":1})";
  CHECK(request_key(with, "", true) == request_key(R"({"a":1})", "", true));
  CHECK(request_key(with, "", false) != request_key(R"({"a":1})", "", false));
  CHECK(request_key("{", "", false) != request_key("{ ", "", false));
}

}  // namespace
}  // namespace proxy::replay
