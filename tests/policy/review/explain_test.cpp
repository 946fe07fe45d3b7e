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
