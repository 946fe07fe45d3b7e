#include <algorithm>

#include "policy/load/load.hpp"
#include "policy/review/explain.hpp"
#include "policy/review/lint.hpp"
#include "tests/policy/verdicts.hpp"

using namespace policy;
using namespace policy_tests;

namespace {

Source organisation(const std::string& text) {
  return {Layer::organisation, "org.toml", "version = 1\n" + text, true};
}
Source layer(Layer layer, const std::string& text) {
  return {layer, "lower.toml", "version = 1\n" + text, true};
}

Policy together(const std::string& above, const std::string& below, Layer lower = Layer::user) {
  auto loaded = Policy::load({organisation(above), layer(lower, below)}, "/w", "/home/dev");
  INFO((loaded ? std::string() : loaded.error().text()));
  REQUIRE(loaded.has_value());
  return std::move(*loaded);
}

Tier decided(const std::string& above, const std::string& below, const Call& call,
             Layer lower = Layer::user) {
  const DescribedFiles files;
  return together(above, below, lower).judge(call, policy_tests::scene(files)).tier;
}

std::string complaint(const std::string& text) {
  const auto errors = check_source(organisation(text), {"/w", "/home/dev"});
  return errors.empty() ? "" : errors.front().text();
}

const std::string read_only = "[delegate]\nallow = [\"read\"]\n";
const Call write_a = call("write_file", R"({"path":"a","content":"x"})");

}  // namespace

TEST_CASE("a lower layer allows only the kinds of effects that the organisation delegates") {
  for (const Layer lower : {Layer::user, Layer::repository, Layer::mission}) {
    CHECK(decided("", allow_w, write_a, lower) == Tier::allow);
    CHECK(decided(read_only, allow_w, read("a"), lower) == Tier::allow);
    CHECK(decided(read_only, allow_w, write_a, lower) == Tier::deny);
    CHECK(decided("[delegate]\nallow = []\n", allow_w, read("a"), lower) == Tier::deny);
  }
  const std::string everything = "[[allow]]\nid=\"all\"\n";
  CHECK(decided(read_only, everything, read("a")) == Tier::allow);
  CHECK(decided(read_only, everything, write_a) == Tier::deny);
  CHECK(decided(read_only, everything, run("ls")) == Tier::deny);
  CHECK(decided(read_only, everything, call("list_allowed_directories", "{}")) == Tier::deny);
}

TEST_CASE("the organisation's own allows and everybody's denies count whatever is delegated") {
  CHECK(decided(allow_w + read_only, "", write_a) == Tier::allow);
  CHECK(decided(allow_w + read_only, "[[deny]]\nid=\"d\"\nwrite=[\"a\"]\n", write_a) == Tier::deny);
  CHECK(decided(allow_w + read_only, "[[ask]]\nid=\"d\"\nwrite=[\"a\"]\n", write_a) == Tier::ask);
}

TEST_CASE("no layer loosens a default that the organisation states") {
  CHECK(decided("default = \"deny\"\n", ask, read("a")) == Tier::deny);
  CHECK(decided("default = \"ask\"\n", "default = \"deny\"\n", read("a")) == Tier::deny);
  CHECK(decided("default = { read = \"ask\", other = \"deny\" }\n", ask, write_a) == Tier::deny);
  CHECK(decided("default = { read = \"ask\", other = \"deny\" }\n", ask, read("a")) == Tier::ask);
}

TEST_CASE("declarations of a layer that may not allow use add guesses only") {
  const std::string declares = "[tools.\"other/do\"]\nread = \"/path\"\n" + allow_w;
  const Call other = call("do", R"({"path":"a"})", "other");
  CHECK(decided("", declares, other) == Tier::allow);
  CHECK(decided(read_only, declares, other) == Tier::deny);
  CHECK(decided("[delegate]\nallow = [\"read\", \"use\"]\n", declares, other) == Tier::allow);
}

