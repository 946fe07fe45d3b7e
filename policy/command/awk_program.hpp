#pragma once
// Reads an awk program for what it does beside its input and output. Grammar: POSIX.1-2017 awk, and what gawk
// 5 and mawk 1.3.4 add to it. Pieces given by several options are one program, joined by newlines; whether
// the program is literal, and what `-v`, `-l`, `-i` and the operands do, is the caller's to know.

#include "policy/command/script_effects.hpp"

namespace policy::command {

// Files of `print > F`, `>> F`, `getline < F` and lines of `print | L`, `L | getline`, `|&`, `system(L)`
// where they are one string. Opaque: where they are computed, indirect calls and `@` of gawk, sockets,
// changes to ARGV or SYMTAB, to ENVIRON where it runs something, and what is not understood. Files that are
// descriptors
// (/dev/stdin, …) are none; `-` is one where it is written: mawk makes it.
ScriptEffects read_awk_program(std::string_view program);

}  // namespace policy::command
