#pragma once
// A table by text, which is looked up by a view.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

namespace base {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
};

template <class Value>
using ByText = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

}  // namespace base
