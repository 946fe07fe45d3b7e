#include "policy/command/script_effects.hpp"

namespace policy::command {

bool reads_alike(std::string_view script) {
  for (std::size_t i = 0; i < script.size(); ++i) {
    const char c = script[i];
    if (c == '\0') return false;
    if (i == 0 || static_cast<unsigned char>(script[i - 1]) < 0x80) continue;
    if (c == '\\' || c == '[' || c == ']') return false;
  }
  return true;
}

}  // namespace policy::command
