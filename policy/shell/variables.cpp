#include "policy/shell/variables.hpp"

#include <algorithm>
#include <array>

namespace policy::shell {

bool is_counter(std::string_view name) {
  constexpr std::array<std::string_view, 14> counters{
      "RANDOM", "SRANDOM", "SECONDS",       "LINENO",       "OPTIND",        "HISTCMD",          "UID",
      "EUID",   "BASHPID", "EPOCHREALTIME", "EPOCHSECONDS", "BASH_SUBSHELL", "BASH_MONOSECONDS", "PPID"};
  return std::find(counters.begin(), counters.end(), name) != counters.end();
}

bool is_list(std::string_view name) {
  constexpr std::array<std::string_view, 7> lists{"DIRSTACK", "FUNCNAME",  "GROUPS", "PIPESTATUS",
                                                  "MAPFILE",  "COMPREPLY", "COPROC"};
  return name.starts_with("BASH_") || std::find(lists.begin(), lists.end(), name) != lists.end();
}

}  // namespace policy::shell
