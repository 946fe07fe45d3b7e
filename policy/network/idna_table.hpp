#pragma once
// What one character of a host name becomes before names are compared: an extract of IdnaMappingTable.txt
// (UTS #46, Unicode 17). In it are all characters that become ASCII letters, digits, `-` or `.` (full width,
// circled, mathematical, ideographic stops, …), those that vanish, and the cases of Latin, Greek, Cyrillic,
// Armenian, Georgian and Cherokee. What else becomes another character (Arabic and CJK compatibility forms,
// rare scripts) is not known here, so that a table of some hundred rows will do and no library is loaded.

#include <string_view>

namespace policy::network {

struct Mapping {
  enum class Kind {
    unknown,  // nobody can tell here
    becomes,  // `character`, perhaps itself
    spells,   // `text`
    dropped,
  };
  Kind kind = Kind::unknown;
  char32_t character = 0;
  std::string_view text = {};
};

// Of a character past U+007F.
Mapping mapping_of(char32_t character);

}  // namespace policy::network
