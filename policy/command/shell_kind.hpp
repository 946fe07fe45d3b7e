#pragma once
// Which shell reads a line.

namespace policy {

enum class Shell { sh, bash, zsh, none };  // none: the string is one program name
const char* name(Shell shell);

}  // namespace policy
