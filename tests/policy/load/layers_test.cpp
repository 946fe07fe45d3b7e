#include "policy/load/layers.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

using namespace policy;
namespace fs = std::filesystem;

namespace {

struct Folder : TemporaryFolder {
  std::string path = TemporaryFolder::path().string();
  Folder() { fs::create_directories(path + "/w/.callgate"); }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path + "/" + name) << text;
  }
  LayerPlaces places() const {
    return {path + "/organisation.toml", path + "/user.toml", path + "/w", "", ""};
  }
};

const Trusted nobody = [](const base::Digest&) { return false; };

// Without the built-in layer.
std::vector<Source> read(const LayerPlaces& places, const Trusted& trusted = nobody) {
  std::vector<Source> sources = read_layers(places, trusted).value();
  std::erase_if(sources, [](const Source& source) { return source.layer == Layer::built_in; });
  return sources;
}

}  // namespace

TEST_CASE("layers that are not there are no layers") {
  const Folder folder;
  CHECK(read(folder.places()).empty());
  fs::remove_all(folder.path + "/w/.callgate");
  CHECK(read(folder.places()).empty());
}

TEST_CASE("each layer is read from its place, in order") {
  const Folder folder;
  folder.write("organisation.toml", "o");
  folder.write("user.toml", "u");
  folder.write("w/.callgate/policy.toml", "r");
  folder.write("mission.toml", "m");
  LayerPlaces places = folder.places();
  places.mission = folder.path + "/mission.toml";
  const auto sources = read(places);
  REQUIRE(sources.size() == 4);
  CHECK(sources[0].layer == Layer::organisation);
  CHECK(sources[1].bytes == "u");
  CHECK(sources[2].layer == Layer::repository);
  CHECK(sources[2].file == folder.path + "/w/.callgate/policy.toml");
  CHECK_FALSE(sources[2].trusted);
  CHECK(sources[3].layer == Layer::mission);
}

TEST_CASE("a repository is trusted by its exact bytes") {
  const Folder folder;
  folder.write("w/.callgate/policy.toml", "r");
  const Trusted these = [](const base::Digest& digest) { return digest == base::sha256("r"); };
  CHECK(read(folder.places(), these)[0].trusted);
  folder.write("w/.callgate/policy.toml", "r ");
  CHECK_FALSE(read(folder.places(), these)[0].trusted);
  CHECK_FALSE(read(folder.places(), Trusted())[0].trusted);
}

TEST_CASE("a layer that exists but cannot be read is an error") {
  const Folder folder;
  const auto fails = [&](const LayerPlaces& places) { return read_layers(places, nobody).has_error(); };
  fs::create_directory(folder.path + "/user.toml");
  CHECK(fails(folder.places()));
  fs::remove(folder.path + "/user.toml");
  CHECK_FALSE(fails(folder.places()));
  folder.write("organisation.toml", std::string((1 << 20) + 1, '#'));
  CHECK(fails(folder.places()));
  fs::remove(folder.path + "/organisation.toml");
  folder.write("w/.callgate/policy.toml", std::string((1 << 20) + 1, '#'));
  CHECK(fails(folder.places()));
}

TEST_CASE("a mission file that is not there is an error") {
  const Folder folder;
  LayerPlaces places = folder.places();
  places.mission = folder.path + "/none.toml";
  CHECK(read_layers(places, nobody).has_error());
}

TEST_CASE("the repository's policy is not followed through links") {
  const Folder folder;
  folder.write("outside.toml", "version = 1\n");
  fs::create_symlink(folder.path + "/outside.toml", folder.path + "/w/.callgate/policy.toml");
  auto file_link = read_layers(folder.places(), nobody);
  REQUIRE(file_link.has_error());
  CHECK(file_link.error().code() == base::Code::refused);
  fs::remove_all(folder.path + "/w/.callgate");
  fs::create_directory(folder.path + "/elsewhere");
  fs::create_directory_symlink(folder.path + "/elsewhere", folder.path + "/w/.callgate");
  auto folder_link = read_layers(folder.places(), nobody);
  REQUIRE(folder_link.has_error());
  CHECK(folder_link.error().code() == base::Code::refused);
}

TEST_CASE("the folders of policy and state are guarded where they really stand") {
  const Folder folder;
  fs::create_directory(folder.path + "/state");
  fs::create_directory_symlink(folder.path + "/state", folder.path + "/state-link");
  LayerPlaces places = folder.places();
  places.state_folder = folder.path + "/state-link";
  const auto sources = read_layers(places, nobody).value();
  REQUIRE(sources.size() == 1);
  CHECK(sources[0].layer == Layer::built_in);
  CHECK(sources[0].bytes.find(folder.path + "/state/**") != std::string::npos);
  CHECK(sources[0].bytes.find(folder.path + "/state-link/**") != std::string::npos);
  CHECK(Policy::load(sources, folder.path + "/w", folder.path).has_value());
}
