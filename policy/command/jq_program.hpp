#pragma once
// What a jq program reads beside its input. jq 1.7 Manual, «Modules».

#include <string_view>

namespace policy::command {

// Whether it may take in other files by `import` or `include`, as far as text without a parser tells: the
// words outside of strings and comments, but `.include`.
bool jq_may_import(std::string_view program);

}  // namespace policy::command
