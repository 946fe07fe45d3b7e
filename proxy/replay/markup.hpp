#pragma once
// Untrusted text in HTML and SVG: never anything but text. Pure.

#include <string>
#include <string_view>

namespace proxy::replay {

// Printable (base::printable), on one line, at most `bytes_max`, with & < > " ' as references: for text and
// for quoted attributes.
std::string escaped(std::string_view text, std::size_t bytes_max = 4096);
// The same line by line: line feeds stay.
std::string escaped_lines(std::string_view text, std::size_t bytes_max);

// The shape of a decision, as an icon, and its class: `allow`, `ask`, `deny`.
std::string decision_class(const std::string& decision);
std::string decision_icon(const std::string& decision);

}  // namespace proxy::replay
