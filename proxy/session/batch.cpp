#include "proxy/session/batch.hpp"

#include <exception>
#include <utility>

#include "proxy/log.hpp"

namespace proxy {

Batch::Batch(std::function<bool(std::string)> send, std::size_t bytes_max)
    : send_(std::move(send)), bytes_max_(bytes_max) {}

Batch::~Batch() {
  try {
    flush();
  } catch (const std::exception& error) {
    log_line(std::string("the answers to a batch were lost, since callgate failed: ") + error.what());
  }
}

void Batch::add(std::string_view answer) {
  if (!gathered_.empty() && gathered_.size() + answer.size() > bytes_max_) flush();
  gathered_ += gathered_.empty() ? '[' : ',';
  gathered_ += answer;
}

void Batch::flush() {
  if (gathered_.empty()) return;
  std::string line = std::exchange(gathered_, {});
  send_(std::move(line) + ']');
}

}  // namespace proxy
