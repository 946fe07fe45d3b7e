#pragma once
// A host name beyond ASCII as the A-labels that are looked up (UTS #46 with Punycode, RFC 3492). In house,
// not libidn2: that library and libunistring add 2 MB and a millisecond to every start, for names that a
// policy about tools hardly ever holds; and what it maps silently is here a doubt that an allow must not
// overlook.

#include <string>
#include <string_view>
#include <vector>

namespace policy::network {

struct NameReading {
  std::vector<std::string> names;  // lower case, ASCII; more than one where the standards differ (`ß`)
  bool agreed = true;              // false: a character was mapped to ASCII, dropped or read in two ways
  bool unknown = false;  // no reading: no UTF-8, or a character that is mapped in a way not known here
};

NameReading read_name(std::string_view utf8);

// One label, without `xn--`.
std::string punycode(std::u32string_view label);

}  // namespace policy::network
