#include "proxy/setup/config.hpp"

#include "tests/catch.hpp"

using proxy::parse_config;

namespace {
std::string error_of(const std::string& text) {
  const auto config = parse_config(text, "callgate.toml");
  return config ? "" : config.error().text();
}
}  // namespace

TEST_CASE("an empty configuration is the default one") {
  const auto config = parse_config("", "callgate.toml");
  REQUIRE(config.has_value());
  CHECK(config->ask_timeout == std::chrono::minutes(10));
  CHECK(config->durability == ledger::Durability::disk);
  CHECK_FALSE(config->unattended);
  CHECK(config->inert.empty());
}

TEST_CASE("what is set is what counts") {
  const auto config = parse_config(
      "pause_on = \"never\"\nask_timeout = \"90s\"\ndurability = \"process\"\nunattended = true\n"
      "[limits.clients]\n\"my-agent\" = \"60s\"\n[servers.files]\nenv = [\"NODE_ENV\"]\n",
      "callgate.toml");
  REQUIRE(config.has_value());
  CHECK(config->inert.empty());
  CHECK(config->ask_timeout == std::chrono::seconds(90));
  CHECK(config->durability == ledger::Durability::process);
  CHECK(config->unattended);
  CHECK(config->client_limits.at("my-agent") == std::chrono::seconds(60));
  CHECK(config->servers.at("files").environment == std::vector<std::string>{"NODE_ENV"});
}

TEST_CASE("a mistake is told at its place, with a suggestion where one is near") {
  CHECK(error_of("\nask_timout = \"1m\"\n") ==
        "callgate.toml:2:1: unknown key `ask_timout`; did you mean `ask_timeout`?");
  CHECK(error_of("ask_timeout = 90") == "callgate.toml:1:15: `ask_timeout` must be a string");
  CHECK(error_of("ask_timeout = \"90 s\"") ==
        "callgate.toml:1:15: `ask_timeout` must be a duration such as `90s` or `10m`");
  CHECK(error_of("ask_timeout = \"0s\"") ==
        "callgate.toml:1:15: `ask_timeout` must be longer than 0: nothing can be answered in no time");
  CHECK(error_of("[limits.clients]\n\"my-agent\" = \"0m\"") ==
        "callgate.toml:2:14: `my-agent` must be longer than 0: nothing can be answered in no time");
  CHECK(error_of("durability = \"none\"") ==
        "callgate.toml:1:14: `durability` must be one of `disk`, `process`");
  CHECK(error_of("[servers.a]\nconfinement = \"required\"").find("cannot be met") != std::string::npos);
  CHECK_FALSE(error_of("x = [").empty());
}

TEST_CASE("keys of parts that are not built yet are named, not ignored in silence") {
  const auto config =
      parse_config("pause_on = \"malicious\"\n[console]\nport = 7411\n[channels.ops]\ntype = \"slack\"\n",
                   "callgate.toml");
  REQUIRE(config.has_value());
  CHECK(config->inert == std::vector<std::string>{"channels", "console", "pause_on"});
}

TEST_CASE("anchors are read, each of one kind") {
  const auto config = parse_config(
      "[[ledger.anchors]]\nfile = \"/a/notes\"\n[[ledger.anchors]]\ngit = \"/a/repo\"\nremote = \"origin\"\n"
      "[[ledger.anchors]]\nsyslog = \"journal\"\n"
      "[[ledger.anchors]]\nwebhook = \"https://x.example/\"\nsecret_file = \"/s\"\n",
      "callgate.toml");
  REQUIRE(config.has_value());
  using Kind = proxy::AnchorConfig::Kind;
  const std::vector<proxy::AnchorConfig> expected{
      {Kind::file, "/a/notes", "", "", ""},
      {Kind::git, "/a/repo", "refs/callgate/ledger", "origin", ""},
      {Kind::syslog, "", "", "", ""},
      {Kind::webhook, "https://x.example/", "", "", "/s"}};
  CHECK(config->anchors == expected);
  CHECK(config->inert.empty());
}

TEST_CASE("an anchor of no kind, of two, or with a key of another is an error") {
  for (const char* text :
       {"", "file = \"/a\"\ngit = \"/b\"", "file = \"a\"", "file = \"/a\"\nref = \"refs/x\"",
        "git = \"/a\"\nref = \"main\"", "git = \"/a\"\nremote = \"--upload-pack=x\"",
        "git = \"/a\"\nsecret_file = \"/s\"", "webhook = \"ftp://x\"", "filee = \"/a\"", "file = 1"}) {
    INFO(text);
    CHECK_FALSE(error_of(std::string("[[ledger.anchors]]\n") + text).empty());
  }
  CHECK_FALSE(error_of("[ledger]\nanchors = 1").empty());
  CHECK_FALSE(error_of("[ledger]\nanchor = []").empty());
}
