#pragma once
// The requests of one direction that wait for an answer, by id: `1` and `"1"` differ, `"é"` and `"\u00e9"` do
// not.

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "proxy/call/call.hpp"
#include "proxy/session/batch.hpp"

namespace proxy {

struct Request {
  std::shared_ptr<Call> call;  // null: a free request. Shared with the gate's coroutine, which may end first
  enum class Asks { other, handshake, roots };
  Asks asks = Asks::other;  // of a free request: what its answer will tell us
  std::shared_ptr<Batch> batch =
      nullptr;     // that it came in; null: alone. Shared with the others of the batch
  std::string id;  // as spelled
};

class Requests {
 public:
  explicit Requests(std::size_t count_max) : count_max_(count_max) {}

  enum class Added { yes, duplicate, full };
  Added add(const std::string& id, Request request);
  Request* find(const std::string& id);
  void remove(const std::string& id);
  std::vector<std::string> ids() const;  // as the requester spelled them
  std::size_t size() const { return requests_.size(); }

 private:
  std::size_t count_max_;
  std::unordered_map<std::string, Request> requests_;
};

}  // namespace proxy
