#pragma once
// Headers that make a server or a proxy on the way take another host, path or method than the URL's: `Host`,
// `X-Forwarded-Host`, `Forwarded`, `X-Original-URL`, `X-Rewrite-URL`, `X-HTTP-Method-Override`, `Destination`
// (RFC 4918) and their kin. Names are compared without case, `_` is `-`.

#include <string_view>

#include "policy/network/target.hpp"

namespace policy::network {

bool may_lead_elsewhere(std::string_view name);

// `Name: value`: adds what follows to the readings of a target that has its URL's.
void read_header(std::string_view header, Target& target);

}  // namespace policy::network
