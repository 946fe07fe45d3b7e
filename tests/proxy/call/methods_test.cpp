#include "proxy/call/methods.hpp"

#include "tests/catch.hpp"

using proxy::Direction;
using proxy::is_free;

TEST_CASE("what has effects, and what is not known, is judged") {
  for (const char* method :
       {"tools/call", "resources/read", "resources/subscribe", "prompts/get", "completion/complete",
        "tasks/result", "tasks/update", "subscriptions/listen", "Tools/Call", "tools/list ", "x/execute", ""})
    CHECK_FALSE(is_free(Direction::to_server, method));
  for (const char* method : {"sampling/createMessage", "elicitation/create", "tools/list", "initialize", "x"})
    CHECK_FALSE(is_free(Direction::to_agent, method));
}

TEST_CASE("what only asks or lists is free") {
  for (const char* method :
       {"initialize", "server/discover", "ping", "tools/list", "resources/list", "resources/templates/list",
        "prompts/list", "logging/setLevel", "tasks/get", "tasks/list", "tasks/cancel"})
    CHECK(is_free(Direction::to_server, method));
  CHECK(is_free(Direction::to_agent, "roots/list"));
  CHECK(is_free(Direction::to_agent, "ping"));
}
