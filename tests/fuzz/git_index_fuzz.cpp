// Any bytes as an index of git: what is told are names below the top, within the limits; without its last
// byte it tells nothing else.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "policy/path/git_index.hpp"
#include "policy/path/path.hpp"
#include "proxy/base/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto names = policy::read_git_index(bytes);
  if (!names) return 0;
  CHECK(names->size() <= policy::index_names_max);
  std::size_t text = 0;
  for (const std::string& name : *names) {
    text += name.size();
    CHECK(!name.empty() && policy::fold_path(name, "/w") == "/w/" + name);
  }
  CHECK(text <= policy::index_text_max);
  const auto shorter = policy::read_git_index(bytes.substr(0, bytes.size() - 1));
  CHECK(!shorter || *shorter == *names);
  return 0;
}
