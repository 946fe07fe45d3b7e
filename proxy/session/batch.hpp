#pragma once
// The answers to one batch, gathered. Each of its requests holds the batch for as long as it may be answered;
// when the last one lets go, what was gathered is sent as one line: answers of cancelled requests are missing
// from it, as they would be otherwise. Nothing gathered, nothing sent.

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace proxy {

// Past either limit the answers are sent in several lines.
struct BatchLimits {
  std::size_t bytes_max;
  std::size_t all_bytes_max;         // of all batches together
  std::shared_ptr<std::size_t> all;  // … gathered so far, never null
};

class Batch {
 public:
  // `send` must live as long as the batch.
  Batch(std::function<bool(std::string)> send, BatchLimits limits);
  ~Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  // One message, as a line without its newline.
  void add(std::string_view answer);

 private:
  void flush();

  std::function<bool(std::string)> send_;
  BatchLimits limits_;
  std::string gathered_;
  std::size_t own_ = 0;  // bytes of the answers in it
};

}  // namespace proxy
