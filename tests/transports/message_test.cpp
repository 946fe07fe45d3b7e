#include "transports/message.hpp"

#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "transports/id.hpp"
#include "transports/message_fields.hpp"

using transports::Kind;
using transports::Limits;
using transports::Message;
using transports::parse;
using transports::Refusal;

namespace {

Message accepted(std::string line) {
  INFO(line);
  auto parsed = parse(line, Limits{});
  if (!parsed) FAIL(parsed.refusal().error.text());
  CHECK(parsed.message().bytes == line);
  return parsed.message();
}

Refusal refused(std::string line) {
  INFO(line.substr(0, 300));
  auto parsed = parse(std::move(line), Limits{});
  REQUIRE_FALSE(static_cast<bool>(parsed));
  CHECK_FALSE(parsed.refusal().error.message().empty());
  return parsed.refusal();
}

std::string with(const std::string& members) { return R"({"jsonrpc":"2.0",)" + members + "}"; }
std::string call(const std::string& params) {
  return with(R"("id":1,"method":"tools/call","params":{)" + params + "}");
}

// Refused, and the answer goes to id 1.
void refused_for_1(const std::string& line, const std::string& why) {
  const Refusal refusal = refused(line);
  INFO(line.substr(0, 300));
  CHECK(refusal.id == "1");
  CHECK(refusal.answerable);
  INFO(refusal.error.message());
  CHECK(refusal.error.message().find(why) != std::string::npos);
}

}  // namespace

TEST_CASE("a tool call is read with its parts where they lie") {
  const Message message = accepted(
      R"( {"method":"tools\/call","params":{"arguments": {"path":"\/a"} ,"name":"read\u005ffile","_meta":{"progressToken":"p"}},)"
      R"("id": "\u0041","jsonrpc":"2.0"})"
      "\t\r");
  CHECK(message.kind == Kind::request);
  CHECK(message.id == R"("\u0041")");
  CHECK(message.method == "tools/call");
  CHECK(message.name == "read_file");
  CHECK(message.at(message.arguments) == R"({"path":"\/a"})");
  CHECK(message.progress_token == R"("p")");
  CHECK(message.at(message.params).front() == '{');
  CHECK_FALSE(message.modern);
}

TEST_CASE("requests, notifications and responses are told apart") {
  CHECK(accepted(with(R"("id":0,"method":"ping")")).kind == Kind::request);
  const Message cancelled =
      accepted(with(R"("method":"notifications/cancelled","params":{"requestId":"7"})"));
  CHECK(cancelled.kind == Kind::notification);
  CHECK(cancelled.id.empty());
  CHECK(cancelled.request_id == R"("7")");
  CHECK(accepted(with(R"("method":"notifications/progress","params":{"progressToken":5,"progress":1})"))
            .progress_token == "5");
  const Message result =
      accepted(with(R"("id":-3,"result":{"content":[],"isError":true,"x":{"isError":false}})"));
  CHECK(result.kind == Kind::response);
  CHECK(result.tool_error);
  CHECK_FALSE(result.is_error);
  CHECK(result.at(result.result) == R"({"content":[],"isError":true,"x":{"isError":false}})");
  const Message error = accepted(with(R"("id":"a","error":{"code":-1,"message":"m"})"));
  CHECK(error.is_error);
  CHECK(error.at(error.result) == R"({"code":-1,"message":"m"})");
  CHECK_FALSE(accepted(with(R"("id":1,"result":{"isError":"true"})")).tool_error);
}

TEST_CASE("a message of the stateless revision is known by its _meta") {
  CHECK(accepted(call(R"("name":"x","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})"))
            .modern);
  CHECK_FALSE(
      accepted(call(R"("name":"x","arguments":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"})"))
          .modern);
}

