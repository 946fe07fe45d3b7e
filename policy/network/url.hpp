#pragma once
// A URL as RFC 3986 reads it, and beside that as WHATWG's parser, curl, and looser ones do. Where they agree
// on the host there is one site and no doubt. In doubt are: control characters, blanks, backslashes, no
// scheme, slashes too few or too many after it, a user's name (its host is certain, but it is logged and
// leaks), an encoded or mapped host, an odd port. Pure; linear in the text.

#include <string_view>

#include "policy/network/target.hpp"

namespace policy::network {

// Adds to a target that is empty, or holds other readings.
void read_url(std::string_view url, Target& target);

// `host[:port]` as in a Host header; an empty scheme is not known.
void read_authority(std::string_view authority, const std::string& scheme, Target& target);

}  // namespace policy::network
