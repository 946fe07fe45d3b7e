#include "proxy/base/key_file.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

namespace {

namespace fs = std::filesystem;

base::KeyFile file_in(const TemporaryFolder& folder) { return {folder / "keys", "a.key", "the key"}; }

}  // namespace

TEST_CASE("a key is made once, for its owner alone, and everybody gets the same", "[key_file]") {
  const TemporaryFolder folder;
  const base::KeyFile file = file_in(folder);
  CHECK(file.load().error().code() == base::Code::not_found);
  CHECK(file.load_or_create(std::string(32, 'a')).value() == std::string(32, 'a'));
  CHECK(file.load_or_create(std::string(32, 'b')).value() == std::string(32, 'a'));
  struct stat status {};
  REQUIRE(::stat(file.path().c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  REQUIRE(::stat((folder / "keys").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0700);
  CHECK(std::distance(fs::directory_iterator(folder / "keys"), {}) == 1);
}

TEST_CASE("a key that others may have read, a link, and what is no key are refused", "[key_file]") {
  const TemporaryFolder folder;
  const base::KeyFile file = file_in(folder);
  REQUIRE(file.load_or_create(std::string(32, 'a')).has_value());
  ::chmod(file.path().c_str(), 0640);
  CHECK(file.load().error().code() == base::Code::refused);
  ::chmod(file.path().c_str(), 0600);
  ::chmod((folder / "keys").c_str(), 0750);
  CHECK(file.load().error().code() == base::Code::refused);
  ::chmod((folder / "keys").c_str(), 0700);
  CHECK(file.load().has_value());
  fs::rename(file.path(), folder / "elsewhere");
  fs::create_symlink(folder / "elsewhere", file.path());
  CHECK(file.load().error().code() == base::Code::refused);
  fs::remove(file.path());
  const std::vector<std::string> texts{std::string(64, 'a'), std::string(63, 'a') + "\n",
                                       std::string(64, 'A') + "\n", std::string(65, 'a') + "\n",
                                       std::string()};
  for (const std::string& text : texts) {
    std::ofstream(file.path()) << text;
    ::chmod(file.path().c_str(), 0600);
    CHECK(file.load().error().code() == base::Code::invalid);
  }
}

TEST_CASE("a key takes the place of another", "[key_file]") {
  const TemporaryFolder folder;
  const base::KeyFile file = file_in(folder), next = file.named("next.key");
  REQUIRE(file.load_or_create(std::string(32, 'a')).has_value());
  REQUIRE(next.replace(std::string(32, 'b')).has_value());
  REQUIRE(next.rename_to(file).has_value());
  CHECK(file.load().value() == std::string(32, 'b'));
  CHECK(next.load().error().code() == base::Code::not_found);
}
