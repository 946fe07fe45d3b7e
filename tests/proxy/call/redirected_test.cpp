#include "proxy/call/redirected.hpp"

#include "proxy/base/json.hpp"
#include "tests/proxy/messages.hpp"

using proxy_tests::message;

namespace {

const std::string line =
    R"( {"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"_meta":{"progressToken":3},"name":"w", "arguments" : {"path":"\u0061", "n":1.0e2} ,"task":{}}})";

policy::Redirected change(const std::string& pointer, const std::string& value,
                          const std::string& arguments) {
  return {{{pointer, "", value, "r", policy::Layer::user, ""}},
          base::json::canonical(base::json::Value::parse(arguments))};
}

}  // namespace

TEST_CASE("a redirected call has the agent's own bytes but for the argument") {
  const auto changed = proxy::redirected(message(line), change("/path", "\"b\"", R"({"path":"b","n":100})"));
  REQUIRE(changed.has_value());
  std::string expected = line;
  expected.replace(expected.find(R"("\u0061")"), 8, "\"b\"");
  CHECK(changed->bytes == expected);
  CHECK(changed->at(changed->arguments) == R"({"path":"b", "n":1.0e2})");
  CHECK(changed->beside == R"({"task":{}})");
}

TEST_CASE("a call that would not be exactly what was judged is not written") {
  CHECK(proxy::redirected(message(line), change("/path", "\"b\"", R"({"path":"c","n":100})")).has_error());
  CHECK(proxy::redirected(message(line), change("/x/y", "1", R"({"path":"a","n":100})")).has_error());
  CHECK(proxy::redirected(message(line), change("/path", "\"b\"},\"name\":\"v\"", R"({"path":"b","n":100})"))
            .has_error());
  const std::string bare = R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"w"}})";
  CHECK(proxy::redirected(message(bare), change("/a", "1", R"({"a":1})")).has_error());
}
