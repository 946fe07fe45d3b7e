#include "policy/review/explain.hpp"

#include "tests/policy/verdicts.hpp"

using namespace policy;
using namespace policy_tests;

namespace {

std::string to_understand(const Call& call) {
  const Decision decision = judged(ask + allow_w, call);
  return policy::to_understand(decision, *deciding(decision));
}

Call command(const std::string& line) {
  Call made = policy_tests::run(line);
  made.catalogue_entry = "workshop";
  return made;
}

}  // namespace

TEST_CASE("of what is not understood it is said what the operator can do about it, and of nothing else") {
  CHECK(to_understand(call("read_file", R"({"path": "a", "frob": 1})")) ==
        "declare `/frob` in `[tools.\"files/read_file\"]`, or `ignore` it");
  CHECK(to_understand(call("do_it", R"({"path": "a"})", "mine")) ==
        "declare in `[tools.\"mine/do_it\"]` what its arguments mean");
  CHECK(to_understand(command("git log --frob x")) ==
        "say in `[commands.git]` of the operator's policy what its words do, or write out what is computed");
  CHECK(to_understand(call("read_file", R"({"path": "/etc/x"})")).empty());
  CHECK(to_understand(command("frob a")).empty());
}

TEST_CASE("of a variable that makes a command opaque the hint names the key that says it is harmless") {
  const std::string hint =
      "leave `FOO` out, or, if it changes nothing of what runs, name it in `neutral_variables` of the "
      "operator's policy";
  CHECK(to_understand(command("FOO=1 git status")) == hint);
  CHECK(to_understand(command("env FOO=1 git status")) == hint);
  CHECK(to_understand(command("export FOO=1 && git status")) == hint);
  CHECK(judged(ask + "neutral_variables = [\"FOO\"]\n[[allow]]\nid = \"g\"\nrun = [\"git status\"]\n",
               command("FOO=1 git status"))
            .tier == Tier::allow);
}

TEST_CASE("guesses that no rule concerns are counted and not shown, others are") {
  const auto text = [](const std::string& policy_text) {
    const DescribedFiles files;
    const Policy policy = load(policy_text);
    return explanation_text(explain(policy, call("do_it", R"({"path": "a.env"})", "mine"), scene(files)));
  };
  CHECK(text(ask).find("delete") == std::string::npos);
  CHECK(text(ask).find("left out: 3 guesses that no rule concerns\n") != std::string::npos);
  const std::string concerned = text(ask + "[[deny]]\nid = \"env\"\ndelete = [\"**/*.env\"]\n");
  CHECK(concerned.find("DENY  delete /w/a.env (a guess)") != std::string::npos);
  CHECK(concerned.find("left out: 2 guesses that no rule concerns\n") != std::string::npos);
}

TEST_CASE("of what a rule asks for although an allow covers it the exception is named that lets it pass") {
  const auto text = [](const std::string& policy_text, const Call& made) {
    const DescribedFiles files;
    const Policy policy = load(policy_text);
    return explanation_text(explain(policy, made, scene(files)));
  };
  const std::string asks =
      "[[ask]]\nid = \"code\"\nrun = [\"npm {test,run}\"]\nexcept.run = [\"npm run x $\"]\n";
  const auto allows = [](const std::string& run) {
    return "[[allow]]\nid = \"a\"\nrun = [\"" + run + "\"]\nread = [\"**\"]\n";
  };
  const std::string pass = "an allow covers it, and an ask rule asks; to let it pass: add ";
  CHECK(text(asks + allows("npm test $"), command("npm test"))
            .find(pass + "`npm test $` to `except.run` of `code` (") != std::string::npos);
  // As wide as the ask, or wider: only this very command.
  CHECK(text(asks + allows("npm"), command("npm test -s")).find(pass + "`npm test -s $` to") !=
        std::string::npos);
  CHECK(text(asks, command("npm test")).find("to let it pass") == std::string::npos);
  CHECK(text(asks + "[[ask]]\nid = \"b\"\nrun = [\"npm\"]\n" + allows("npm test $"), command("npm test"))
            .find(" of `b` (") != std::string::npos);
  const std::string paths = allow_w + "[[ask]]\nid = \"p\"\nwrite = [\"/w/**\"]\n";
  const Call write = call("write_file", R"({"path": "a", "content": "x"})");
  CHECK(text(paths, write).find(pass + "`/w/a` to `except.write` of `p` (") != std::string::npos);
  const std::string content = allow_w + "[[ask]]\nid = \"p\"\ncontent = [\"x\"]\n";
  CHECK(text(content, write).find("to let it pass") == std::string::npos);
}
