#include "proxy/starter/starter.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "policy/catalogue/catalogue.hpp"
#include "policy/load/load.hpp"
#include "policy/path/file_system.hpp"
#include "policy/review/lint.hpp"
#include "proxy/setup/toml_text.hpp"
#include "proxy/starter/find.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

using namespace proxy;
using namespace proxy::starter;

namespace {

const policy::Anchors anchors{"/workspace", "/home/user"};

// What `policy check` would say; empty: nothing.
std::string complaints(const std::string& text) {
  const policy::Source source{policy::Layer::repository, "policy.toml", text, true};
  std::string said;
  for (const base::Error& error : policy::check_source(source, anchors)) said += error.text() + "\n";
  if (!said.empty()) return said;
  const auto compiled = policy::compile_sources(policy::complete_sources({source}), anchors);
  if (!compiled) return compiled.error().text();
  for (const policy::Warning& warning : policy::lint(*compiled))
    said += warning.rule + ": " + warning.message + "\n";
  return said;
}

policy::Tier decided(const Found& found, const char* tool, base::json::Value arguments) {
  const auto policy =
      policy::Policy::load({{policy::Layer::repository, "policy.toml", policy_text(found), true}},
                           anchors.workspace, anchors.home);
  REQUIRE(policy.has_value());
  const std::string text = tool;
  const std::size_t slash = text.find('/');
  policy::Call call{.server = text.substr(0, slash),
                    .catalogue_entry = text.substr(0, slash),
                    .method = "tools/call",
                    .tool = text.substr(slash + 1),
                    .arguments = std::move(arguments)};
  const policy::FileSystem files;
  return policy->judge(call, {anchors.workspace, anchors.workspace, anchors.home, "user", &files}).tier;
}

Found everything() {
  Found found;
  for (const Language& language : languages()) found.languages.push_back(&language);
  found.folders = {"src", "tests"};
  return found;
}

}  // namespace

TEST_CASE("the policy for each language passes a check without complaint") {
  CHECK(complaints(policy_text({})) == "");
  REQUIRE(languages().size() == 8);
  for (const Language& language : languages()) {
    INFO(language.id);
    CHECK_FALSE(language.markers.empty());
    CHECK(complaints(policy_text({{&language}, {}, {}})) == "");
    CHECK(complaints(policy_text({{&language}, language.sources, {}})) == "");
  }
  CHECK(complaints(policy_text(everything())) == "");
}

TEST_CASE(
    "the policy for each server of the catalogue passes a check, and loads with what is commented out") {
  for (const auto& [name, entry] : policy::built_in_catalogue()->servers) {
    Found found;
    found.servers = {{".mcp.json", name, name, "program", name, true}};
    std::string text = policy_text(found);
    INFO(text);
    CHECK(complaints(text) == "");
    const std::size_t from = text.find("# [[allow]]\n# id = \"server/");
    if (from == std::string::npos) continue;
    for (std::size_t at = from; at < text.size(); at = text.find('\n', at) + 1) text.erase(at, 2);
    CHECK(policy::check_source({policy::Layer::repository, "policy.toml", text, true}, anchors).empty());
  }
}

