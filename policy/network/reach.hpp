#pragma once
// How far a destination lies, as the names `@loopback`, `@link-local` and `@private` say. Source: the IANA
// IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890, RFC 8190) and Special-Use Domain Names
// (RFC 6761); of IPv6, all outside 2000::/3 is private. An IPv6 address that carries IPv4 lies where that
// does. To them is added what clouds put at addresses and names of their own (`168.63.129.16`,
// `metadata.google.internal`).

#include <string_view>

#include "policy/network/address.hpp"

namespace policy::network {

enum class Reach { loopback, link_local, private_use };

// loopback and link_local are private_use, too.
bool lies_in(const Address& address, Reach reach);

// `localhost` and all below it is loopback, to every reader.
bool is_localhost(std::string_view name);
// Whether a name may lie there: the machine's usual names of itself, domains that exist on private networks
// only, a name without a dot (the network's search list completes it), services that answer with the address
// in the name (`10.0.0.1.nip.io`). For a deny or ask.
bool may_lie_in(std::string_view name, Reach reach);

}  // namespace policy::network
