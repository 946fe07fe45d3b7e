// What judging one call may cost.

#include "tests/policy/verdicts.hpp"

using namespace policy;
using namespace policy_tests;

namespace {

// `part` so often that there are about so many bytes.
std::string repeated(const std::string& part, std::size_t bytes) {
  std::string all;
  while (all.size() < bytes) all += part;
  return all;
}

// Rules that many forms and paths are held against.
std::string many_rules() {
  std::string text = ask;
  for (int i = 0; i < 40; ++i) {
    const std::string number = std::to_string(i);
    text += "[[deny]]\nid=\"d" + number + "\"\npath=[\"**/x" + number + "/**/y/**/z\"]\nrun=[\"git x" +
            number + "\"]\n";
  }
  return text;
}

}  // namespace

// Each took minutes while work was repeated for every word or component.
TEST_CASE("no arguments of 64 KB take long to judge") {
  const std::size_t size = 1u << 16;
  const std::string rules = many_rules();
  for (const char* part : {"env -S ",
                           "env ",
                           "env -u a ",
                           "sudo -u ",
                           "find -exec ",
                           "git -a ",
                           "sudo -u git -u a=b ",
                           "a ",
                           "env find git -exec --x=y ",
                           "git x; ",
                           "$(git -c ",
                           "/a ",
                           "\"a b\" ",
                           "xargs --a=env ",
                           "nice -n ",
                           "cp a/b ",
                           "make A=x ",
                           "git log a/b:c/d ",
                           "tar -C a ",
                           "timeout 5 "}) {
    INFO(part);
    const std::string line = repeated(part, size);
    CHECK(tier(rules, run(line)) <= Tier::ask);
    CHECK(tier(rules, call("do", base::json::Value{{"cmd", line}}.dump(), "other")) <= Tier::ask);
  }
  for (const char* part : {"a/", "x1/y/", "../a/", "a b/"}) {
    INFO(part);
    base::json::Value paths = base::json::Value::array();
    for (std::size_t i = 0; i < size / 4080; ++i) paths.push_back(std::to_string(i) + repeated(part, 4080));
    CHECK(tier(rules, call("read_multiple_files", base::json::Value{{"paths", paths}}.dump())) <= Tier::ask);
    CHECK(tier(rules, call("do", base::json::Value{{"paths", paths}}.dump(), "other")) <= Tier::ask);
  }
}

TEST_CASE("a call that takes more steps than any may is refused, with one effect") {
  std::string line;
  for (int i = 0; i < 200; ++i) line += "git -a ";
  base::json::Value lines = base::json::Value::array();
  for (int i = 0; i < 150; ++i) lines.push_back(base::json::Value::array({"; " + line}));
  std::string rules = "[[allow]]\nid=\"t\"\nserver=\"other\"\ntool=\"do\"\n";
  for (int i = 0; i < 40; ++i)
    rules += "[[deny]]\nid=\"d" + std::to_string(i) + "\"\nrun=[\"git x" + std::to_string(i) + "\"]\n";
  const Decision decision = judged(rules, call("do", base::json::Value{{"cmd", lines}}.dump(), "other"));
  CHECK(decision.tier == Tier::deny);
  REQUIRE(decision.effects.size() == 1);
  CHECK_FALSE(decision.effects.front().refused.empty());
  CHECK(tier(rules, call("do", R"({"cmd":["git -a x"]})", "other")) == Tier::allow);
}
