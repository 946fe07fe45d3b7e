#pragma once
// Methods of HTTP and what overrides them. They are case-sensitive tokens (RFC 9110, 9.1): `get` is not GET,
// but some client may make it so.

#include <string_view>

#include "policy/network/target.hpp"

namespace policy::network {

// A token of RFC 9110.
bool is_token(std::string_view text);

// As a call names it: the text itself and, trimmed, in upper case. No token: nobody agrees on it.
void read_method(std::string_view text, Target& target);

// `_method=DELETE` in a query, with its `?`.
void read_query_method(std::string_view query, Target& target);

}  // namespace policy::network
