#include "policy/describe/describe.hpp"
#include "policy/describe/effect_list.hpp"

#include <algorithm>

#include "tests/policy/scenes.hpp"

using namespace policy;
using policy_tests::call;

namespace {

std::vector<Effect> effects_of(const Call& described, const std::string& policy_text = "",
                               std::map<std::string, std::string> links = {}) {
  const DescribedFiles files(std::move(links));
  const Policy loaded = policy_tests::load(policy_text);
  return describe(described, policy_tests::scene(files), loaded.rules().declarations, loaded.catalogue());
}

std::vector<std::string> lines(const std::vector<Effect>& effects) {
  std::vector<std::string> all;
  for (const Effect& effect : effects) all.push_back(summary(effect));
  return all;
}

bool has(const std::vector<Effect>& effects, const std::string& line) {
  const auto all = lines(effects);
  return std::find(all.begin(), all.end(), line) != all.end();
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("every tool of the file server has its effects") {
  CHECK(lines(effects_of(call("read_text_file", R"({"path":"a","head":3})"))) ==
        Lines{"use files/read_text_file", "read /w/a"});
  CHECK(lines(effects_of(call("read_multiple_files", R"({"paths":["a","/b"]})"))) ==
        Lines{"use files/read_multiple_files", "read /w/a", "read /b"});
  CHECK(lines(effects_of(call("move_file", R"({"source":"a","destination":"b"})"))) ==
        Lines{"use files/move_file", "read /w/a", "write /w/b", "delete /w/a"});
  CHECK(lines(effects_of(call("directory_tree", R"({"path":"a"})"))) ==
        Lines{"use files/directory_tree", "read /w/a and all below"});
  CHECK(lines(effects_of(call("edit_file", R"({"path":"a","edits":[],"dryRun":true})"))) ==
        Lines{"use files/edit_file", "read /w/a", "write /w/a"});
  CHECK(lines(effects_of(call("list_allowed_directories", "{}"))) ==
        Lines{"use files/list_allowed_directories"});
}

TEST_CASE("the catalogue is bound to what started the server, not to a name") {
  Call named = call("read_file", R"({"path":"a"})");
  named.catalogue_entry.clear();
  CHECK(has(effects_of(named), "write /w/a (a guess)"));
  CHECK_FALSE(has(effects_of(named), "read /w/a"));
}

TEST_CASE("a relative path starts at every folder where the server may start it") {
  Call rooted = call("read_text_file", R"({"path":".ssh/config"})");
  rooted.folders = {"/home/dev", "/w"};
  CHECK(lines(effects_of(rooted)) ==
        Lines{"use files/read_text_file", "read /w/.ssh/config", "read /home/dev/.ssh/config"});
  rooted.arguments = base::json::Value::parse(R"({"path":"/w/a"})");
  CHECK(lines(effects_of(rooted)) == Lines{"use files/read_text_file", "read /w/a"});
}

TEST_CASE("content is every string, each and joined") {
  const auto effects =
      effects_of(call("edit_file", R"({"path":"a","edits":[{"newText":"TOK_A"},{"newText":"BC"}]})"));
  REQUIRE(effects.back().content.has_value());
  CHECK(effects.back().content->find("TOK_ABC") != std::string::npos);
  CHECK(effects.back().content->find("TOK_A\n") != std::string::npos);
}

TEST_CASE("an argument that nobody declared is an opaque use and a guess") {
  const auto effects = effects_of(call("read_file", R"({"path":"a","extra":{"also":["/home/dev/.ssh"]}})"));
  CHECK(has(effects, "use (not understood)"));
  CHECK(has(effects, "read /home/dev/.ssh (a guess)"));
}

TEST_CASE("a value that is no path is opaque") {
  CHECK(has(effects_of(call("read_file", R"({"path":7})")), "read (not understood)"));
  CHECK(has(effects_of(call("read_multiple_files", R"({"paths":["a",null]})")), "read (not understood)"));
  CHECK(has(effects_of(call("run_command", R"({"command":{"a":"ls"}})", "workshop")),
            "run ls (not understood)"));
}

TEST_CASE("an undeclared tool is guessed from names and values") {
  const auto effects = effects_of(call(
      "do",
      R"({"command":"rm -rf x","target":"y","note":"hello there","u":"https://h/x","deep":[{"f":"/z"}]})",
      "other"));
  CHECK(lines(effects).front() == "use other/do");
  CHECK(has(effects, "run rm -rf x (a guess)"));
  CHECK(has(effects, "delete /w/y (a guess)"));
  CHECK(has(effects, "connect https://h/x (a guess)"));
  CHECK(has(effects, "write /z (a guess)"));
  CHECK_FALSE(has(effects, "read /w/hello there (a guess)"));
  CHECK(std::all_of(effects.begin() + 1, effects.end(), [](const Effect& effect) { return effect.guessed; }));
}

TEST_CASE("resources read, connect or are used") {
  Call resource;
  resource.server = "files";
  resource.method = "resources/read";
  resource.arguments = {{"uri", "file:///a%20b"}};
  CHECK(has(effects_of(resource), "read /a b"));
  resource.arguments = {{"uri", "https://h/x"}};
  CHECK(has(effects_of(resource), "connect https://h/x"));
  resource.arguments = {{"uri", "notes://x"}};
  CHECK(effects_of(resource).front().name == "resource:notes://x");
  resource.arguments = {{"uri", 5}};
  CHECK(has(effects_of(resource), "use (not understood)"));
}

TEST_CASE("requests of the server have their own effects") {
  Call request;
  request.server = "s";
  request.method = "sampling/createMessage";
  CHECK(effects_of(request).front().kind == EffectKind::sample);
  request.method = "elicitation/create";
  CHECK(effects_of(request).front().kind == EffectKind::elicit);
  request.method = "completion/complete";
  CHECK(effects_of(request).front().name == "method:completion/complete");
  request.method = "prompts/get";
  request.arguments = {{"name", "p"}};
  CHECK(effects_of(request).front().name == "prompt:p");
}

TEST_CASE("a command runs in its own directory, also behind a link") {
  const auto effects = effects_of(call("run_command", R"({"command":"cat id","cwd":"l"})", "workshop"), "",
                                  {{"/w/l", "/home/dev/.ssh"}});
  CHECK(has(effects, "run cat id"));
  CHECK(has(effects, "read /w/l/id (really /home/dev/.ssh/id)"));
}

TEST_CASE("known programs have effects, others guesses") {
  const auto run = [](const std::string& line) {
    return effects_of(call("run_command", base::json::Value{{"command", line}}.dump(), "workshop"));
  };
  CHECK(has(run("rm -rf build"), "delete /w/build and all below"));
  CHECK(has(run("cp a b c"), "write /w/c"));
  CHECK(has(run("cp a b c"), "write /w/c/a (a guess)"));
  CHECK(has(run("cp -t /x a"), "write /x and all below"));
  CHECK(has(run("cp --targ=/x a"), "write /x and all below"));
  CHECK(has(run("curl https://h"), "connect GET https://h"));
  CHECK(has(run("curl -K c"), "run curl -K c (not understood)"));
  CHECK(has(run("timeout 5 cat a"), "read /w/a"));
  CHECK(has(run("tool --out=/x -o/y"), "write /x (a guess)"));
  CHECK(has(run("tool --out=/x -o/y"), "write /y (a guess)"));
  CHECK(has(run("./cat a"), "write /w/a (a guess)"));
  CHECK(has(run("cat \"${HOME}\"/.ss\"h\"/id"), "read /home/dev/.ssh/id"));
  CHECK_FALSE(has(run("echo a"), "read /w/a (a guess)"));
}

TEST_CASE("variables that may change what runs make the run opaque") {
  const std::string tools = "[tools.\"box/run\"]\nrun = \"/c\"\nenv = \"/env\"\nshell = \"sh\"\n";
  CHECK(has(effects_of(call("run", R"({"c":"ls","env":{"LC_ALL":"C"}})", "box"), tools), "run ls"));
  for (const char* env : {R"({"PATH":"/x"})", R"({"LC_ALL":1})", R"([])"})
    CHECK(has(effects_of(call("run", R"({"c":"ls","env":)" + std::string(env) + "}", "box"), tools),
              "run ls (not understood)"));
}

TEST_CASE("a tool without a declared shell reads no line") {
  const std::string tools = "[tools.\"box/run\"]\nrun = \"/c\"\n";
  CHECK(has(effects_of(call("run", R"({"c":"ls"})", "box"), tools), "run ls (not understood)"));
  CHECK(has(effects_of(call("run", R"({"c":["ls","a b;"]})", "box"), tools), "run ls 'a b;'"));
}

TEST_CASE("a command line names its catalogue entry") {
  const auto entry = [](const std::vector<std::string>& command) {
    const ServerIdentity identity = identify(command, "");
    return identity.entry == nullptr ? "none" : identity.entry->name;
  };
  CHECK(entry({"npx", "-y", "@modelcontextprotocol/server-filesystem@2025.1.1", "/w"}) == "files");
  CHECK(entry({"npx", "@modelcontextprotocol/server-filesystem"}) == "files");
  CHECK(entry({"node", "/x/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js", "/w"}) ==
        "files");
  CHECK(entry({"/usr/bin/mcp-server-filesystem", "/w"}) == "files");
  CHECK(entry({"build/dev/workshop"}) == "workshop");
  CHECK(entry({"uvx", "mcp-server-fetch"}) == "fetch");
  CHECK(entry({"python3", "-m", "mcp_server_git", "--repository", "/w"}) == "git");
  CHECK(entry({"npx", "-y", "@playwright/mcp@latest"}) == "playwright");
  CHECK(entry({"claude", "mcp", "serve"}) == "claude-code");
  CHECK(entry({"npx", "@modelcontextprotocol/server-filesystem@npm:evil"}) == "none");
  CHECK(entry({"npx", "-p", "evil", "@modelcontextprotocol/server-filesystem"}) == "none");
  CHECK(entry({"node", "-r", "x", "/n/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"}) ==
        "none");
  CHECK(entry({"node", "/n/node_modules/@modelcontextprotocol/server-filesystem/../evil.js"}) == "none");
  CHECK(entry({"npx"}) == "none");
  CHECK(identify({"/bin/other"}, "").name == "other");
  CHECK(identify({"workshop"}, "mine").name == "mine");
}

TEST_CASE("without a command line the entry is the one asked for, else the one of the server's name") {
  CHECK(entry_without_command(std::nullopt, "files").value() == "files");
  CHECK(entry_without_command(std::nullopt, "mine").value().empty());
  CHECK(entry_without_command("workshop", "files").value() == "workshop");
  CHECK(entry_without_command("", "files").value().empty());
  const auto unknown = entry_without_command("nope", "files");
  REQUIRE(unknown.has_error());
  CHECK(unknown.error().message().starts_with("the catalogue has no entry `nope`; it has `"));
  CHECK(unknown.error().message().find("`files`, ") != std::string::npos);
}

TEST_CASE("a call with more effects than the limit is refused as a whole") {
  base::json::Value paths = base::json::Value::array();
  for (std::size_t i = 0; i <= effects_max; ++i) paths.push_back("a");
  const auto effects = effects_of(call("read_multiple_files", base::json::Value{{"paths", paths}}.dump()));
  REQUIRE(effects.size() == 1);
  CHECK_FALSE(effects.front().refused.empty());
}

namespace {

std::size_t bytes_of(const std::vector<Effect>& effects) {
  std::size_t bytes = 0;
  for (const Effect& effect : effects) {
    bytes += effect.path.written.size() + effect.path.lexical.size() + effect.path.real.size() +
             effect.destination.size() + effect.command.line.size() + effect.content.value_or("").size();
    for (const std::string& word : effect.command.words) bytes += word.size();
  }
  return bytes;
}

std::string repeated(const std::string& text, std::size_t bytes) {
  std::string all;
  while (all.size() < bytes) all += text;
  return all;
}

}  // namespace

TEST_CASE("effects of a long word are not a multiple of it") {
  const std::size_t size = 1u << 20;
  for (const char* part : {"a=", "/a=", "a", "file:///a=", "-a"}) {
    INFO(part);
    const std::string word = repeated(part, size);
    CHECK(bytes_of(effects_of(call("run_command", base::json::Value{{"command", word}}.dump(), "workshop"))) <
          5 * size);
    CHECK(bytes_of(effects_of(call("do", base::json::Value{{"path", word}}.dump(), "other"))) < 5 * size);
  }
}

TEST_CASE("a long word that folds to a denied path is still a guess") {
  const std::string word = repeated("a/../", 50'000) + ".env";
  CHECK(has(effects_of(call("do", base::json::Value{{"path", word}}.dump(), "other")),
            "read /w/.env (not understood) (a guess)"));
}

TEST_CASE("a declared path longer than any is refused") {
  const auto effects =
      effects_of(call("read_file", base::json::Value{{"path", repeated("a/", 100'000)}}.dump()));
  CHECK_FALSE(effects.back().refused.empty());
  CHECK(bytes_of(effects) < 100'000);
}

TEST_CASE("content written to many places is refused and not copied") {
  const std::string tools = "[tools.\"box/put\"]\nwrite = \"/to\"\ncontent = \"/text\"\n";
  base::json::Value to = base::json::Value::array();
  for (int i = 0; i < 400; ++i) to.push_back("f" + std::to_string(i));
  const auto effects = effects_of(
      call("put", base::json::Value{{"to", to}, {"text", repeated("x", 1u << 20)}}.dump(), "box"), tools);
  REQUIRE(effects.size() == 1);
  CHECK_FALSE(effects.front().refused.empty());
}
