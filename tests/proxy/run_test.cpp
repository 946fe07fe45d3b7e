// What `run` comes to before and around a session; what passes in one is tests/cases/run.

#include "proxy/run.hpp"
#include "proxy/setup/server_name.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/proxy/desk.hpp"

namespace {

proxy::RunOptions options(std::vector<std::string> command) {
  proxy::RunOptions made;
  made.command = std::move(command);
  return made;
}

std::vector<ledger::Type> types(const proxy_tests::Desk& desk) {
  std::vector<ledger::Type> found;
  for (const auto& stored : scratch::all_records({desk.path("state/callgate")}))
    found.push_back(stored.record.type);
  return found;
}

}  // namespace

TEST_CASE("a program that does not exist is a usage error, and leaves no ledger") {
  proxy_tests::Desk desk;
  const auto ended = proxy::run(options({"/nowhere/server"}));
  REQUIRE(ended.has_value());
  CHECK(*ended == 2);
  CHECK_FALSE(std::filesystem::exists(desk.path("state/callgate")));
}

TEST_CASE("an unreadable configuration or workspace is an error, and nothing is started") {
  proxy_tests::Desk desk;
  auto nowhere = options({"/bin/touch", desk.path("started")});
  nowhere.workspace = desk.path("nowhere");
  CHECK(proxy::run(nowhere).has_error());
  desk.file("config/callgate/callgate.toml", "no-such-key = 1\n");
  const auto broken = proxy::run(options({"/bin/touch", desk.path("started")}));
  REQUIRE(broken.has_error());
  CHECK(broken.error().place().find("callgate.toml:1:") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(desk.path("started")));
}

TEST_CASE("a server's name with a slash, a blank or a hidden character is refused, and nothing is started") {
  proxy_tests::Desk desk;
  for (const char* name : {"a/b", "a b", "a\tb", "a\nb", "a\x7f", "a\u202e", "\xff"}) {
    CAPTURE(name);
    auto named = options({"/bin/touch", desk.path("started")});
    named.name = name;
    const auto ended = proxy::run(named);
    REQUIRE(ended.has_error());
    CHECK(ended.error().code() == base::Code::invalid);
  }
  CHECK_FALSE(std::filesystem::exists(desk.path("started")));
  CHECK(proxy::good_server_name("files-2.é"));
  CHECK(proxy::good_server_name(""));
}

TEST_CASE("a mission that the operator has not created is a usage error") {
  proxy_tests::Desk desk;
  auto unknown = options({"/bin/cat"});
  unknown.mission = "nightly";
  const auto ended = proxy::run(unknown);
  REQUIRE(ended.has_value());
  CHECK(*ended == 2);
}

TEST_CASE("a server that ends at once ends the run, whose mission and session are on record") {
  proxy_tests::Desk desk;
  const auto ended = proxy::run(options({"/bin/true"}));
  REQUIRE(ended.has_value());
  const auto recorded = types(desk);
  const auto has = [&](ledger::Type type) {
    return std::find(recorded.begin(), recorded.end(), type) != recorded.end();
  };
  CHECK(has(ledger::Type::mission_start));
  CHECK(has(ledger::Type::policy_loaded));
  CHECK(has(ledger::Type::session_end));
  CHECK_FALSE(has(ledger::Type::session_start));  // nothing was initialised
}
