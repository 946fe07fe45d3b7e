#include "policy/command/jq_program.hpp"

#include <algorithm>

namespace policy::command {

namespace {

bool in_name(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

bool jq_may_import(std::string_view program) {
  for (std::size_t i = 0; i < program.size();) {
    if (program[i] == '#') {
      i = std::min(program.find('\n', i), program.size());
    } else if (program[i] == '"') {
      // What a string interpolates holds no directive: those stand at the beginning alone.
      for (++i; i < program.size() && program[i] != '"'; ++i)
        if (program[i] == '\\') ++i;
      i = std::min(i + 1, program.size());
    } else if (in_name(program[i])) {
      std::size_t end = i;
      while (end < program.size() && in_name(program[end])) ++end;
      const std::string_view word = program.substr(i, end - i);
      const bool field = i > 0 && (program[i - 1] == '.' || program[i - 1] == '$');
      if (!field && (word == "import" || word == "include")) return true;
      i = end;
    } else {
      ++i;
    }
  }
  return false;
}

}  // namespace policy::command
