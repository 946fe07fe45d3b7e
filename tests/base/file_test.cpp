#include "proxy/base/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

namespace {

TEST_CASE("a file is written whole, with its mode, or not at all") {
  const TemporaryFolder folder;
  REQUIRE(base::write_file(folder / "a", "one", 0600).has_value());
  REQUIRE(base::write_file(folder / "a", "two", 0640).has_value());
  CHECK(base::read_file(folder / "a", 10).value() == "two");
  struct stat status {};
  REQUIRE(::stat((folder / "a").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0640);
  CHECK_FALSE(base::write_file(folder / "no/such/folder", "x", 0600).has_value());
}

TEST_CASE("only regular files of the size asked for are read") {
  const TemporaryFolder folder;
  REQUIRE(base::write_file(folder / "a", "12345", 0600).has_value());
  CHECK(base::read_file(folder / "a", 5).has_value());
  CHECK(base::read_file(folder / "a", 4).error().code() == base::Code::limit);
  CHECK(base::read_file(folder / "none", 4).error().code() == base::Code::not_found);
  CHECK_FALSE(base::read_file(folder.path().string(), 4).has_value());
  REQUIRE(::mkfifo((folder / "pipe").c_str(), 0600) == 0);
  CHECK_FALSE(base::read_file(folder / "pipe", 4).has_value());  // and nobody waits for its writer
}

TEST_CASE("folders are made with all above them, for their owner alone") {
  const TemporaryFolder folder;
  REQUIRE(base::make_folders(folder / "a/b/c").has_value());
  REQUIRE(base::make_folders(folder / "a/b/c").has_value());
  struct stat status {};
  REQUIRE(::stat((folder / "a/b").c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0700);
  REQUIRE(base::write_file(folder / "file", "", 0600).has_value());
  CHECK_FALSE(base::make_folders(folder / "file/below").has_value());
}

TEST_CASE("a descriptor is closed by its last owner") {
  int number = -1;
  {
    base::Descriptor first(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    number = first.get();
    const base::Descriptor second(std::move(first));
    CHECK(second.get() == number);
    CHECK(::fcntl(number, F_GETFD) != -1);
  }
  CHECK(::fcntl(number, F_GETFD) == -1);
}

}  // namespace
