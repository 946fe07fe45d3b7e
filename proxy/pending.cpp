#include "proxy/pending.hpp"

namespace proxy {

Pending::Added Pending::add(const std::string& id, PendingRequest request) {
  if (requests_.size() >= count_max_) return requests_.contains(id) ? Added::duplicate : Added::full;
  return requests_.try_emplace(id, std::move(request)).second ? Added::yes : Added::duplicate;
}

PendingRequest* Pending::find(const std::string& id) {
  const auto found = requests_.find(id);
  return found == requests_.end() ? nullptr : &found->second;
}

void Pending::remove(const std::string& id) { requests_.erase(id); }

std::vector<std::string> Pending::ids() const {
  std::vector<std::string> all;
  all.reserve(requests_.size());
  for (const auto& [id, request] : requests_) all.push_back(id);
  return all;
}

}  // namespace proxy
