#include "proxy/anchors/publisher.hpp"

#include <utility>

namespace proxy::anchors {

Publisher::Publisher(std::vector<std::unique_ptr<Anchor>> anchors, Told told)
    : told_(std::move(told)), anchors_(std::move(anchors)), failing_(anchors_.size()) {
  if (!anchors_.empty()) thread_ = std::thread([this] { run(); });
}

Publisher::~Publisher() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Publisher::offer(const std::string& note) {
  {
    const std::lock_guard lock(mutex_);
    next_ = note;
  }
  wake_.notify_one();
}

void Publisher::run() {
  for (;;) {
    std::string note;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stopping_ || !next_.empty(); });
      if (next_.empty()) return;
      note = std::exchange(next_, {});
    }
    publish(note);
  }
}

void Publisher::publish(const std::string& note) {
  for (std::size_t i = 0; i < anchors_.size(); ++i) {
    const auto published = anchors_[i]->publish(note);
    if (failing_[i] == published.has_error()) continue;
    failing_[i] = published.has_error();
    const base::Error error = published ? base::Error() : published.error();
    if (told_) told_(*anchors_[i], published ? nullptr : &error);
  }
}

}  // namespace proxy::anchors
