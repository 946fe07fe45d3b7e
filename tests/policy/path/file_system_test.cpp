#include "policy/path/file_system.hpp"

#include <filesystem>
#include <fstream>

#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

using policy::FileSystem;

TEST_CASE("a volume that keeps case is told by what stands there or above", "[file_system]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "file") << "x";
  const FileSystem files;
  for (const char* name : {"file", "FILE", "not/yet/there", "file/below"}) {
    CAPTURE(name);
    CHECK_FALSE(files.folds_case(folder / name));
  }
  CHECK_FALSE(files.folds_case("/"));
  CHECK_FALSE(files.folds_case("/proc/self"));
}