TEST_CASE("unknown methods, keys and odd names pass untouched") {
  CHECK(accepted(with(R"("id":1,"method":"x/execute","params":{"cmd":"id"},"extra":{"Method":1})")).method ==
        "x/execute");
  CHECK(accepted(with(R"("id":1,"method":"Tools/Call")")).method == "Tools/Call");
  CHECK(accepted(call(R"("name":"toString","arguments":{"__proto__":{"x":1}})")).name == "toString");
  CHECK(accepted(call(R"("name":"x","arguments":{"Name":1,"name":2,"ARGUMENTS":3})")).name == "x");
  CHECK(accepted(with(R"("id":1,"method":"y","params":{"name":5})")).name.empty());
  CHECK(accepted(with(R"("id":"1","method":"ping")")).id != accepted(with(R"("id":1,"method":"ping")")).id);
}

TEST_CASE("duplicate keys are refused for the id") {
  refused_for_1(call(R"("name":"read_file","arguments":{"path":"/a","path":"/b"})"), "duplicate key `path`");
  refused_for_1(call(R"("name":"read_file","\u006eame":"delete_file","arguments":{})"),
                "duplicate key `name`");
  CHECK(refused(with(R"("id":1,"method":"ping","id":2)")).id.empty());
  CHECK(refused(with(R"("id":1,"method":"ping","id":1)")).id == "1");
}

TEST_CASE("case variants of known keys are refused, by Unicode folding too") {
  const std::string why = "differs from a known one only in case";
  refused_for_1(with(R"("id":1,"Method":"tools/call","params":{"name":"x"})"), why);
  refused_for_1(with(R"("id":1,"method":"ping","METHOD":"tools/call")"), why);
  refused_for_1(with("\"id\":1,\"method\":\"tools/call\",\"param\u017F\":{}"), why);
  refused_for_1(with(R"("id":1,"method":"tools/call","param\u017f":{})"), why);
  refused_for_1(with(R"("id":1,"method":"ping","Id":2)"), why);
  refused_for_1(with("\"id\":1,\"method\":\"ping\",\"\u0130d\":2"), why);
  refused_for_1(with("\"id\":1,\"method\":\"ping\",\"\u0131d\":2"), why);
  refused_for_1(with(R"("id":1,"method":"ping","JSONRPC":"2.0")"), why);
  refused_for_1(call(R"("name":"a","Name":"b")"), why);
  refused_for_1(call("\"name\":\"a\",\"argument\u017F\":{}"), why);
  refused_for_1(call("\"name\":\"a\",\"ta\u017F\u212A\":{}"), why);
  refused_for_1(call(R"("name":"a","URI":"b")"), why);
  refused_for_1(call(R"("name":"a","_META":{})"), why);
  refused_for_1(call(R"("name":"a","_meta":{"ProgressToken":1})"), why);
  CHECK_FALSE(refused(with(R"("id":1,"Result":{},"result":{})")).answerable);
  CHECK(transports::case_variant("\u212Aey", "key"));
  CHECK_FALSE(transports::case_variant("keys", "key"));
  CHECK_FALSE(transports::case_variant("ke", "key"));
  CHECK_FALSE(transports::case_variant("k\u00e9y", "key"));
}

TEST_CASE("ids that peers drop or change are refused and echoed as spelled") {
  for (const std::string& id :
       std::vector<std::string>{"1.0", "1e0", "1.5", "9007199254740993", "-9007199254740993", "-0", "null",
                                "1E2", "123456789012345678901234567890"}) {
    const Refusal refusal = refused(with(R"("method":"tools/call","params":{"name":"a"},"id":)" + id));
    CHECK(refusal.id == id);
    CHECK(refusal.answerable);
    CHECK(refusal.code == -32600);
  }
  for (const std::string& id :
       std::vector<std::string>{"true", "{}", "[1]", "\"" + std::string(300, 'x') + "\""}) {
    const Refusal refusal = refused(with(R"("method":"ping","id":)" + id));
    CHECK(refusal.id.empty());
    CHECK(refusal.answerable);
  }
  CHECK_FALSE(refused(with(R"("result":{},"id":1.0)")).answerable);
  for (const std::string& id : std::vector<std::string>{"9007199254740992", "-9007199254740992", "0", "\"\"",
                                                        "\"" + std::string(254, 'x') + "\""})
    CHECK(accepted(with(R"("method":"ping","id":)" + id)).id == id);
}

