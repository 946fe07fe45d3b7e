#pragma once
// What `Runs` knows of one program while it looks at its words.

#include <span>
#include <string>

#include "policy/command/runs.hpp"

namespace policy::command {

// One program that the catalogue lists, as `argv` looks at it.
struct Runs::Program {
  std::span<const Argument> words;
  const SortedWords& sorted;
  const Place& place;   // where it is started
  Place work;           // where it works
  bool transparent;     // an allow of what it wraps covers it
  std::string trouble;  // why not all of what it does is known
  bool covered = false;
};

}  // namespace policy::command
