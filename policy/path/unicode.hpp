#pragma once
// Names that look alike but are other bytes: some file systems and servers take them for the same.

#include <string_view>

namespace policy {

// Whether other bytes may spell the same text in Unicode (UAX #15): it holds a character that is not in NFC,
// or may combine with the one before. May say true wrongly; false only for text in NFC whose marks, if any,
// never combine. Bytes that are not UTF-8 have no other spelling.
bool may_be_respelled(std::string_view text);

// Whether letters beyond ASCII in it have a case, by blocks of scripts that have one: which of them a volume
// takes for one differs (`ſ` and `s`). May say true wrongly, never false.
bool may_be_recased(std::string_view text);

}  // namespace policy
