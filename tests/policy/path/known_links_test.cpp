#include "policy/path/known_links.hpp"

#include <algorithm>
#include <map>

#include "tests/catch.hpp"

using namespace policy;

namespace {

// Counts what it is asked.
class Counted final : public Links {
 public:
  std::map<std::string, std::string> links;
  bool lists = true;
  bool tells = false;  // of a whole path at once
  mutable std::size_t targets = 0;
  mutable std::size_t paths = 0;
  mutable std::size_t listings = 0;
  mutable std::size_t looks = 0;
  mutable std::size_t volumes = 0;

  std::optional<std::string> target(const std::string& path) const override {
    ++targets;
    const auto found = links.find(path);
    return found == links.end() ? std::nullopt : std::optional(found->second);
  }
  bool may_have_links(const std::string& path) const override {
    ++paths;
    return !tells || std::any_of(links.begin(), links.end(), [&](const auto& link) {
      return path == link.first || path.starts_with(link.first + '/');
    });
  }
  Standing standing(const std::string& path) const override {
    ++looks;
    return links.contains(path) ? Standing{Kind::link} : Standing();
  }
  std::optional<std::vector<Entry>> entries(const std::string& directory, std::size_t) const override {
    ++listings;
    if (!lists) return std::nullopt;
    std::vector<Entry> entries{{"file", Kind::file}};
    for (const auto& [path, target] : links)
      if (path.starts_with(directory == "/" ? "/" : directory + "/"))
        entries.push_back({path.substr(path.rfind('/') + 1), Kind::link});
    return entries;
  }
  std::optional<std::string> text(const std::string&, std::size_t) const override { return std::nullopt; }
  bool folds_case(const std::string&) const override {
    ++volumes;
    return false;
  }
};

}  // namespace

TEST_CASE("one link is asked for once, also where there is none") {
  Counted files;
  files.links = {{"/w/l", "/x"}};
  const KnownLinks known(files);
  for (int i = 0; i < 3; ++i) {
    CHECK(known.target("/w/l") == "/x");
    CHECK(known.target("/w/a") == std::nullopt);
  }
  CHECK(files.looks == 2);
  CHECK(files.targets == 1);
}

TEST_CASE("what stands at a path, and how its volume takes names, is asked for once") {
  Counted files;
  const KnownLinks known(files);
  for (int i = 0; i < 3; ++i)
    for (const std::string path : {"/w/a", "/w/b"}) {
      CHECK_FALSE(known.is_directory(path));
      CHECK(known.hard_links(path) == 0);
      CHECK_FALSE(known.folds_case(path));
    }
  CHECK(files.looks == 2);
  CHECK(files.volumes == 1);  // names in one folder are on its volume
}

TEST_CASE("a link is what it was when it was first asked for") {
  Counted files;
  files.links = {{"/w/l", "/x"}};
  const KnownLinks known(files);
  CHECK(known.target("/w/l") == "/x");
  files.links["/w/l"] = "/y";
  CHECK(known.target("/w/l") == "/x");
}

TEST_CASE("a folder is listed once many of its names are asked for, and its links are still found") {
  for (const std::string folder : {"/w", ""}) {
    Counted files;
    files.links = {{folder + "/n90", "/x"}};
    const KnownLinks known(files);
    for (int i = 0; i < 100; ++i)
      CHECK(known.target(folder + "/n" + std::to_string(i)).has_value() == (i == 90));
    CHECK(files.listings == 1);
    CHECK(files.looks == listed_after);
  }
}

TEST_CASE("a folder that cannot be listed is asked name by name") {
  Counted files;
  files.lists = false;
  files.links = {{"/w/n90", "/x"}};
  const KnownLinks known(files);
  for (int i = 0; i < 100; ++i) CHECK(known.target("/w/n" + std::to_string(i)).has_value() == (i == 90));
  CHECK(files.listings == 1);
  CHECK(files.looks == 100);
}

TEST_CASE(
    "what stands above a path without links is known to be none, and what stands beside it is one question") {
  Counted files;
  files.tells = true;
  const KnownLinks known(files);
  CHECK_FALSE(known.may_have_links("/w/src/a"));
  files.links = {{"/w", "/x"}, {"/w/src", "/x"}, {"/w/src/a", "/x"}};
  for (const char* path : {"/w", "/w/src", "/w/src/a"}) CHECK(known.target(path) == std::nullopt);
  CHECK_FALSE(known.may_have_links("/w/src/b"));
  CHECK_FALSE(known.may_have_links("/w/c"));
  CHECK(files.paths == 1);
  CHECK(files.looks == 2);
}

TEST_CASE("once there is a link every name is asked for") {
  Counted files;
  files.tells = true;
  files.links = {{"/w/l", "/x"}};
  const KnownLinks known(files);
  CHECK_FALSE(known.may_have_links("/w/a"));
  CHECK(known.may_have_links("/w/l"));
  CHECK(known.target("/w/l") == "/x");
  files.links.clear();
  CHECK(known.may_have_links("/w/l/b"));
  CHECK(known.may_have_links("/v"));
  CHECK(known.target("/w/l") == "/x");
}
