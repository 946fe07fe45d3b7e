#pragma once
// Entries of programs from TOML: the tables `[commands.NAME]`, keys as the head of catalogue/commands.toml
// says.

#include <toml++/toml.h>

#include <map>
#include <string>

#include "policy/command/entry.hpp"
#include "proxy/base/error.hpp"

namespace policy::command {

using Entries = std::map<std::string, Entry, std::less<>>;

// Adds to `entries`; `like` may name one of them or another of the table's. Error: which key is wrong, its
// place `line:column`.
base::Result<void> parse_entries(const toml::table& commands, Entries& entries);

}  // namespace policy::command
