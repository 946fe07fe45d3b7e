#pragma once
// The host of a URL in its canonical form: lower case, A-labels, one final dot dropped; an address in its
// usual spelling (`10.0.0.1`, `[fd00::1]`).

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/network/address.hpp"

namespace policy::network {

struct Host {
  std::string name;  // empty: there is none
  std::optional<Address> address = {};
  bool operator==(const Host&) const = default;
};

struct HostReading {
  std::vector<Host> hosts;  // what some reader makes of it
  std::string doubt;        // why readers may differ; empty: all read the one host
  bool unknown = false;     // it may be any host
};

// `text` as it stands between `//` and the port or path, without a user's name.
HostReading read_host(std::string_view text);

// The same for a policy's text: one host without doubt, else nullopt.
std::optional<Host> plain_host(std::string_view text);

}  // namespace policy::network