TEST_CASE("the same id has one key however it is spelled") {
  CHECK(transports::id_key(R"("\u00e9")") == transports::id_key("\"é\""));
  CHECK(transports::id_key(R"("1")") != transports::id_key("1"));
  CHECK(transports::id_key(R"("\"1")") != transports::id_key(R"("1")"));
}

TEST_CASE("requests that have effects need an id") {
  for (const std::string& method :
       std::vector<std::string>{"tools/call", "tools\\/call", "resources/read", "sampling/createMessage"}) {
    const Refusal refusal = refused(with(R"("method":")" + method + R"(","params":{"name":"a"})"));
    CHECK(refusal.id.empty());
    CHECK_FALSE(refusal.answerable);
  }
}

TEST_CASE("shapes that are not a message are refused") {
  refused_for_1(with(R"("id":1,"method":"ping","result":{})"), "request and response at once");
  refused_for_1(with(R"("id":1,"method":"ping","error":{})"), "request and response at once");
  refused_for_1(with(R"("id":1)"), "needs `method`");
  refused_for_1(R"({"id":1,"method":"ping"})", "jsonrpc");
  refused_for_1(R"({"jsonrpc":"1.0","id":1,"method":"ping"})", "jsonrpc");
  refused_for_1(R"({"jsonrpc":2.0,"id":1,"method":"ping"})", "jsonrpc");
  refused_for_1(with(R"("id":1,"method":["tools/call"])"), "`method` must be a string");
  refused_for_1(with(R"("id":1,"method":")" + std::string(2000, 'm') + "\""), "longer than");
  refused_for_1(with(R"("id":1,"method":"ping","params":[])"), "`params` must be an object");
  refused_for_1(with(R"("id":1,"method":"ping","params":null)"), "`params` must be an object");
  refused_for_1(call(R"("arguments":{})"), "`name`");
  refused_for_1(call(R"("name":["a"])"), "`name`");
  refused_for_1(call(R"("name":"a","arguments":"{\"command\":\"rm -rf build\"}")"), "`arguments`");
  refused_for_1(call(R"("name":"a","arguments":null)"), "`arguments`");
  refused_for_1(call(R"("name":"a","_meta":"x")"), "`_meta`");
  refused_for_1(call(R"("name":"a","_meta":{"progressToken":1.5})"), "progress token");
  CHECK_FALSE(refused(with(R"("id":1,"result":{},"error":{})")).answerable);
  CHECK_FALSE(refused(with(R"("id":1,"error":"x")")).answerable);
  CHECK_FALSE(refused(with(R"("result":{})")).answerable);
  CHECK_FALSE(refused(with(R"("id":null,"error":{})")).answerable);
  CHECK_FALSE(refused(with(R"("method":"notifications/cancelled","params":{"requestId":null})")).answerable);
}

TEST_CASE("a batch is refused without an id, with white space before it too") {
  const std::string element =
      with(R"("id":1,"method":"tools/call","params":{"name":"delete_file","arguments":{}})");
  for (const std::string& line : {"[" + element + "]", "\t [" + element + "]", std::string("[]")}) {
    const Refusal refusal = refused(line);
    CHECK(refusal.code == -32600);
    CHECK(refusal.id.empty());
    CHECK(refusal.answerable);
  }
  for (const std::string line : {"1", "\"x\"", "null"}) CHECK(refused(line).code == -32600);
}

TEST_CASE("broken text is refused for the id that can still be read") {
  const std::string one = with(R"("id":1,"method":"ping")");
  refused_for_1(one + with(R"("id":2,"method":"tools/call","params":{"name":"delete_file"})"),
                "data after the value");
  refused_for_1("\xEF\xBB\xBF" + one, "byte order mark");
  refused_for_1(call("\"name\":\"read_file\",\"arguments\":{\"path\":\"/a/\xC0\xAE\xC0\xAE\xC0\xAF\"}"),
                "invalid UTF-8");
  refused_for_1(call(R"("name":"a","arguments":{"n":1e400})"), "no double");
  refused_for_1(call(R"("name":"a","arguments":{"n":NaN})"), "unexpected character");
  refused_for_1(call(R"("name":"a","arguments":{"n":"\ud800"})"), "surrogate");
  refused_for_1(call(R"("name":"a","arguments":{"n":/* " */1})"), "unexpected character");
  refused_for_1(with(R"("method":"ping","params":{"x":"}{\"id\":5,"},"i\u0064": 1 ,)"),
                "a key must be a string");
  refused_for_1(R"({"id":1,"method":"tools/call","params":{"a":)", "unexpected end");
  CHECK(refused(one + "x").code == -32700);
  const Refusal length = refused("Content-Length: 10\r");
  CHECK(length.code == -32700);
  CHECK(length.id.empty());
  CHECK(length.answerable);
  CHECK_FALSE(refused(R"({"jsonrpc":"2.0","id":1,"result":{"a":01}})").answerable);
  CHECK_FALSE(refused(R"({"jsonrpc":"2.0","method":"notifications/x","params":{"a":01}})").answerable);
  CHECK(refused(R"({"id":"\ud800","method":"ping"})").id.empty());
  CHECK(refused(R"({"id":1x,"method":"ping"})").id.empty());
  CHECK(refused(R"({"params":{"id":5},"method":"a","x":[{"id":6},01],"id":"me"})").id == R"("me")");
}

TEST_CASE("ten thousand levels are refused for the id before or behind them") {
  const std::string deep = std::string(10'000, '[') + std::string(10'000, ']');
  refused_for_1(call(R"("name":"read_file","arguments":{"a":)" + deep + "}"), "more than 128 levels");
  refused_for_1(with(R"("method":"tools/call","params":{"a":)" + deep + R"(},"id":1)"),
                "more than 128 levels");
  refused_for_1(call(R"("name":"a","arguments":{"a":)" + std::string(1'000'000, '[')),
                "more than 128 levels");
}

TEST_CASE("a message over the limit is refused for its id") {
  Limits limits;
  limits.message_bytes_max = 100;
  auto parsed = parse(with(R"("params":{"x":")" + std::string(100, 'x') + R"("},"id":1)"), limits);
  REQUIRE_FALSE(static_cast<bool>(parsed));
  CHECK(parsed.refusal().id == "1");
  CHECK(parsed.refusal().code == -32600);
  CHECK(parsed.refusal().error.code() == base::Code::limit);
}

TEST_CASE("every cut of a message is refused and none takes a wrong id") {
  const std::string line = call(R"("name":"a","arguments":{"id":5,"x":["\u00e9é",{"id":6}]})");
  for (std::size_t size = 0; size < line.size(); ++size) {
    const Refusal refusal = refused(line.substr(0, size));
    CHECK((refusal.id.empty() || refusal.id == "1"));
  }
}

TEST_CASE("a carriage return inside a line is refused, since some readers take it for a line end") {
  const std::string inner =
      R"({"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"delete_file"}})";
  const std::string lines[] = {
      "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":{\"x\":\r" + inner + "\r}}",
      "\r" + inner, inner.substr(0, 1) + "\r" + inner.substr(1), inner + "\r "};
  for (const std::string& line : lines) CHECK_FALSE(static_cast<bool>(transports::parse(line, {})));
  CHECK(static_cast<bool>(transports::parse(inner + "\r", {})));
}
