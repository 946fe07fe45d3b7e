#pragma once
// Small file operations that fail closed.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "proxy/base/error.hpp"

namespace base {

// Owns one descriptor; -1 is none.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) reset(std::exchange(other.number_, -1));
    return *this;
  }
  ~Descriptor() { reset(); }
  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }
  void reset(int number = -1);
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

// Whole file, at most `bytes_max` (Code::limit beyond), Code::not_found when absent. Regular files only.
Result<std::string> read_file(const std::string& path, std::size_t bytes_max);

// Temporary file in the same folder, mode, fsync, rename.
Result<void> write_file(const std::string& path, std::string_view bytes, unsigned mode);

// mkdir -p with 0700 for what it makes.
Result<void> make_folders(const std::string& path);

// `count` bytes from the kernel's generator.
std::string random_bytes(std::size_t count);

}  // namespace base
