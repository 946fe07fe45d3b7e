#include "policy/command/role.hpp"

#include <array>

namespace policy::command {

namespace {

// In the order of the enumeration.
constexpr std::array<const char*, 55> names{
    "text",    "read",    "write",     "delete",    "connect",  "remote", "host",     "directory",
    "command", "exec",    "line",      "rest_line", "script",   "sed",    "awk",      "opaque",
    "below",   "whole",   "recursive", "skips",     "guess",    "points", "method",   "header",
    "jq",      "package", "target",    "choices",   "stripped", "listed", "outputs",  "named_data",
    "data",    "pair",    "suffix",    "outside",   "setting",  "tree",   "pathspec", "labelled",
    "bare",    "tracked", "added",     "top",       "spelled",  "idle",   "kept",     "keeps_more",
    "dropped", "file",    "visible",   "shows",     "followed", "brings", "replaces"};
static_assert(static_cast<std::size_t>(Role::replaces) + 1 == names.size());

}  // namespace

const char* name(Role role) { return names[static_cast<std::size_t>(role)]; }

std::optional<Role> role_named(std::string_view text) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (text == names[i]) return static_cast<Role>(i);
  return std::nullopt;
}

}  // namespace policy::command
