#pragma once
// A file system that a case or an example describes.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "policy/scene.hpp"

namespace policy {

// Links by path, nothing else exists: no directories, no hard links. `/dev/fd` leads to `/proc/self/fd` and
// `/proc/self/root` to `/` as on Linux, unless described otherwise.
class DescribedFiles final : public Links {
 public:
  // `folds`: folders of which all below is on volumes that fold case.
  explicit DescribedFiles(std::map<std::string, std::string> links = {}, std::vector<std::string> folds = {});
  std::optional<std::string> target(const std::string& path) const override;
  Standing standing(const std::string& path) const override;
  std::optional<std::vector<Entry>> entries(const std::string&, std::size_t) const override {
    return std::nullopt;
  }
  std::optional<std::string> text(const std::string&, std::size_t) const override { return std::nullopt; }
  bool folds_case(const std::string& path) const override;

 private:
  std::map<std::string, std::string> links_;
  std::vector<std::string> folds_;
};

}  // namespace policy
