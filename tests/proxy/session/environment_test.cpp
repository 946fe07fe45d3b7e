#include "proxy/session/environment.hpp"

#include <algorithm>

#include "tests/catch.hpp"

using proxy::server_environment;

TEST_CASE("a server gets the neutral variables and those that are named, and no other") {
  const proxy::Environment own = {{"PATH", "/bin"}, {"LC_ALL", "C"},         {"AWS_SECRET", "canary"},
                                  {"API_KEY", "k"}, {"LD_PRELOAD", "/x.so"}, {"NODE_OPTIONS", "--require x"}};
  const auto given = server_environment(own, {"API_KEY", "MODE=fast", "ABSENT"});
  CHECK(given.variables ==
        proxy::Environment{{"PATH", "/bin"}, {"LC_ALL", "C"}, {"API_KEY", "k"}, {"MODE", "fast"}});
  CHECK(given.secrets == std::vector<std::string>{"k", "fast"});
  CHECK(given.missing == std::vector<std::string>{"ABSENT"});
}
