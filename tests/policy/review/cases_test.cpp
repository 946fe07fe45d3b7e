#include "policy/review/cases.hpp"

#include <filesystem>

#include "policy/load/load.hpp"
#include "policy/review/lint.hpp"
#include "proxy/base/file.hpp"
#include "tests/catch.hpp"

using namespace policy;

namespace {

const std::string root = CALLGATE_SOURCE_DIR;

base::Result<std::vector<CaseResult>> run_folder(const std::string& path) {
  const auto policy_bytes = base::read_file(path + "/policy.toml", 1 << 20);
  const auto case_bytes = base::read_file(path + "/cases.jsonl", 16 << 20);
  REQUIRE(policy_bytes.has_value());
  REQUIRE(case_bytes.has_value());
  const auto cases = parse_cases(path + "/cases.jsonl", *case_bytes);
  INFO((cases ? std::string() : cases.error().text()));
  REQUIRE(cases.has_value());
  return run_cases({{Layer::mission, path + "/policy.toml", *policy_bytes, true}}, *cases);
}

// How many folders with a policy and its cases there were.
std::size_t run_folders(const std::string& folder) {
  std::size_t folders = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto results = run_folder(entry.path().string());
    INFO(entry.path().string() << (results ? std::string() : ": " + results.error().text()));
    REQUIRE(results.has_value());
    CHECK_FALSE(results->empty());
    for (const CaseResult& result : *results) {
      INFO(result.id << ": expected " << name(result.expect) << ": " << explain_to_agent(result.decision));
      CHECK(result.passed);
    }
    ++folders;
  }
  return folders;
}

}  // namespace

TEST_CASE("every case of tests/cases/policy is decided as it says") {
  CHECK(run_folders(root + "/tests/cases/policy") > 0);
}

TEST_CASE("every example policy decides its cases as they say, and a check finds nothing wrong with it") {
  CHECK(run_folders(root + "/examples/policies") == 3);
  for (const auto& entry : std::filesystem::directory_iterator(root + "/examples/policies")) {
    const std::string file = entry.path().string() + "/policy.toml";
    const auto rules = compile_sources(
        complete_sources({{Layer::mission, file, base::read_file(file, 1 << 20).value(), true}}),
        {"/workspace", "/home/user"});
    REQUIRE(rules.has_value());
    for (const Warning& warning : lint(*rules)) FAIL_CHECK(warning.place << ": " << warning.message);
  }
}

TEST_CASE("broken cases are refused with their place") {
  for (const char* text :
       {"{", "[]", "{}", R"({"id":"a","tool":"b","expect":"allow"})",
        R"({"id":"a","tool":"s/t","expect":"maybe"})", R"({"id":"a","tool":"s/t"})",
        R"({"id":"a","tool":"s/t","expect":"allow","catalogue":"nope"})",
        R"({"id":"a","tool":"s/t","expect":"allow","catalogue":1})",
        R"({"id":"a","tool":"s/t","expect":"allow","context":{"cwd":"x"}})",
        R"({"id":"a","tool":"s/t","expect":"allow","context":{"links":{"/a":1}}})",
        R"({"id":"a","tool":"s/t","expect":"allow","context":{"history":{}}})",
        R"({"id":"a","tool":"s/t","expect":"allow","context":{"history":[1]}})",
        R"({"id":"a","tool":"s/t","expect":"allow","context":{"history":[{}]}})",
        R"({"id":"a","tool":"s/t","expect":"allow","context":{"history":[{"tool":"x"}]}})",
        R"({"id":"a","tool":"s/t","expect":"allow","context":{"history":[{"tool":"s/t","ago":3}]}})",
        R"({"id":"a","tool":"s/t","expect":"allow","context":{"history":[{"tool":"s/t","ago":"3"}]}})",
        R"({"id":"a","tool":"s/t","expect":"allow","context":{"history":[{"tool":"s/t","when":"3s"}]}})",
        R"({"id":"a","tool":"s/t","expect":"allow","context":{"cdw":"/x"}})"}) {
    const auto cases = parse_cases("c.jsonl", std::string("\n") + text + "\n");
    INFO(text);
    REQUIRE_FALSE(cases.has_value());
    CHECK(cases.error().place() == "c.jsonl:2");
  }
}

TEST_CASE("a case is of the catalogue entry it names, else of its server's name") {
  const std::string allow = "version = 1\n[[allow]]\nid = \"r\"\nread = \"**\"\n";
  const auto decided = [&](const std::string& tool, const std::string& more) {
    const auto cases =
        parse_cases("c.jsonl", R"({"id":"a","tool":")" + tool +
                                   R"(","arguments":{"path":"x"},"expect":"allow")" + more + "}");
    return run_cases({{Layer::user, "p.toml", allow, true}}, cases.value()).value().front().decision;
  };
  CHECK(decided("files/read_text_file", "").tier == Tier::allow);
  CHECK(deciding(decided("files/read_text_file", ""))->rule == "r");
  CHECK(decided("mine/read_text_file", "").tier == Tier::deny);
  CHECK(decided("mine/read_text_file", R"(,"catalogue":"files")").tier == Tier::allow);
  CHECK(decided("files/read_text_file", R"(,"catalogue":"")").tier == Tier::deny);
}

TEST_CASE("described links are the whole file system") {
  const DescribedFiles files(std::map<std::string, std::string>{{"/a", "/b"}});
  CHECK(files.target("/a") == "/b");
  CHECK_FALSE(files.target("/etc/mtab").has_value());
}

TEST_CASE("a member that a case does not have is an error, with the one that was meant") {
  const auto error = [](const std::string& line) {
    const auto cases = parse_cases("c", line);
    return cases ? std::string() : cases.error().text();
  };
  const std::string begin = R"({"id": "a", "tool": "files/read_file", "expect": "ask")";
  CHECK(error(begin + R"(, "why": "w", "category": "c"})").empty());
  CHECK(error(begin + R"(, "alos": ["deny"]})").find("did you mean `also`?") != std::string::npos);
  CHECK(error(begin + R"(, "context": {"hoem": "/h"}})").find("did you mean `home`?") != std::string::npos);
  CHECK(error(begin + R"(, "context": {"history": [{"tool": "a/b", "args": {}}]}})")
            .find("unknown member `args`") != std::string::npos);
}

TEST_CASE("of a broken file each line that is wrong is told") {
  const std::string good = R"({"id": "a", "tool": "files/read_file", "expect": "ask"})";
  const ReadCases read = read_cases("c", "{\n" + good + "\n" + R"({"id": "b"})" + "\n\n[]\n");
  REQUIRE(read.errors.size() == 3);
  CHECK(read.errors[0].place() == "c:1");
  CHECK(read.errors[1].place() == "c:3");
  CHECK(read.errors[2].place() == "c:5");
  CHECK(read.cases.size() == 1);
}
