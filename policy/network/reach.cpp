#include "policy/network/reach.hpp"

#include <algorithm>
#include <array>

namespace policy::network {
namespace {

constexpr bool within(std::uint32_t number, std::uint32_t start, unsigned length) {
  return length == 0 || (number ^ start) >> (32 - length) == 0;
}

struct Block {
  std::uint32_t start;
  unsigned length;
};

constexpr std::array private_blocks{
    Block{0x00000000, 8},   // this network
    Block{0x0A000000, 8},   // private use
    Block{0x64400000, 10},  // shared by carriers
    Block{0x7F000000, 8},   // loopback
    Block{0xA83F8110, 32},  // Azure's agent
    Block{0xA9FE0000, 16},  // link local
    Block{0xAC100000, 12},  // private use
    Block{0xC0000000, 24},  // protocol assignments
    Block{0xC0000200, 24},  // documentation
    Block{0xC0586300, 24},  // once relays of 6to4
    Block{0xC0A80000, 16},  // private use
    Block{0xC6120000, 15},  // benchmarks
    Block{0xC6336400, 24},  // documentation
    Block{0xCB007100, 24},  // documentation
    Block{0xE0000000, 4},   // multicast
    Block{0xF0000000, 4},   // reserved, broadcast
};

struct Prefix {
  std::uint64_t start;  // the first 64 bits
  unsigned length;
};

// Within 2000::/3.
constexpr std::array private_prefixes{
    Prefix{0x2001000200000000, 48},  // benchmarks
    Prefix{0x2001001000000000, 28},  // once ORCHID
    Prefix{0x20010DB800000000, 32},  // documentation
    Prefix{0x3FFF000000000000, 20},  // documentation
};

std::uint32_t number_of(const Address& four) {
  return static_cast<std::uint32_t>(four.bytes[0]) << 24 | static_cast<std::uint32_t>(four.bytes[1]) << 16 |
         static_cast<std::uint32_t>(four.bytes[2]) << 8 | four.bytes[3];
}

std::uint64_t first_half(const Address& six) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < 8; ++i) number = number << 8 | six.bytes[i];
  return number;
}

bool four_lies_in(const Address& address, Reach reach) {
  const std::uint32_t number = number_of(address);
  switch (reach) {
    case Reach::loopback: return within(number, 0x7F000000, 8) || number == 0;  // 0.0.0.0 reaches this host
    case Reach::link_local: return within(number, 0xA9FE0000, 16);
    case Reach::private_use:
      return std::any_of(private_blocks.begin(), private_blocks.end(),
                         [&](Block block) { return within(number, block.start, block.length); });
  }
  return true;
}

bool six_lies_in(const Address& address, Reach reach) {
  const std::uint64_t start = first_half(address);
  Address loopback;
  loopback.six = true;
  const bool unspecified = address == loopback;
  loopback.bytes[15] = 1;
  switch (reach) {
    case Reach::loopback: return unspecified || address == loopback;
    case Reach::link_local: return start >> 54 == 0xFE80 >> 6;
    case Reach::private_use:
      return start >> 61 != 1 || std::any_of(private_prefixes.begin(), private_prefixes.end(), [&](Prefix p) {
               return (start ^ p.start) >> (64 - p.length) == 0;
             });
  }
  return true;
}

bool same_or_below(std::string_view name, std::string_view domain) {
  return name.ends_with(domain) &&
         (name.size() == domain.size() || name[name.size() - domain.size() - 1] == '.');
}

struct KnownName {
  std::string_view domain;
  Reach reach;
};

constexpr std::array known_names{
    KnownName{"localhost", Reach::loopback},
    KnownName{"localhost.localdomain", Reach::loopback},
    KnownName{"localhost4", Reach::loopback},
    KnownName{"localhost6", Reach::loopback},
    KnownName{"ip6-localhost", Reach::loopback},
    KnownName{"ip6-loopback", Reach::loopback},
    KnownName{"localtest.me", Reach::loopback},
    KnownName{"lvh.me", Reach::loopback},
    KnownName{"metadata.google.internal", Reach::link_local},
    KnownName{"metadata.goog", Reach::link_local},
    KnownName{"instance-data.ec2.internal", Reach::link_local},
    KnownName{"instance-data", Reach::link_local},
    KnownName{"internal", Reach::private_use},
    KnownName{"local", Reach::private_use},
    KnownName{"localdomain", Reach::private_use},
    KnownName{"home.arpa", Reach::private_use},
    KnownName{"cluster.local", Reach::private_use},
    KnownName{"svc", Reach::private_use},
    // RFC 6762, appendix G.
    KnownName{"corp", Reach::private_use},
    KnownName{"home", Reach::private_use},
    KnownName{"intranet", Reach::private_use},
    KnownName{"lan", Reach::private_use},
    KnownName{"private", Reach::private_use},
};

constexpr std::array<std::string_view, 4> echoing_domains{"nip.io", "sslip.io", "xip.io", "traefik.me"};

// `app.10-0-0-1`, `10.0.0.1` and `0a000001` of such a name.
bool echoes(std::string_view name, Reach reach) {
  std::string text(name);
  std::replace(text.begin(), text.end(), '-', '.');
  std::vector<std::string_view> labels;
  for (std::string_view rest = text;;) {
    const std::size_t dot = rest.find('.');
    labels.push_back(rest.substr(0, dot));
    if (dot == std::string_view::npos) break;
    rest.remove_prefix(dot + 1);
  }
  for (const std::string_view label : labels) {
    const auto hexadecimal =
        label.size() == 8 ? read_loose_quad("0x" + std::string(label)) : std::vector<Address>();
    if (!hexadecimal.empty() && lies_in(hexadecimal.front(), reach)) return true;
  }
  for (std::size_t i = 0; i + 3 < labels.size(); ++i) {
    const char* begin = labels[i].data();
    const char* end = labels[i + 3].data() + labels[i + 3].size();
    const auto address = read_quad({begin, static_cast<std::size_t>(end - begin)});
    if (address && lies_in(*address, reach)) return true;
  }
  return false;
}

}  // namespace

bool lies_in(const Address& address, Reach reach) {
  if (!address.six) return four_lies_in(address, reach);
  const std::vector<Address> inside = carried(address);
  // These stand for the IPv4 address alone, and have no place of their own.
  const std::uint64_t start = first_half(address);
  const bool stands_for_four = !inside.empty() && (start == 0 || start == 0x0064FF9B00000000);
  return (!stands_for_four && six_lies_in(address, reach)) ||
         std::any_of(inside.begin(), inside.end(),
                     [&](const Address& four) { return four_lies_in(four, reach); });
}

bool is_localhost(std::string_view name) { return same_or_below(name, "localhost"); }

bool may_lie_in(std::string_view name, Reach reach) {
  // `http` and `https` are what is left of an address that is read wrongly.
  const bool scheme = name == "http" || name == "https";
  if (reach == Reach::private_use && !name.empty() && !scheme && name.find('.') == std::string_view::npos)
    return true;
  for (const KnownName& known : known_names)
    if ((known.reach == reach || reach == Reach::private_use) && same_or_below(name, known.domain))
      return true;
  return std::any_of(echoing_domains.begin(), echoing_domains.end(), [&](std::string_view domain) {
    return same_or_below(name, domain) && echoes(name.substr(0, name.size() - domain.size()), reach);
  });
}

}  // namespace policy::network
