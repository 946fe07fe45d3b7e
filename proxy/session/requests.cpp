#include "proxy/session/requests.hpp"

#include <utility>

#include "transports/id.hpp"

namespace proxy {

Requests::Added Requests::add(const std::string& id, Request request) {
  const std::string key = transports::id_key(id);
  if (requests_.contains(key)) return Added::duplicate;
  if (requests_.size() >= count_max_) return Added::full;
  request.id = id;
  requests_.emplace(key, std::move(request));
  return Added::yes;
}

Request* Requests::find(const std::string& id) {
  if (!transports::usable_id(id)) return nullptr;
  const auto found = requests_.find(transports::id_key(id));
  return found == requests_.end() ? nullptr : &found->second;
}

void Requests::remove(const std::string& id) { requests_.erase(transports::id_key(id)); }

std::vector<std::string> Requests::ids() const {
  std::vector<std::string> all;
  all.reserve(requests_.size());
  for (const auto& [key, request] : requests_) all.push_back(request.id);
  return all;
}

}  // namespace proxy
