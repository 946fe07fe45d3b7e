#pragma once
// The requests of one direction that wait for an answer, by id: `1` and `"1"` differ, `"é"` and `"\u00e9"` do
// not.

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "proxy/held_call.hpp"

namespace proxy {

struct PendingRequest {
  std::shared_ptr<HeldCall>
      call;  // null: a free request. Shared with the gate's coroutine, which may end first
  bool initialize = false;
  std::string id;  // as spelled
};

class Pending {
 public:
  explicit Pending(std::size_t count_max) : count_max_(count_max) {}

  enum class Added { yes, duplicate, full };
  Added add(const std::string& id, PendingRequest request);
  PendingRequest* find(const std::string& id);
  void remove(const std::string& id);
  std::vector<std::string> ids() const;  // as the requester spelled them
  std::size_t size() const { return requests_.size(); }

 private:
  std::size_t count_max_;
  std::unordered_map<std::string, PendingRequest> requests_;
};

}  // namespace proxy
