#pragma once
// IP addresses in every spelling that inet_aton and inet_pton take, and ranges of them (RFC 4632, 4291).

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace policy::network {

// The four bytes of IPv4 stand first; the others are zero then.
struct Address {
  std::array<std::uint8_t, 16> bytes{};
  bool six = false;
  bool operator==(const Address&) const = default;
};

Address address4(std::uint32_t number);
// `10.0.0.1`, `fd00::1` (RFC 5952, without brackets).
std::string text_of(const Address& address);

// Four plain decimal numbers: the one spelling that all readers share.
std::optional<Address> read_quad(std::string_view text);
// Without brackets and zone.
std::optional<Address> read_address6(std::string_view text);
// One to four numbers, decimal, octal (`0177`) or hexadecimal (`0x7f`), the last of which fills what is left:
// what inet_aton makes of it; if some number starts with 0, what readers without octal make of it, too.
// Empty: no address.
std::vector<Address> read_loose_quad(std::string_view text);
// Whether a resolver may take the name for an address: its last label is a number (WHATWG URL, 3.5).
bool ends_in_number(std::string_view host);

// The IPv4 addresses inside an IPv6 address: mapped, compatible and translated ones, NAT64 (RFC 6052, 8215),
// 6to4, Teredo (server and client), ISATAP. Empty for IPv4.
std::vector<Address> carried(const Address& address);

// All addresses whose first `length` bits are those of `start`.
struct AddressRange {
  Address start;
  unsigned length = 0;
  bool contains(const Address& address) const;
  bool contains(const AddressRange& other) const;
  bool single() const { return length == (start.six ? 128u : 32u); }
  bool operator==(const AddressRange&) const = default;
};

}  // namespace policy::network
