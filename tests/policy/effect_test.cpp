#include "policy/effect.hpp"

#include "tests/catch.hpp"

using policy::Effect;
using policy::EffectKind;

namespace {

std::string shown(std::vector<std::string> words, std::vector<std::size_t> unknown = {}) {
  Effect effect;
  effect.kind = EffectKind::run;
  effect.command.words = std::move(words);
  effect.command.unknown = std::move(unknown);
  return summary(effect);
}

}  // namespace

TEST_CASE("words of a command are quoted where a shell would take them for something else") {
  CHECK(shown({"git", "commit", "-m", "fix the bug"}) == "run git commit -m 'fix the bug'");
  CHECK(shown({"echo", ""}) == "run echo ''");
  CHECK(shown({"echo", "it's"}) == "run echo \"it's\"");
  CHECK(shown({"echo", "\"a\" b"}) == "run echo '\"a\" b'");
  CHECK(shown({"echo", "it's \"so\""}) == "run echo 'it'\\''s \"so\"'");
  CHECK(shown({"ls", "-la", "src/{a,b}", "--x=y", "~"}) == "run ls -la src/{a,b} --x=y ~");
}

TEST_CASE("a word that is not known stands as it was written, one that only looks like it is quoted") {
  CHECK(shown({"echo", "$X", "$Y"}, {1}) == "run echo $X '$Y'");
  CHECK(shown({"rm", "*.o", "*.o"}, {2}) == "run rm '*.o' *.o");
}
