#pragma once
// Hands each new signed head to the anchors, on a thread of its own: no call waits for it. The newest counts:
// what a slow anchor misses, the next one covers.

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "proxy/anchors/anchor.hpp"

namespace proxy::anchors {

class Publisher {
 public:
  // An anchor that begins to fail, or works again (then `error` is null). Called on the publisher's thread.
  using Told = std::function<void(const Anchor& anchor, const base::Error* error)>;

  Publisher(std::vector<std::unique_ptr<Anchor>> anchors, Told told);
  // Publishes what was offered last, if that is not done yet; each anchor has its own limit.
  ~Publisher();

  // A signed note; never waits.
  void offer(const std::string& note);

 private:
  void run();
  void publish(const std::string& note);

  const Told told_;
  std::vector<std::unique_ptr<Anchor>> anchors_;
  std::vector<bool> failing_;  // by anchor
  std::mutex mutex_;           // the two below
  std::string next_;           // empty: nothing new
  bool stopping_ = false;
  std::condition_variable wake_;
  std::thread thread_;
};

}  // namespace proxy::anchors
