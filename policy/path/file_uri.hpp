#pragma once
// `file:` addresses as servers of many kinds read them: by the standards, by cutting text off the front, with
// or without decoding, with or without cutting `?` and `#`. No two agree, so every reading counts. Pure.

#include <functional>
#include <string>
#include <string_view>

namespace policy {

// Without control characters, and without the blanks at both ends (Unicode's too): what URL parsers and
// `trim` leave. Equal to `text`: nothing stood there that a parser would drop.
std::string cleaned_address(std::string_view text);

// `file:` in any case, at the very start.
bool is_file_uri(std::string_view text);
// Where `file:` in any case stands anywhere, as in `url:file:///x`; npos: nowhere.
std::size_t find_file_scheme(std::string_view text);
// `[A-Za-z][A-Za-z0-9+.-]*`
bool is_scheme(std::string_view text);

std::string percent_decoded(std::string_view text);

// Hands over each path that the address (see is_file_uri) may name, one at a time and perhaps twice; relative
// ones start at the server's directory. False: not this host's, or no absolute path, so nobody can tell what
// is opened.
bool each_file_path(std::string_view uri, const std::function<void(std::string)>& take);

}  // namespace policy