TEST_CASE("a layer that may not allow what runs does not say what programs do") {
  for (const char* text : {"neutral_variables = [\"X\"]\n", "[commands.mine]\nread = [\"operands\"]\n"}) {
    const auto loaded = Policy::load({organisation(read_only), layer(Layer::user, text)}, "/w", "/home/dev");
    REQUIRE(loaded.has_error());
    CHECK(loaded.error().text().find("lower.toml:2:") == 0);
    CHECK(loaded.error().message().find("does not delegate `run` (org.toml:2)") != std::string::npos);
  }
}

TEST_CASE("an organisation that forbids policies of runs lets none load") {
  const std::string none = "[delegate]\nmission = false\n";
  const auto loaded = Policy::load({organisation(none), layer(Layer::mission, "")}, "/w", "/home/dev");
  REQUIRE(loaded.has_error());
  CHECK(loaded.error().text() == "org.toml:2: the organisation forbids a policy of a run's own (`--policy`)");
  CHECK(Policy::load({organisation(none), layer(Layer::user, "")}, "/w", "/home/dev").has_value());
}

TEST_CASE("what is wrong with a delegation is said at its place") {
  CHECK(complaint("[delegate]\n").empty());
  CHECK(complaint("[delegate]\nallow = [\"reed\"]\n").find("org.toml:3:10: `delegate` knows no kind") == 0);
  CHECK(complaint("[delegate]\nallow = 3\n").find("org.toml:3:9:") == 0);
  CHECK(complaint("[delegate]\nmission = \"no\"\n").find("org.toml:3:11:") == 0);
  CHECK(complaint("[delegate]\nmisson = false\n") ==
        "org.toml:3:1: unknown key `misson`; did you mean `mission`?");
  for (const Layer lower : {Layer::user, Layer::repository, Layer::mission})
    CHECK_FALSE(check_source(layer(lower, read_only), {"/w", "/home/dev"}).empty());
}

TEST_CASE("explain and check say which allows do not count") {
  const DescribedFiles files;
  const Policy loaded = together(read_only, allow_w);
  const Explanation explained = explain(loaded, write_a, policy_tests::scene(files));
  const std::string text = explanation_text(explained);
  CHECK(text.find("matches: ALLOW `w` at lower.toml:2 (does not count: not delegated)") != std::string::npos);
  CHECK(text.find("the allow rule `w` does not count: the organisation does not delegate `write`") !=
        std::string::npos);
  CHECK(explanation_json(explained).dump().find("\"delegated\":false") != std::string::npos);
  std::string warned;
  for (const Warning& warning : lint(loaded.rules())) warned += warning.message + "\n";
  CHECK(warned == "counts for `read` only: the organisation delegates `read` (org.toml:2)\n");
}

TEST_CASE("delegating less never loosens") {
  const std::string rules = allow_w + "[[allow]]\nid=\"r\"\nrun=[\"ls\"]\n[[allow]]\nid=\"t\"\ntool=\"do\"\n";
  const std::vector<std::string> kinds{"use", "read", "write", "delete", "run", "connect"};
  for (const Call& each : {read("a"), write_a, run("ls"), call("do", "{}", "other"),
                           call("move_file", R"({"source":"a","destination":"b"})")})
    for (unsigned more = 0; more < 1u << kinds.size(); ++more)
      for (std::size_t i = 0; i < kinds.size(); ++i) {
        const auto delegate = [&](unsigned set) {
          std::string list;
          for (std::size_t k = 0; k < kinds.size(); ++k)
            if ((set >> k & 1) != 0) list += (list.empty() ? "\"" : ", \"") + kinds[k] + "\"";
          return "[delegate]\nallow = [" + list + "]\n";
        };
        if (more % 7 != i) continue;  // some of them
        CHECK(decided(delegate(more & ~(1u << i)), rules, each) <= decided(delegate(more), rules, each));
      }
}
