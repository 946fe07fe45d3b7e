#pragma once
// The answers to one batch, gathered. Each of its requests holds the batch for as long as it may be answered;
// when the last one lets go, what was gathered is sent as one line: answers of cancelled requests are missing
// from it, as they would be otherwise. Nothing gathered, nothing sent.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace proxy {

class Batch {
 public:
  // `send` must live as long as the batch. Of more than `bytes_max` bytes the answers are sent in several
  // lines.
  Batch(std::function<bool(std::string)> send, std::size_t bytes_max);
  ~Batch();
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;

  // One message, as a line without its newline.
  void add(std::string_view answer);

 private:
  void flush();

  std::function<bool(std::string)> send_;
  std::size_t bytes_max_;
  std::string gathered_;
};

}  // namespace proxy
