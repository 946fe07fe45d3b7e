#include "proxy/commands/usage.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "proxy/commands/commands.hpp"
#include "tests/catch.hpp"

namespace proxy::commands {
namespace {

// What these words are told; empty: they are understood. Nothing is carried out.
std::string told(std::vector<std::string> words) {
  CLI::App app{"", "callgate"};
  int exit = 0;
  app.require_subcommand(1);
  add_run(app, {}, exit);
  add_pending(app, exit);
  add_approve(app, exit);
  add_policy(app, {}, exit);
  add_ledger(app, exit);
  std::reverse(words.begin(), words.end());
  try {
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    return error.get_exit_code() == 0 ? "" : usage_error(app, error);
  }
  return "";
}

TEST_CASE("an unknown command is named, with the nearest known one and where they are listed") {
  CHECK(told({"bogus"}) == "unknown command `bogus` (`callgate --help` lists the commands)");
  CHECK(told({"pendng"}) ==
        "unknown command `pendng`; did you mean `pending`? (`callgate --help` lists the commands)");
  CHECK(told({"ledger", "lst"}) ==
        "unknown command `lst`; did you mean `list`? (`callgate ledger --help` lists the commands)");
  CHECK(told({"policy", "bogus"}) == "unknown command `bogus` (`callgate policy --help` lists the commands)");
  CHECK(told({"a\x1b[31m"}) == "unknown command `a\\x1b[31m` (`callgate --help` lists the commands)");
}

TEST_CASE("a missing command is said to be missing") {
  CHECK(told({}) == "`callgate` needs a command (`callgate --help` lists them)");
  CHECK(told({"ledger"}) == "`callgate ledger` needs a command (`callgate ledger --help` lists them)");
}

TEST_CASE("an unknown option is named without its value, whatever else is missing") {
  CHECK(told({"run", "--nme", "x"}) ==
        "unknown option `--nme`; did you mean `--name`? (`callgate run --help` lists the options of this "
        "command)");
  CHECK(told({"run", "--nme=x"}).find("unknown option `--nme`; did you mean `--name`?") == 0);
  CHECK(told({"policy", "explain", "--tol", "a/b"}).find("unknown option `--tol`; did you mean `--tool`?") ==
        0);
  CHECK(told({"--bogus", "pending"}).find("unknown option `--bogus` (`callgate --help`") == 0);
}

TEST_CASE("a server's command before the separator is told where it belongs") {
  CHECK(told({"run", "server.js", "--port", "1"}) ==
        "`server.js` is no option: the server's command stands behind `--`, as in `callgate run -- "
        "server.js`");
}

TEST_CASE("a word too many is named, and a value that does not fit") {
  CHECK(told({"ledger", "list", "5"}).find("`5` is one word too many: `callgate ledger list` takes none") ==
        0);
  CHECK(told({"approve", "5", "6"}).find("`6` is one word too many: `callgate approve` takes no more") == 0);
  CHECK(told({"ledger", "list", "--limit", "0"}).find("--limit") == 0);
  CHECK(told({"policy", "explain"}).find("--tool is required") == 0);
}

}  // namespace
}  // namespace proxy::commands
