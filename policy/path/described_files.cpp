#include "policy/path/described_files.hpp"

#include <algorithm>

#include "policy/path/path.hpp"

namespace policy {

DescribedFiles::DescribedFiles(std::map<std::string, std::string> links, std::vector<std::string> folds)
    : links_(std::move(links)), folds_(std::move(folds)) {
  links_.emplace("/dev/fd", "/proc/self/fd");
  links_.emplace("/proc/self/root", "/");
}

std::optional<std::string> DescribedFiles::target(const std::string& path) const {
  const auto found = links_.find(path);
  return found == links_.end() ? std::nullopt : std::optional(found->second);
}

Links::Standing DescribedFiles::standing(const std::string& path) const {
  return links_.contains(path) ? Standing{Kind::link} : Standing();
}

bool DescribedFiles::folds_case(const std::string& path) const {
  return std::any_of(folds_.begin(), folds_.end(),
                     [&](const std::string& folder) { return same_or_below(path, folder); });
}

}  // namespace policy
