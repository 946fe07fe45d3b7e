#include "proxy/session/batch.hpp"

#include <exception>
#include <utility>

#include "proxy/setup/log.hpp"

namespace proxy {

Batch::Batch(std::function<bool(std::string)> send, BatchLimits limits)
    : send_(std::move(send)), limits_(std::move(limits)) {}

Batch::~Batch() {
  try {
    flush();
  } catch (const std::exception& error) {
    log_line(std::string("the answers to a batch were lost, since callgate failed: ") + error.what());
  }
}

void Batch::add(std::string_view answer) {
  if (!gathered_.empty() && gathered_.size() + answer.size() > limits_.bytes_max) flush();
  gathered_ += gathered_.empty() ? '[' : ',';
  gathered_ += answer;
  *limits_.all += answer.size();
  own_ += answer.size();
  if (*limits_.all > limits_.all_bytes_max) flush();
}

void Batch::flush() {
  *limits_.all -= std::exchange(own_, 0);
  if (gathered_.empty()) return;
  std::string line = std::exchange(gathered_, {});
  send_(std::move(line) + ']');
}

}  // namespace proxy
