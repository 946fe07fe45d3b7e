#include "proxy/base/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace base {

void check_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "callgate: bug: `%s` does not hold (%s:%d)\n", condition, file, line);
  std::abort();
}

}  // namespace base