TEST_CASE("a starter policy lets nothing through that it should not") {
  const Found found = everything();
  const auto run = [&](const char* line) {
    return decided(found, "commands/run_command", {{"command", line}});
  };
  const auto read = [&](const char* path) {
    return decided(found, "files/read_text_file", {{"path", path}});
  };
  const auto write = [&](const char* path, const char* content) {
    return decided(found, "files/write_file", {{"path", path}, {"content", content}});
  };
  CHECK(read("README.md") == policy::Tier::allow);
  CHECK(read(".env") == policy::Tier::deny);
  CHECK(read("/etc/hostname") == policy::Tier::ask);
  CHECK(write("src/a.c", "int a;") == policy::Tier::allow);
  CHECK(write("a.c", "int a;") == policy::Tier::ask);
  CHECK(write(".git/hooks/pre-commit", "") == policy::Tier::ask);
  CHECK(write("src/a.c", "key = \"ghp_Zx81kQm3Rt7vBn5Wy2Lp9Hd4Js6Fg0Ca1TbU\"") == policy::Tier::ask);
  CHECK(write("/etc/passwd", "") == policy::Tier::deny);
  CHECK(run("git log -3") == policy::Tier::allow);
  CHECK(run("git push --force") == policy::Tier::ask);
  CHECK(run("sudo ls") == policy::Tier::deny);
  for (const Language& language : languages()) {
    for (const auto* list : {&language.runs_code, &language.publishes})
      for (const std::string& pattern : *list) {
        INFO(pattern);
        const std::size_t brace = pattern.find('{');
        const std::string line =
            brace == std::string::npos
                ? pattern
                : pattern.substr(0, brace) + pattern.substr(brace + 1, pattern.find(',') - brace - 1);
        CHECK(run(line.c_str()) == policy::Tier::ask);
      }
    for (std::string pattern : language.looks) {
      INFO(pattern);
      REQUIRE(pattern.ends_with(" $"));
      CHECK(run(pattern.substr(0, pattern.size() - 2).c_str()) == policy::Tier::allow);
    }
  }
}

TEST_CASE("servers of an agent's configuration are known by their command line, and no argument is kept") {
  const auto servers = read_servers(".mcp.json", R"({"mcpServers": {
    "a": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/private"]},
    "b": {"command": "/usr/bin/callgate", "args": ["run", "--name", "fs", "--", "mcp-server-filesystem", "."]},
    "c": {"command": "./mine", "args": ["--key", "s3cret"]},
    "d": {"url": "https://example.com/mcp"},
    "e": 7}})");
  REQUIRE(servers.has_value());
  CHECK((*servers)[0].entry == "files");
  CHECK_FALSE((*servers)[0].guarded);
  CHECK((*servers)[1].name == "fs");
  CHECK((*servers)[1].guarded);
  CHECK((*servers)[2].program == "mine");
  CHECK((*servers)[2].entry.empty());
  CHECK((*servers)[3].program.empty());
  REQUIRE(servers->size() == 4);
  const std::string text = policy_text({{}, {}, *servers});
  CHECK(complaints(text) == "");
  CHECK(text.find("s3cret") == std::string::npos);
  CHECK(text.find("/private") == std::string::npos);
  CHECK(read_servers("x", R"({"servers": {"a": {"command": "claude"}}})")->front().entry == "claude-code");
  CHECK_FALSE(read_servers("x", "// a comment\n{}").has_value());
}

TEST_CASE("a server's name cannot add a line to the policy") {
  const std::string text =
      policy_text({{}, {}, {{".mcp.json", "a\n[[allow]]\nid = \"x\"", "SERVER", "p\n[x]", "", false}}});
  CHECK(complaints(text) == "");
  CHECK(text.find("\n[[allow]]\nid = \"x\"") == std::string::npos);
}

TEST_CASE("languages are found by their files, and folders of sources where they stand") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "src");
  std::filesystem::create_directories(folder / "elsewhere");
  std::filesystem::create_directory_symlink(folder / "elsewhere", folder / "tests");
  std::ofstream(folder / "Cargo.toml") << "[package]\n";
  std::filesystem::create_directories(folder / "go.mod");
  const Search search = find(folder.path().string());
  REQUIRE(search.found.languages.size() == 1);
  CHECK(search.found.languages.front()->id == "rust");
  CHECK(search.found.folders == std::vector<std::string>{"src"});
  CHECK(search.unread.empty());
}

TEST_CASE("strings of TOML hold whatever they are given") {
  CHECK(toml_string("a\"b\\c\n") == R"("a\"b\\c\u000A")");
  CHECK(toml_string("\xff") == R"("\u00FF")");
  CHECK(toml_list("k", {"a", "b"}) == "k = [\"a\", \"b\"]\n");
}
