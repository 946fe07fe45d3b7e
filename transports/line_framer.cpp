#include "transports/line_framer.hpp"

#include <cstring>
#include <utility>

namespace transports {
namespace {

bool blank(std::string_view line) { return line.find_first_not_of(" \t\r") == std::string_view::npos; }

}  // namespace

LineFramer::LineFramer(std::size_t line_bytes_max) : line_bytes_max_(line_bytes_max) {}

Refusal LineFramer::oversize() const {
  return skimmer_->refusal(
      -32600,
      base::Error(base::Code::limit, "a message of more than " + std::to_string(line_bytes_max_) + " bytes"));
}

void LineFramer::push(std::string_view bytes) {
  if (skimmer_ && !oversize_ended_) {
    const std::size_t newline = bytes.find('\n');
    skimmer_->push(bytes.substr(0, newline));
    if (newline == std::string_view::npos) return;
    oversize_ended_ = true;
    bytes.remove_prefix(newline + 1);
  }
  if (start_ == buffer_.size()) {
    buffer_.clear();
    start_ = searched_ = 0;
  } else if (start_ > buffer_.size() / 2) {
    buffer_.erase(0, start_);  // moves less than was consumed since the last time
    searched_ -= start_;
    start_ = 0;
  }
  buffer_.append(bytes);
}

std::optional<LineFramer::Line> LineFramer::next() {
  for (;;) {
    if (skimmer_) {
      if (!oversize_ended_) return std::nullopt;
      Line line{{}, oversize()};
      skimmer_.reset();
      return line;
    }
    const std::size_t newline = buffer_.find('\n', searched_);
    const std::size_t size = (newline == std::string::npos ? buffer_.size() : newline) - start_;
    if (size > line_bytes_max_) {
      skim(newline);
      continue;
    }
    if (newline == std::string::npos) {
      searched_ = buffer_.size();
      return std::nullopt;
    }
    Line line{take(newline), std::nullopt};
    if (!blank(line.bytes)) return line;
  }
}

void LineFramer::skim(std::size_t newline) {
  skimmer_.emplace();
  oversize_ended_ = newline != std::string::npos;
  const std::size_t end = oversize_ended_ ? newline : buffer_.size();
  skimmer_->push(std::string_view(buffer_).substr(start_, end - start_));
  if (oversize_ended_) {
    start_ = searched_ = newline + 1;
  } else {
    buffer_ = {};  // gives the memory back
    start_ = searched_ = 0;
  }
}

// The line that ends at `newline`, moved out where it is the larger part of the buffer.
std::string LineFramer::take(std::size_t newline) {
  const std::size_t rest = buffer_.size() - newline - 1;
  if (start_ == 0 && rest <= newline && newline >= moved_bytes_min) {
    std::string tail = buffer_.substr(newline + 1);
    std::string line = std::exchange(buffer_, std::move(tail));
    line.resize(newline);
    searched_ = 0;
    return line;
  }
  std::string line = buffer_.substr(start_, newline - start_);
  start_ = searched_ = newline + 1;
  return line;
}

bool LineFramer::unfinished() const {
  if (skimmer_) return !oversize_ended_;
  return !blank(std::string_view(buffer_).substr(start_));
}

}  // namespace transports
