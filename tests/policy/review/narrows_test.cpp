#include "policy/review/narrows.hpp"

#include "policy/load/built_in.hpp"
#include "tests/catch.hpp"

using namespace policy;

namespace {

const std::string version = "version = 1\n";
const std::string allow_src = "[[allow]]\nid = \"src\"\nread = [\"src/**\"]\n";
const std::string allow_all = "[[allow]]\nid = \"src\"\nread = [\"**\"]\n";
const std::string deny_env = "[[deny]]\nid = \"env\"\npath = [\"**/.env\"]\n";
const std::string ask_push = "[[ask]]\nid = \"push\"\nrun = [\"git push\"]\n";

Source file(const std::string& text, Layer layer = Layer::user, bool trusted = true) {
  return {layer, "policy.toml", version + text, trusted};
}

bool narrows(const std::string& before, const std::string& after) {
  return only_narrows({built_in_source(), file(before)}, {built_in_source(), file(after)});
}

}  // namespace

TEST_CASE("fewer allows, and more denies and asks, only narrow") {
  CHECK(narrows(allow_src, allow_src));
  CHECK(narrows(allow_src, ""));
  CHECK(narrows(allow_src, allow_src + deny_env));
  const std::string asks = "default = \"ask\"\n";
  CHECK(narrows(asks + allow_src, asks + allow_src + deny_env + ask_push));
  // It would be asked for instead of denied.
  CHECK_FALSE(narrows(allow_src, allow_src + ask_push));
  CHECK_FALSE(narrows("default = \"deny\"\n", "default = \"deny\"\n" + ask_push));
  CHECK(narrows(allow_src + deny_env, deny_env + "# the same rules\n"));
  CHECK(narrows(allow_src + deny_env, "\n" + deny_env));
  CHECK(narrows(deny_env + allow_src, allow_src + deny_env));
}

TEST_CASE("anything else may let more pass") {
  CHECK_FALSE(narrows("", allow_src));
  CHECK_FALSE(narrows(allow_src, allow_all));
  CHECK_FALSE(narrows(deny_env, ""));
  CHECK_FALSE(narrows(ask_push, ""));
  CHECK_FALSE(narrows(deny_env, "[[ask]]\nid = \"env\"\npath = [\"**/.env\"]\n"));
  CHECK_FALSE(narrows("", "default = \"ask\"\n"));
  CHECK_FALSE(narrows("", "[tools.\"a/b\"]\nread = \"/x\"\n"));
  CHECK_FALSE(narrows("", "neutral_variables = [\"X\"]\n"));
  CHECK_FALSE(narrows(allow_src, "[[allow"));
}

TEST_CASE("a layer that comes or goes is judged by what it says") {
  const std::vector<Source> one{built_in_source(), file(allow_src)};
  CHECK(only_narrows(one, {one[0], one[1], file(deny_env, Layer::mission)}));
  CHECK_FALSE(only_narrows(one, {one[0], one[1], file(allow_all, Layer::mission)}));
  CHECK(only_narrows({one[0], one[1], file(allow_all, Layer::mission)}, one));
  CHECK_FALSE(only_narrows({one[0], one[1], file(deny_env, Layer::mission)}, one));
  CHECK_FALSE(only_narrows({built_in_source(), baseline_source()}, one));
}

TEST_CASE("a repository's file allows by its trust") {
  const auto repository = [](const std::string& text, bool trusted) {
    return std::vector<Source>{built_in_source(), file(text, Layer::repository, trusted)};
  };
  CHECK(only_narrows(repository(allow_src, true), repository(allow_all, false)));
  CHECK(only_narrows(repository(allow_all, false), repository(allow_all, true)));
  CHECK(only_narrows(repository(allow_src + deny_env, true), repository(allow_all, true)));
  CHECK_FALSE(only_narrows(repository(allow_src + deny_env, true), repository(allow_src, false)));
}

TEST_CASE("what rewrites calls neither comes nor goes by itself, and what searches answers only comes") {
  const auto user = [](const std::string& text) {
    return std::vector<Source>{built_in_source(), file(text, Layer::user)};
  };
  const std::string moves =
      "[[allow]]\nid=\"m\"\nwrite=[\"p/**\"]\nredirect={ write={ from=\"p\", to=\"s\" } }\n";
  const std::string searches = "[[deny]]\nid=\"r\"\nresult=[\"x\"]\n";
  CHECK(only_narrows(user(allow_all + moves), user(moves)));
  CHECK_FALSE(only_narrows(user(allow_all + moves), user(allow_all)));
  CHECK_FALSE(only_narrows(user(allow_all), user(allow_all + moves)));
  CHECK(only_narrows(user(allow_all), user(allow_all + searches)));
  CHECK_FALSE(only_narrows(user(allow_all + searches), user(allow_all)));
  CHECK_FALSE(only_narrows(user(allow_all + searches), user(allow_all + searches + "redact = true\n")));
}
