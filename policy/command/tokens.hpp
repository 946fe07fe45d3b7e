#pragma once
// Of a line that is not understood, every word that may be meant: for denies and asks.

#include <string>
#include <string_view>
#include <vector>

namespace policy::command {

std::vector<std::string> tokens_of(std::string_view line);

}  // namespace policy::command
