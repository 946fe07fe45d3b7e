#pragma once
// CHECK(condition): our own invariant. Stays on in release; a failure prints the place and aborts.

namespace base {
[[noreturn]] void check_failed(const char* condition, const char* file, int line);
}  // namespace base

#define CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::base::check_failed(#condition, __FILE__, __LINE__))
