#pragma once
// What reads as text in bytes.

#include <string>
#include <string_view>

namespace policy::detect {

// Onto `out`, each on a line of its own: all of the bytes where they are text in UTF-8, and where they are
// not, the characters of UTF-16 in either order, if that is what they are, and runs of at least 8 printable
// characters of ASCII, of one byte or of two. Whether they are text in UTF-8. Linear.
bool add_readable(std::string_view bytes, std::string& out);

}  // namespace policy::detect
