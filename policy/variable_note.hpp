#pragma once
// The `note` of a command that is opaque since a variable is set for it: those who say what would mend that
// find the variable in it.

#include <string>
#include <string_view>

namespace policy {

std::string variable_note(std::string_view variable);
// The variable, quoted; empty: it is another note.
std::string variable_of(std::string_view note);

}  // namespace policy
