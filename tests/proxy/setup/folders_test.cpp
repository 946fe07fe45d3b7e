#include "proxy/setup/folders.hpp"

#include <algorithm>
#include <map>

#include "policy/catalogue/catalogue.hpp"
#include "policy/review/cases.hpp"
#include "tests/catch.hpp"
#include "transports/limits.hpp"

namespace {

using Folders = std::vector<std::string>;

const policy::DescribedFiles no_links(std::map<std::string, std::string>{});

policy::Scene scene() {
  policy::Scene scene;
  scene.workspace = scene.directory = "/w";
  scene.home = "/home/dev";
  scene.user = "dev";
  scene.links = &no_links;
  return scene;
}

Folders from_roots(const std::string& result) {
  auto answer = transports::parse(R"({"jsonrpc":"2.0","id":1,)" + result + "}", transports::Limits{});
  REQUIRE(static_cast<bool>(answer));
  return proxy::folders_of_roots(answer.message(), scene());
}

}  // namespace

TEST_CASE("the folders of a file server are the words after its package") {
  const auto identity = policy::identify(
      {"npx", "-y", "@modelcontextprotocol/server-filesystem@2026.8.31", ".", "/data", "--flag"}, "");
  CHECK(identity.arguments == Folders{".", "/data", "--flag"});
  CHECK(proxy::folders_of_arguments(identity.arguments, scene()) == Folders{"/w", "/data"});
}

TEST_CASE("only a server that has roots starts a path in another folder than its own") {
  const auto folders = [](const std::vector<std::string>& command) {
    return proxy::folders_of_server(policy::identify(command, ""), scene());
  };
  CHECK(folders({"mcp-server-filesystem", "/data"}) == Folders{"/data"});
  CHECK_FALSE(folders({"workshop", "/data"}).has_value());
  CHECK_FALSE(folders({"other", "/data"}).has_value());
}

TEST_CASE("roots of the agent are folders; what cannot be understood may start anywhere") {
  const auto includes = [](const Folders& folders, const std::string& folder) {
    return std::find(folders.begin(), folders.end(), folder) != folders.end();
  };
  CHECK(includes(from_roots(R"("result":{"roots":[{"uri":"file:///home/dev"}]})"), "/home/dev"));
  CHECK(includes(from_roots(R"("result":{"roots":[{"uri":"file:///home/%64ev"}]})"), "/home/dev"));
  const auto several = from_roots(R"("result":{"roots":[{"uri":"/data"},{"uri":"~/x","name":"x"}]})");
  CHECK(includes(several, "/data"));
  CHECK(includes(several, "/home/dev/x"));
  CHECK(from_roots(R"("result":{"roots":[]})").empty());
  CHECK(from_roots(R"("error":{"code":-32601,"message":"no"})").empty());
  for (const char* odd : {R"("result":{})", R"("result":[])", R"("result":{"roots":{}})",
                          R"("result":{"roots":[1]})", R"("result":{"roots":[{"uri":1}]})"})
    CHECK(from_roots(odd) == Folders{"/"});
}
