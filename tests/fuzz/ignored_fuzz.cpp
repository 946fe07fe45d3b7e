// A path, a line end, and a list of ignored names. Whatever it says, a line that takes everything in does.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "policy/path/ignored.hpp"
#include "policy/path/path.hpp"
#include "proxy/base/check.hpp"

namespace {

class OneFile final : public policy::Links {
 public:
  explicit OneFile(std::string text) : text_(std::move(text)) {}
  std::optional<std::string> target(const std::string&) const override { return std::nullopt; }
  Standing standing(const std::string&) const override { return {}; }
  std::optional<std::vector<Entry>> entries(const std::string&, std::size_t) const override {
    return std::nullopt;
  }
  std::optional<std::string> text(const std::string& path, std::size_t most) const override {
    if (path != "/w/.gitignore" || text_.size() > most) return std::nullopt;
    return text_;
  }
  bool folds_case(const std::string&) const override { return false; }

 private:
  const std::string text_;
};

bool ignored(const std::string& text, const std::string& path, bool directory) {
  const OneFile links(text);
  policy::Ignored names({.top = "/w", .known = true, .git = "/w/.git", .common = "/w/.git"}, "/w", links);
  names.enter("/w", {});
  return names.has(path, directory);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(input.find('\n'), input.size());
  const std::string path = policy::fold_path(input.substr(0, end), "/w");
  const std::string text(input.substr(std::min(end + 1, input.size())));
  for (const bool directory : {false, true}) {
    ignored(text, path, directory);
    const bool git = path == "/w/.git" || path.ends_with("/.git");
    CHECK(ignored(text + "\n!*\n", path, directory) == git);
    CHECK(ignored("", path, directory) == git);
  }
  return 0;
}
