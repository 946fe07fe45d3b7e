#pragma once
// Links as they were when one judgement first asked: many paths of a call have folders in common, and each
// question to a file system is a system call.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "policy/scene.hpp"

namespace policy {

inline constexpr std::size_t known_links_max = 10'000;   // past these each is asked for
inline constexpr std::size_t listed_after = 16;          // questions about what stands in one folder
inline constexpr std::size_t listed_entries_max = 1000;  // a larger folder is not listed

class KnownLinks final : public Links {
 public:
  // Borrows.
  explicit KnownLinks(const Links& links) : links_(links) {}

  std::optional<std::string> target(const std::string& path) const override;
  bool is_directory(const std::string& path) const override { return links_.is_directory(path); }
  std::optional<std::vector<Entry>> entries(const std::string& directory, std::size_t most) const override {
    return links_.entries(directory, most);
  }
  std::optional<std::string> text(const std::string& path, std::size_t most) const override {
    return links_.text(path, most);
  }
  unsigned hard_links(const std::string& path) const override { return links_.hard_links(path); }

 private:
  struct Folder {
    std::size_t asked = 0;
    std::optional<std::unordered_set<std::string>> links;  // what of it is a link, once it is listed
  };
  // Whether a list of its folder says so.
  bool no_link(const std::string& path) const;

  const Links& links_;
  mutable std::unordered_map<std::string, std::optional<std::string>> known_;
  mutable std::unordered_map<std::string, Folder> folders_;
};

}  // namespace policy
