#pragma once
// Which characters of untrusted text may reach a terminal as they are. A list of what is known to be
// harmless: everything else is shown as a mark. Harmless is: takes a known number of cells, moves nothing,
// hides nothing, joins nothing, and runs from left to right (letters from right to left reorder their
// neighbours in some terminals).

namespace approvals {

// Cells on a terminal: 0 when it may not be shown as it is, else 1 or 2.
int cells_of(char32_t point);

bool latin_letter(char32_t point);
// A letter of a script that has letters like Latin ones (Greek, Cyrillic).
bool near_latin(char32_t point);
// A Greek or Cyrillic letter that looks like a Latin one.
bool looks_latin(char32_t point);
bool letter(char32_t point);

}  // namespace approvals
