#pragma once
// Entries of programs from TOML: the tables `[commands.NAME]`, keys as the head of catalogue/commands.toml
// says.

#include <toml++/toml.h>

#include <optional>
#include <string>

#include "policy/command/entry.hpp"

namespace policy::command {

struct WrongEntry {
  const toml::node* node;
  std::string what;
};

// Adds to `entries`; `like` may name one of them or another of the table's. What is wrong, or nullopt: all is
// well.
std::optional<WrongEntry> parse_entries(const toml::table& commands, Entries& entries);

}  // namespace policy::command
