#pragma once
// Reads a sed script for what it does beside its input and output. Grammar: GNU sed 4.9, «sed scripts»; where
// the manual is silent, as that version behaves. Pieces given by several `-e` are one script, joined by
// newlines; whether the script is literal is the caller's to know.

#include "policy/command/script_effects.hpp"

namespace policy::command {

// `r`, `R`, `w`, `W` and the flag `w` of `s` name files to the end of their line; /dev/stdin, /dev/stdout and
// /dev/stderr are none. `e COMMAND` is a line; `e` alone and the flag `e` of `s` are opaque, and so is what
// sed would refuse or what this reader does not know.
ScriptEffects read_sed_script(std::string_view script);

}  // namespace policy::command
