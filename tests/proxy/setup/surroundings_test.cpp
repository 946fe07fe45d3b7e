#include "proxy/setup/surroundings.hpp"

#include <algorithm>
#include <filesystem>
#include <vector>

#include "policy/path/file_system.hpp"
#include "proxy/setup/load_policy.hpp"
#include "tests/catch.hpp"
#include "tests/proxy/desk.hpp"

using proxy::find_surroundings;

TEST_CASE("the workspace is the git top level of the working directory, else that directory") {
  proxy_tests::Desk desk;
  desk.folder("repository/.git");
  desk.folder("repository/a/b");
  desk.folder("plain");
  desk.enter("repository/a/b");
  auto here = find_surroundings();
  REQUIRE(here.has_value());
  CHECK(here->directory == desk.path("repository/a/b"));
  CHECK(here->workspace == desk.path("repository"));
  desk.enter("plain");
  here = find_surroundings();
  REQUIRE(here.has_value());
  CHECK(here->workspace == desk.path("plain"));
}

TEST_CASE("a whole home folder is no workspace unless somebody says so") {
  proxy_tests::Desk desk;
  desk.folder("home/project");
  for (const std::string& folder : {desk.path("home"), desk.path(""), std::string("/")}) {
    INFO(folder);
    std::filesystem::current_path(folder);
    CHECK(proxy::find_surroundings().has_value());
    const auto none = proxy::find_workspace("");
    REQUIRE(none.has_error());
    CHECK(none.error().message().find("--workspace FOLDER") != std::string::npos);
    CHECK(proxy::find_workspace(folder).has_value());
  }
  desk.enter("home/project");
  CHECK(proxy::find_workspace("").has_value());
  // A home folder within a project is another matter; files of settings kept in git are not.
  desk.folder(".git");
  CHECK(proxy::find_workspace("").has_value());
  desk.folder("home/.git");
  CHECK(proxy::find_workspace("").has_error());
}

TEST_CASE("a named workspace is its real path, and one that does not exist is an error") {
  proxy_tests::Desk desk;
  desk.folder("real");
  desk.link("real", "linked");
  const auto here = find_surroundings(desk.path("linked"));
  REQUIRE(here.has_value());
  CHECK(here->workspace == desk.path("real"));
  const auto nowhere = find_surroundings(desk.path("nowhere"));
  REQUIRE(nowhere.has_error());
  CHECK(nowhere.error().code() == base::Code::not_found);
}

TEST_CASE("folders of configuration and state are XDG's where it names them absolutely, else below home") {
  proxy_tests::Desk desk;
  auto here = find_surroundings();
  REQUIRE(here.has_value());
  CHECK(here->home == desk.path("home"));
  CHECK(here->config_folder == desk.path("config/callgate"));
  CHECK(here->state_folder == desk.path("state/callgate"));
  desk.set("XDG_CONFIG_HOME", "relative");
  desk.set("XDG_STATE_HOME", "");
  here = find_surroundings();
  REQUIRE(here.has_value());
  CHECK(here->config_folder == desk.path("home/.config/callgate"));
  CHECK(here->state_folder == desk.path("home/.local/state/callgate"));
}

TEST_CASE("a policy file has the layer whose file it is, by whatever name it is given") {
  proxy_tests::Desk desk;
  desk.file("config/callgate/policy.toml", "");
  desk.folder("work/.callgate");
  desk.file("work/.callgate/policy.toml", "");
  desk.file("work/other.toml", "");
  const auto here = find_surroundings();
  REQUIRE(here.has_value());
  CHECK(proxy::layer_of(*here, "../config/callgate/policy.toml") == policy::Layer::user);
  CHECK(proxy::layer_of(*here, ".callgate/policy.toml") == policy::Layer::repository);
  CHECK(proxy::layer_of(*here, "other.toml") == policy::Layer::mission);
  CHECK(proxy::layer_of(*here, "absent.toml") == policy::Layer::mission);
}

TEST_CASE("the policy of a place is of all layers that stand there, and its scene is the place") {
  proxy_tests::Desk desk;
  desk.file("config/callgate/policy.toml", "version = 1\n[[allow]]\nid = \"mine\"\ntool = [\"echo\"]\n");
  desk.file("mission.toml", "version = 1\n[[deny]]\nid = \"here\"\ntool = [\"rm\"]\n");
  const auto here = find_surroundings();
  REQUIRE(here.has_value());
  const auto nobody = [](const base::Digest&) { return false; };
  const auto policy = proxy::load_policy(*here, desk.path("mission.toml"), nobody);
  REQUIRE(policy.has_value());
  std::vector<policy::Layer> layers;
  for (const auto& source : policy->sources()) layers.push_back(source.layer);
  CHECK(std::find(layers.begin(), layers.end(), policy::Layer::user) != layers.end());
  CHECK(std::find(layers.begin(), layers.end(), policy::Layer::mission) != layers.end());
  CHECK(proxy::load_policy(*here, desk.path("absent.toml"), nobody).has_error());

  const policy::FileSystem links;
  const policy::Scene scene = scene_of(*here, links);
  CHECK(scene.workspace == here->workspace);
  CHECK(scene.directory == here->directory);
  CHECK(scene.home == here->home);
  CHECK(scene.user == here->user);
  CHECK(scene.links == &links);
}
