#include "proxy/replay/player.hpp"

#include "tests/catch.hpp"

using proxy::replay::Match;
using proxy::replay::Player;
using proxy::replay::Recording;

namespace {

Recording recording() {
  Recording made{std::string(32, 'a'), "m-1", "files", "Files", "1.0", "2025-11-25", "/home/me/project", {}};
  const auto add = [&](std::uint64_t record, const char* name, const char* arguments, const char* answer) {
    made.exchanges.push_back({record, "tools/call", name, arguments, answer, false, ""});
  };
  add(5, "read_file", R"({"path":"/home/me/project/a.txt"})",
      R"({"content":[{"type":"text","text":"first"}]})");
  add(7, "read_file", R"({"path":"/home/me/project/a.txt"})",
      R"({"content":[{"type":"text","text":"second"}]})");
  add(9, "write_file", R"({"path":"b","content":"x"})", R"({ "content" : [] })");
  made.exchanges.push_back(
      {11, "resources/read", "", R"({"uri":"file:///x"})", R"({"code":-32002,"message":"none"})", true, ""});
  made.exchanges.push_back(
      {13, "tools/call", "run_command", R"({"command":"ls"})", "", false, "it was refused by policy"});
  return made;
}

std::string call(const std::string& id, const std::string& name, const std::string& arguments) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":"tools/call","params":{"name":")" + name +
         R"(","arguments":)" + arguments + R"(,"_meta":{"progressToken":1}}})";
}

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("a call is answered as it was, byte by byte, under the id it has now", "[player]") {
  Player player(recording(), Match::ordered);
  CHECK(player.answer(call("\"x\"", "write_file", R"({"content":"x","path":"b"})")) ==
        R"({"jsonrpc":"2.0","id":"x","result":{ "content" : [] }})");
  CHECK(player.answer(R"({"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"file:///x"}})") ==
        R"({"jsonrpc":"2.0","id":4,"error":{"code":-32002,"message":"none"}})");
}

TEST_CASE("the same call gets the answers in their order, then none, or the last again", "[player]") {
  const std::string read = call("1", "read_file", R"({"path":"/home/me/project/a.txt"})");
  Player ordered(recording(), Match::ordered), arguments(recording(), Match::arguments);
  for (Player* player : {&ordered, &arguments}) {
    CHECK(says(player->answer(read), "first"));
    CHECK(says(player->answer(read), "second"));
  }
  CHECK(says(ordered.answer(read), "not in the recording"));
  CHECK(says(arguments.answer(read), "second"));
  CHECK(ordered.divergence().extra.size() == 1);
  CHECK(arguments.divergence().extra.empty());
  CHECK(ordered.divergence().unmade.size() == 3);
}

TEST_CASE("strictly, only the next recorded call is answered", "[player]") {
  Player player(recording(), Match::strict);
  const std::string refused = player.answer(call("1", "write_file", R"({"path":"b","content":"x"})"));
  CHECK(says(refused, "isError\":true"));
  CHECK(says(refused, "there is call 5"));
  CHECK(says(player.answer(call("2", "read_file", R"({"path":"/home/me/project/a.txt"})")), "first"));
  CHECK(player.divergence().any());
}

TEST_CASE("what has no answer on record is not made up", "[player]") {
  Player player(recording(), Match::ordered);
  const std::string answer = player.answer(call("1", "run_command", R"({"command":"ls"})"));
  CHECK(says(answer, "it was refused by policy"));
  CHECK(says(answer, "\"isError\":true"));
  CHECK(says(player.answer(call("1", "read_file", R"({"path":"other"})")),
             "there is call 5, `read_file` with"));
}

TEST_CASE("a client can begin, list and ping; the rest is said not to be there", "[player]") {
  Player player(recording(), Match::ordered);
  const auto request = [&](const char* method) {
    return player.answer(std::string(R"({"jsonrpc":"2.0","id":1,"method":")") + method + "\",\"params\":{}}");
  };
  CHECK(says(request("initialize"), R"("protocolVersion":"2025-11-25")"));
  CHECK(says(request("initialize"), R"("name":"Files","version":"1.0")"));
  CHECK(says(request("tools/list"), R"({"name":"read_file","inputSchema":{"type":"object"}})"));
  CHECK(request("ping") == R"({"jsonrpc":"2.0","id":1,"result":{}})");
  CHECK(says(request("completion/complete"), "-32601"));
  CHECK(player.answer(R"({"jsonrpc":"2.0","method":"notifications/initialized"})").empty());
  CHECK(says(player.answer("no json"), "-32700"));
  CHECK_FALSE(player.divergence().extra.size() > 0);
}

TEST_CASE("a cassette comes back as it was, and nothing like one does", "[player]") {
  const std::string cassette = proxy::replay::cassette_of(recording());
  REQUIRE(proxy::replay::recording_from(cassette).value() == recording());
  CHECK(proxy::replay::recording_from("").has_error());
  for (std::size_t i = 0; i < cassette.size(); ++i) {
    INFO(i);
    // Cut at the end of a line it is a shorter one.
    if (cassette[i] != '\n') CHECK(proxy::replay::recording_from(cassette.substr(0, i + 1)).has_error());
    std::string changed = cassette;
    changed.insert(i, " ");
    const auto read = proxy::replay::recording_from(changed);
    CHECK((!read || proxy::replay::cassette_of(*read) == changed));
  }
}
