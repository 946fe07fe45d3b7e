#include "approvals/operator_key.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

using namespace approvals;
namespace files = std::filesystem;

namespace {

struct Folder : TemporaryFolder {
  std::string path = TemporaryFolder::path().string();
  std::string key() const { return path + "/keys/operator.key"; }
};

mode_t mode_of(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

}  // namespace

TEST_CASE("the first use makes a key that only its owner can read, and later uses find it") {
  const Folder folder;
  CHECK(load_key(folder.path).error().code() == base::Code::not_found);
  const auto made = load_or_create_key(folder.path);
  REQUIRE(made.has_value());
  CHECK(mode_of(folder.key()) == 0600);
  CHECK(mode_of(folder.path + "/keys") == 0700);
  CHECK(public_text(*load_key(folder.path)) == public_text(*made));
  CHECK(public_text(*load_or_create_key(folder.path)) == public_text(*made));
  CHECK(std::distance(files::directory_iterator(folder.path + "/keys"), files::directory_iterator{}) == 1);
}

TEST_CASE("of many first uses at once one makes the key and all get the same") {
  const Folder folder;
  std::vector<std::string> keys(16);
  std::vector<std::thread> threads;
  for (auto& key : keys)
    threads.emplace_back([&] {
      if (const auto made = load_or_create_key(folder.path)) key = public_text(*made);
    });
  for (auto& thread : threads) thread.join();
  for (const auto& key : keys) CHECK(key == keys.front());
  CHECK(keys.front().size() == 64);
}

TEST_CASE("a key that others can reach is refused") {
  const Folder folder;
  REQUIRE(load_or_create_key(folder.path).has_value());
  for (const mode_t mode : {0640, 0604, 0660, 0620}) {
    ::chmod(folder.key().c_str(), mode);
    CHECK(load_key(folder.path).error().code() == base::Code::refused);
    CHECK(load_or_create_key(folder.path).error().code() == base::Code::refused);
  }
  ::chmod(folder.key().c_str(), 0600);
  CHECK(load_key(folder.path).has_value());
  ::chmod((folder.path + "/keys").c_str(), 0750);
  CHECK(load_key(folder.path).error().code() == base::Code::refused);
}

TEST_CASE("a key that is a link, no file or no key is refused and not replaced") {
  const Folder folder;
  REQUIRE(load_or_create_key(folder.path).has_value());
  files::rename(folder.key(), folder.path + "/elsewhere");
  files::create_symlink(folder.path + "/elsewhere", folder.key());
  CHECK(load_or_create_key(folder.path).error().code() == base::Code::refused);
  files::remove(folder.key());
  ::mkfifo(folder.key().c_str(), 0600);
  CHECK(load_or_create_key(folder.path).error().code() == base::Code::refused);
  files::remove(folder.key());
  for (const std::string& text :
       {std::string(), std::string(64, 'a'), std::string(64, 'g') + "\n", std::string(66, 'a') + "\n"}) {
    std::ofstream(folder.key()) << text;
    ::chmod(folder.key().c_str(), 0600);
    CHECK(load_or_create_key(folder.path).error().code() == base::Code::invalid);
  }
}
