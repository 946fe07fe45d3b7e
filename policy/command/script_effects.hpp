#pragma once
// What a script of a small language does to files and commands, as far as its text says so: sed_script.hpp,
// awk_program.hpp.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace policy::command {

inline constexpr std::size_t script_bytes_max = 64u << 10;

struct ScriptEffects {
  std::vector<std::string> reads;   // file names as written
  std::vector<std::string> writes;  // the same
  std::vector<std::string>
      lines;           // shell lines it runs; what they read may be what the script writes to them
  std::string opaque;  // why what it does is not known; empty: the lists are all
  bool operator==(const ScriptEffects&) const = default;

  // The first reason stays.
  void hide(std::string_view why) {
    if (opaque.empty()) opaque = why;
  }
};

// Whether a program finds the same backslashes and brackets in these bytes in every locale: none stands where
// it could be the second half of a character (in GBK and Big5 they may be), and there is no NUL.
bool reads_alike(std::string_view script);

}  // namespace policy::command
