// Lines that agents send every day, by the policy that `callgate init` writes for the repository they are
// sent in.

#include <fstream>
#include <string>

#include "policy/path/file_system.hpp"
#include "policy/policy.hpp"
#include "proxy/base/text.hpp"
#include "proxy/starter/find.hpp"
#include "tests/catch.hpp"
#include "tests/policy/path/repository.hpp"

using namespace proxy;

namespace {

const std::string shell_tool = "\n[tools.\"box/bash\"]\nrun = \"/command\"\nshell = \"bash\"\n";

std::string with_line_ends(std::string text) {
  for (std::size_t at = 0; (at = text.find("\\n", at)) != std::string::npos; ++at) text.replace(at, 2, "\n");
  return text;
}

}  // namespace

TEST_CASE("what agents run every day is asked where it should be, and nowhere else") {
  const policy_tests::Repository tree;
  for (const char* name :
       {"src/main.ts", "src/util.ts", "tests/app.test.ts", "docs/notes.md", "scripts/build.sh", "README.md",
        "package.json", "tsconfig.json", ".env", "node_modules/lib/index.js", "build/out.js"})
    tree.file(name);
  tree.file(".gitignore", "node_modules/\nbuild/\n.env\n");
  tree.git("add .");
  tree.git("commit -qm x");
  const starter::Search search = starter::find(tree.root());
  const std::string text = starter::policy_text(search.found) + shell_tool;
  const auto policy =
      policy::Policy::load({{policy::Layer::mission, "policy.toml", text, true}}, tree.root(), "/home/dev");
  REQUIRE(policy.has_value());
  const policy::FileSystem files;
  const policy::Scene scene{tree.root(), tree.root(), "/home/dev", "dev", &files};
  std::ifstream lines(EVERYDAY_LINES);
  std::size_t judged = 0;
  for (std::string each; std::getline(lines, each);) {
    if (each.empty() || each.starts_with('#')) continue;
    const std::size_t space = each.find(' ');
    const std::string line = with_line_ends(each.substr(space + 1));
    policy::Call call{.server = "box", .method = "tools/call", .tool = "bash"};
    call.arguments = {{"command", line}};
    CAPTURE(line);
    CHECK(base::lower(name(policy->judge(call, scene).tier)) == each.substr(0, space));
    ++judged;
  }
  CHECK(judged > 200);
}
