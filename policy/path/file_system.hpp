#pragma once
// The links, folders and volumes that are really there.

#include <optional>
#include <string>
#include <vector>

#include "policy/scene.hpp"

namespace policy {

class FileSystem final : public Links {
 public:
  std::optional<std::string> target(const std::string& path) const override;
  bool may_have_links(const std::string& path) const override;
  Standing standing(const std::string& path) const override;
  std::optional<std::vector<Entry>> entries(const std::string& directory, std::size_t most) const override;
  std::optional<std::string> text(const std::string& path, std::size_t most) const override;
  // Told by the kind of file system; of kinds that are either, by looking for a name that is there under
  // another spelling. Directories of ext4 and f2fs that were set to fold (`chattr +F`) are not seen.
  bool folds_case(const std::string& path) const override;
};

}  // namespace policy
