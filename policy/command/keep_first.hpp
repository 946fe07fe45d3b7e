#pragma once
// Of several reasons the first is told.

#include <string>
#include <utility>

namespace policy::command {

inline void keep_first(std::string& kept, std::string other) {
  if (kept.empty()) kept = std::move(other);
}

}  // namespace policy::command
