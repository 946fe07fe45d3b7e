#include "policy/network/address.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

namespace policy::network {
namespace {

constexpr std::size_t spelling_bytes_max = 64;

struct Part {
  std::uint64_t as_written = 0;  // octal and hexadecimal taken for what they are
  std::uint64_t as_decimal = 0;
};

std::optional<std::uint64_t> number_in(std::string_view digits, int base) {
  std::uint64_t number = 0;
  if (digits.empty()) return std::nullopt;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

std::optional<Part> read_part(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    const auto number = text.size() == 2 ? std::optional<std::uint64_t>(0) : number_in(text.substr(2), 16);
    if (!number) return std::nullopt;
    return Part{*number, *number};
  }
  const auto decimal = number_in(text, 10);
  if (!decimal) return std::nullopt;
  const auto octal = text.size() > 1 && text.front() == '0' ? number_in(text, 8) : decimal;
  return Part{octal.value_or(*decimal), *decimal};
}

std::optional<Address> joined(const std::vector<Part>& parts, std::uint64_t Part::*number) {
  std::uint64_t all = 0;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i].*number > 255) return std::nullopt;
    all = all << 8 | parts[i].*number;
  }
  const unsigned rest = static_cast<unsigned>(8 * (5 - parts.size()));
  if (parts.back().*number >> rest != 0) return std::nullopt;
  return address4(static_cast<std::uint32_t>(all << rest | parts.back().*number));
}

Address four_at(const Address& six, std::size_t at, std::uint8_t flip = 0) {
  Address four;
  for (std::size_t i = 0; i < 4; ++i) four.bytes[i] = six.bytes[at + i] ^ flip;
  return four;
}

bool starts_with(const Address& address, std::initializer_list<int> bytes) {
  return std::equal(bytes.begin(), bytes.end(), address.bytes.begin(),
                    [](int a, std::uint8_t b) { return a == b; });
}

}  // namespace

Address address4(std::uint32_t number) {
  Address address;
  for (std::size_t i = 0; i < 4; ++i) address.bytes[i] = static_cast<std::uint8_t>(number >> (24 - 8 * i));
  return address;
}

std::string text_of(const Address& address) {
  char text[INET6_ADDRSTRLEN] = {};
  inet_ntop(address.six ? AF_INET6 : AF_INET, address.bytes.data(), text, sizeof text);
  return text;
}

std::optional<Address> read_quad(std::string_view text) {
  Address address;
  if (text.size() > spelling_bytes_max) return std::nullopt;
  // Refuses leading zeros and anything but four decimal numbers.
  if (inet_pton(AF_INET, std::string(text).c_str(), address.bytes.data()) != 1) return std::nullopt;
  return text_of(address) == text ? std::optional(address) : std::nullopt;
}

std::optional<Address> read_address6(std::string_view text) {
  Address address;
  address.six = true;
  if (text.size() > spelling_bytes_max || text.find('\0') != std::string_view::npos) return std::nullopt;
  if (inet_pton(AF_INET6, std::string(text).c_str(), address.bytes.data()) != 1) return std::nullopt;
  return address;
}

std::vector<Address> read_loose_quad(std::string_view text) {
  std::vector<Part> parts;
  if (text.size() > spelling_bytes_max) return {};
  for (;;) {
    const std::size_t dot = text.find('.');
    const auto part = read_part(text.substr(0, dot));
    if (!part || parts.size() == 4) return {};
    parts.push_back(*part);
    if (dot == std::string_view::npos) break;
    text.remove_prefix(dot + 1);
  }
  std::vector<Address> addresses;
  for (const auto number : {&Part::as_written, &Part::as_decimal})
    if (const auto address = joined(parts, number);
        address && std::find(addresses.begin(), addresses.end(), *address) == addresses.end())
      addresses.push_back(*address);
  return addresses;
}

bool ends_in_number(std::string_view host) {
  const std::string_view last = host.substr(host.rfind('.') + 1);
  if (last.empty()) return false;
  if (last.find_first_not_of("0123456789") == std::string_view::npos) return true;
  return (last.starts_with("0x") || last.starts_with("0X")) &&
         last.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string_view::npos;
}

std::vector<Address> carried(const Address& address) {
  std::vector<Address> inside;
  if (!address.six) return inside;
  const bool zeros = starts_with(address, {0, 0, 0, 0, 0, 0, 0, 0});
  const Address low = four_at(address, 12);
  const Address above = four_at(address, 8);
  const bool unspecified_or_loopback =
      zeros && above == address4(0) && (low == address4(0) || low == address4(1));
  const bool embeds = above == address4(0) || above == address4(0xFFFF) || above == address4(0xFFFF0000);
  if (zeros && embeds && !unspecified_or_loopback) inside.push_back(low);
  if (starts_with(address, {0, 0x64, 0xFF, 0x9B})) {
    const bool local = starts_with(address, {0, 0x64, 0xFF, 0x9B, 0, 1});
    if (!local || low != address4(0)) inside.push_back(low);
    // 64:ff9b:1::/48: the bits of the universal octet are left out (RFC 6052, 2.2).
    Address split = four_at(address, 6);
    split.bytes[2] = address.bytes[9];
    split.bytes[3] = address.bytes[10];
    if (local) inside.push_back(split);
  }
  if (starts_with(address, {0x20, 0x02})) inside.push_back(four_at(address, 2));
  if (starts_with(address, {0x20, 0x01, 0, 0})) {
    inside.push_back(four_at(address, 4));
    inside.push_back(four_at(address, 12, 0xFF));
  }
  if (above == address4(0x5EFE) || above == address4(0x02005EFE)) inside.push_back(low);
  return inside;
}

bool AddressRange::contains(const Address& address) const {
  if (address.six != start.six) return false;
  for (unsigned bit = 0; bit < length; bit += 8) {
    const unsigned left = std::min(length - bit, 8u);
    const auto mask = static_cast<std::uint8_t>(0xFF << (8 - left));
    if (((address.bytes[bit / 8] ^ start.bytes[bit / 8]) & mask) != 0) return false;
  }
  return true;
}

bool AddressRange::contains(const AddressRange& other) const {
  return other.length >= length && contains(other.start);
}

}  // namespace policy::network
