#include "policy/rule/match.hpp"

#include "policy/path/file_system.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

using namespace policy;

// Explaining tries patterns that it makes for that alone.
TEST_CASE("where a root really is stays known when the pattern that named it is gone") {
  const TemporaryFolder folder;
  const FileSystem files;
  const Anchors anchors;
  Roots roots(files, anchors);
  const std::string there = folder / "a-name-that-is-too-long-to-lie-within-the-string-itself";
  {
    const std::string gone = there;
    CHECK(roots.real(gone) == there);
  }
  const std::string other(there.size(), 'x');  // where it was
  CHECK(roots.real(there) == there);
  CHECK(roots.real("/" + other) == "/" + other);
}
