#pragma once
// TOML that callgate writes for people to keep: strings, lists of them, comments.

#include <string>
#include <string_view>
#include <vector>

namespace proxy {

// A basic string. Bytes that are no UTF-8 become the characters of their numbers: nothing that matches.
std::string toml_string(std::string_view text);

// `KEY = ["a", "b"]` and a line end, over several lines where it is long.
std::string toml_list(std::string_view key, const std::vector<std::string>& texts);

// What nobody can end early: printable, on one line.
std::string in_comment(std::string_view text);

}  // namespace proxy
