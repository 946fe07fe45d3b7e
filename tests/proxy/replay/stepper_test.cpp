#include "proxy/replay/stepper.hpp"

#include "proxy/replay/filter.hpp"
#include "tests/catch.hpp"
#include "tests/proxy/replay/missions.hpp"

namespace proxy::replay {
namespace {

using namespace missions;
using What = Step::What;

Timeline five() {
  Timeline timeline =
      mission({call(1, "ALLOW"), call(2, "DENY"), call(3, "ALLOW"), call(4, "DENY"), call(5, "ALLOW")});
  std::get<Call>(timeline.entries[4]).breaches = {{41, "rule", "malicious", "high", "no-secrets"}};
  return timeline;
}

std::uint64_t number(const Timeline& timeline, const Stepper& stepper) {
  const Call* call = std::get_if<Call>(&timeline.entries[stepper.place()]);
  return call == nullptr ? 0 : call->number;
}

TEST_CASE("stepping goes forwards and back and stops at both ends") {
  const Timeline timeline = five();
  Stepper stepper(timeline, fitting(timeline, {}));
  CHECK(stepper.command("b").what == What::say);
  CHECK(stepper.command("n").what == What::show);
  CHECK(number(timeline, stepper) == 1);
  CHECK(stepper.command("5").what == What::show);
  CHECK(number(timeline, stepper) == 5);
  CHECK(stepper.command("").what == What::say);
  CHECK(number(timeline, stepper) == 5);
  CHECK(stepper.command("b").what == What::show);
  CHECK(number(timeline, stepper) == 4);
  CHECK(stepper.command("6").what == What::say);
  CHECK(stepper.command("5x").what == What::say);
  CHECK(stepper.command("q").what == What::quit);
}

TEST_CASE("v, d and searches find the next behind the entry shown, and go round") {
  const Timeline timeline = five();
  Stepper stepper(timeline, fitting(timeline, {}));
  CHECK(stepper.command("v").what == What::show);
  CHECK(number(timeline, stepper) == 4);
  CHECK(stepper.command("d") == Step{What::show, "from the beginning again"});
  CHECK(number(timeline, stepper) == 2);
  CHECK(stepper.command("d").what == What::show);
  CHECK(number(timeline, stepper) == 4);
  CHECK(stepper.command("/A.TXT").what == What::show);
  CHECK(number(timeline, stepper) == 5);
  CHECK(stepper.command("/nowhere").what == What::say);
  CHECK(number(timeline, stepper) == 5);
}

TEST_CASE("the first search looks at the entry shown first, too") {
  const Timeline timeline = mission({call(1, "DENY")});
  Stepper stepper(timeline, {1});
  CHECK(stepper.command("d") == Step{What::show, {}});
  CHECK(stepper.command("v").what == What::say);
}

std::vector<std::string> commands(const std::string& keys) {
  StepKeys machine;
  std::vector<std::string> all;
  for (const char byte : keys)
    if (const auto command = machine.key(static_cast<unsigned char>(byte))) all.push_back(*command);
  return all;
}

TEST_CASE(
    "keys act at once, numbers and searches with Enter, and escape sequences give no command but cursor "
    "keys") {
  using All = std::vector<std::string>;
  CHECK(commands("nvq") == All{"n", "v", "q"});
  CHECK(commands("12\r") == All{"12"});
  CHECK(commands("/not q\n") == All{"/not q"});
  CHECK(commands("/ab\x7f\x7f"
                 "c\n") == All{"/c"});
  CHECK(commands("12\x1b"
                 "[A") == All{"b"});
  CHECK(commands("\x1b[5~\x1b[1;5Rq") == All{"q"});
  CHECK(commands("\x1bq") == All{});
  CHECK(commands("12q") == All{"q"});
}

}  // namespace
}  // namespace proxy::replay
