#pragma once
// How what agents and servers wrote is shown to an operator who is to answer it (what is only listed or
// logged is base::printable). Whatever the bytes are, what render() and render_json() give
// - holds no control character, escape sequence, bidirectional control, invisible or joining character, no
// letter that runs from
//   right to left, and no Greek or Cyrillic letter in a word where it would pass for a Latin one: each is
//   shown as a mark, ⟨ESC⟩ or ⟨U+202E⟩, and so are the brackets of marks themselves, so that a mark cannot be
//   imitated; bytes that are no UTF-8 are ⟨0xFF⟩;
// - has a gutter before each line, so that it cannot imitate what callgate says itself;
// - is no wider than asked (and width_min) and complete: long lines go on in the next, with another gutter.
// render_inline() gives the same without gutters, and cut where it says so.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace approvals {

struct RenderOptions {
  std::size_t width = 80;  // cells of a line, gutter included; at least width_min
};
inline constexpr std::size_t width_min = 24;

inline constexpr std::string_view gutter = "│ ";       // starts a line of the text
inline constexpr std::string_view gutter_more = "┆ ";  // goes on with the line above

struct Rendered {
  std::vector<std::string> lines;  // without line ends
  std::size_t marks = 0;           // characters that were not shown as they are
};

// Any bytes. A line feed starts a new line; a last one is not an empty line more.
Rendered render(std::string_view text, const RenderOptions& options = {});

// JSON laid out for reading (pretty.hpp), then rendered. What pretty() cannot lay out is rendered as it is.
Rendered render_json(std::string_view json, const RenderOptions& options = {});

// In the middle of a line of our own: one line, in quotes « », line feeds as marks. Longer than
// `characters_max` characters it is cut and says so: «abc» … 120 more characters.
std::string render_inline(std::string_view text, std::size_t characters_max = 160);

}  // namespace approvals
