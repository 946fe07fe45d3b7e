#pragma once
// JSON numbers: what is one, whether a double holds it, and how ECMAScript prints it.

#include <string>

namespace base::json {

struct NumberScan {
  const char* end = nullptr;  // past the number; nullptr: not a number
  bool integer = false;       // no fraction and no exponent
  bool overflows = false;     // no finite double is near it
};

NumberScan scan_number(const char* from, const char* end);

// ECMA-262 Number::toString (shortest digits that read back the same), as RFC 8785 wants it. Finite only.
std::string number_text(double value);

}  // namespace base::json
