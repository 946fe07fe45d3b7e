#pragma once
// What characters are to a shell, whatever the locale.

namespace policy::shell {

inline bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
inline bool digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace policy::shell
