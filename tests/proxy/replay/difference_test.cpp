#include "proxy/replay/difference.hpp"

#include "tests/catch.hpp"
#include "tests/proxy/replay/missions.hpp"

namespace proxy::replay {
namespace {

using namespace missions;

Call asking(std::uint64_t number, const std::string& what, const std::string& decision = "ALLOW") {
  Call made = call(number, decision);
  made.request = base::sha256(what);
  made.returned = base::sha256("result of " + what);
  return made;
}

TEST_CASE("a mission does not differ from itself, and durations alone are no difference") {
  const Timeline a = mission({asking(1, "x"), asking(2, "y")});
  CHECK_FALSE(difference_of(a, a).any());
  Timeline b = a;
  std::get<Call>(b.entries[1]).duration = 5 * second;
  const Difference difference = difference_of(a, b);
  CHECK_FALSE(difference.any());
  REQUIRE(difference.changed.size() == 1);
  CHECK(difference.changed[0].slower);
  CHECK(difference.same == 2);
}

TEST_CASE("calls of one alone, and what went otherwise, are told apart") {
  Call denied = asking(2, "y", "DENY");
  denied.returned.reset();
  Call other = asking(3, "z");
  other.returned = base::sha256("another result");
  const Timeline a = mission({asking(1, "x"), asking(2, "y"), asking(3, "z")});
  const Timeline b = mission({denied, other, asking(4, "new")});
  const Difference difference = difference_of(a, b);
  REQUIRE(difference.removed.size() == 1);
  CHECK(difference.removed[0]->number == 1);
  REQUIRE(difference.added.size() == 1);
  CHECK(difference.added[0]->number == 4);
  REQUIRE(difference.changed.size() == 2);
  CHECK(difference.changed[0].changed == std::vector<std::string>{"decision", "outcome"});
  CHECK(difference.changed[1].changed == std::vector<std::string>{"result"});
}

TEST_CASE("what is gone is counted and not compared") {
  Call gone = asking(1, "x");
  gone.request.reset();
  const Difference difference = difference_of(mission({gone}), mission({}));
  CHECK_FALSE(difference.any());
  CHECK(difference.unknown == 1);
}

TEST_CASE("another policy, agent, server or pinned tools are a difference of configuration") {
  const Timeline a = mission({});
  Timeline b = a;
  b.agent = "other 2";
  b.policies = {{"0123456789abcdef", "user", 3}};
  b.servers = {{"files", "fs", "1", "aa", "3"}};
  const Difference difference = difference_of(a, b);
  CHECK(difference.settings == std::vector<Setting>{{"agent", "", "other 2"},
                                                    {"policy", "", "0123456789ab"},
                                                    {"server files", "", "fs 1"}});
  Timeline c = b;
  c.servers[0].tools = "bb";
  CHECK(difference_of(b, c).settings == std::vector<Setting>{{"tools of files", "aa", "bb"}});
}

}  // namespace
}  // namespace proxy::replay
