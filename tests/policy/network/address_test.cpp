#include "policy/network/address.hpp"

#include <algorithm>
#include <cstdio>
#include <random>

#include "policy/network/host.hpp"
#include "policy/network/reach.hpp"
#include "tests/catch.hpp"

using namespace policy::network;

namespace {

constexpr Reach reaches[] = {Reach::loopback, Reach::link_local, Reach::private_use};

template <class... Numbers>
std::string format(const char* how, Numbers... numbers) {
  char text[128];
  std::snprintf(text, sizeof text, how, numbers...);
  return text;
}

// All that inet_aton takes for one number.
std::vector<std::string> spellings(std::uint32_t number) {
  const unsigned a = number >> 24, b = number >> 16 & 255, c = number >> 8 & 255, d = number & 255;
  std::vector<std::string> all{format("%u.%u.%u.%u", a, b, c, d),
                               format("0x%x.0x%x.0x%x.0x%x", a, b, c, d),
                               format("0%o.0%o.0%o.0%o", a, b, c, d),
                               format("%u", number),
                               format("0x%x", number),
                               format("0X%08X", number),
                               format("0%o", number),
                               format("%u.%u", a, number & 0xFFFFFF),
                               format("%u.%u.%u", a, b, number & 0xFFFF),
                               format("0x%x.0%o.%u", a, b, number & 0xFFFF),
                               format("%u.%u.%u.%u.", a, b, c, d)};
  return all;
}

// All IPv6 addresses that stand for it.
std::vector<std::string> carriers(std::uint32_t number) {
  const unsigned high = number >> 16, low = number & 0xFFFF;
  return {format("[::ffff:%x:%x]", high, low),   format("[64:ff9b::%x:%x]", high, low),
          format("[2002:%x:%x::]", high, low),   format("[2001:0:1:1::%x:%x]", high ^ 0xFFFF, low ^ 0xFFFF),
          format("[2001:0:%x:%x::]", high, low), format("[::ffff:0:%x:%x]", high, low)};
}

const std::uint32_t samples[] = {0x7F000001, 0xA9FEA9FE, 0x0A000001, 0xC0A80101, 0x08080808, 0x5DB8D822,
                                 0x64400001, 0xE0000001, 0xFFFFFFFF, 0xC6120001, 0xAC1F0001, 0xAC200001};

}  // namespace

TEST_CASE("every spelling of an IPv4 address is that address") {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    const std::uint32_t number = round < 12 ? samples[round] : static_cast<std::uint32_t>(random());
    for (const std::string& text : spellings(number)) {
      INFO(text);
      const HostReading reading = read_host(text);
      REQUIRE_FALSE(reading.hosts.empty());
      CHECK(reading.hosts.front().address == address4(number));
      const bool usual = reading.hosts.front().name == text || reading.hosts.front().name + "." == text;
      CHECK(reading.doubt.empty() == usual);
    }
  }
}

TEST_CASE("an IPv6 address that carries IPv4 lies where that does") {
  for (const std::uint32_t number : samples)
    for (const std::string& text : carriers(number)) {
      INFO(text);
      const HostReading reading = read_host(text);
      REQUIRE(reading.hosts.size() == 1);
      CHECK(reading.doubt.empty());
      const std::vector<Address> inside = carried(*reading.hosts.front().address);
      CHECK(std::find(inside.begin(), inside.end(), address4(number)) != inside.end());
      for (const Reach reach : reaches)
        if (lies_in(address4(number), reach)) CHECK(lies_in(*reading.hosts.front().address, reach));
    }
}

TEST_CASE("a number that begins with 0 is read as octal and as decimal") {
  const std::vector<Address> addresses = read_loose_quad("010.0.0.1");
  REQUIRE(addresses.size() == 2);
  CHECK(addresses[0] == address4(0x08000001));
  CHECK(addresses[1] == address4(0x0A000001));
}

TEST_CASE("what ends in a number and is no address may be anything") {
  for (const char* text :
       {"1.2.3.4.5", "256.1.1.1", "1.2.3.999", "4294967296", "a.1", "0x100000000", "1..2"}) {
    INFO(text);
    const HostReading reading = read_host(text);
    CHECK_FALSE(reading.doubt.empty());
    CHECK((reading.unknown || reading.hosts.front().address));
  }
  CHECK(read_host("1.example").doubt.empty());
  CHECK(read_host("0xg").doubt.empty());
}

TEST_CASE("addresses lie where the registries say") {
  struct Case {
    const char* text;
    bool loopback;
    bool link_local;
    bool private_use;
  };
  for (const Case& each : {Case{"127.0.0.1", true, false, true},
                           Case{"127.255.255.254", true, false, true},
                           Case{"169.254.169.254", false, true, true},
                           Case{"10.0.0.0", false, false, true},
                           Case{"9.255.255.255", false, false, false},
                           Case{"11.0.0.0", false, false, false},
                           Case{"100.63.255.255", false, false, false},
                           Case{"100.64.0.0", false, false, true},
                           Case{"172.15.0.1", false, false, false},
                           Case{"172.16.0.1", false, false, true},
                           Case{"192.0.0.192", false, false, true},
                           Case{"192.0.1.1", false, false, false},
                           Case{"192.88.99.1", false, false, true},
                           Case{"198.17.0.1", false, false, false},
                           Case{"198.19.0.1", false, false, true},
                           Case{"203.0.113.9", false, false, true},
                           Case{"223.255.255.255", false, false, false},
                           Case{"239.1.1.1", false, false, true},
                           Case{"255.255.255.255", false, false, true},
                           Case{"168.63.129.16", false, false, true},
                           Case{"168.63.129.17", false, false, false},
                           Case{"[::1]", true, false, true},
                           Case{"[fe80::1]", false, true, true},
                           Case{"[febf::1]", false, true, true},
                           Case{"[fec0::1]", false, false, true},
                           Case{"[fd00:ec2::254]", false, false, true},
                           Case{"[ff02::1]", false, false, true},
                           Case{"[2001:db8::1]", false, false, true},
                           Case{"[2606:4700::1111]", false, false, false},
                           Case{"[4000::1]", false, false, true},
                           Case{"[::ffff:8.8.8.8]", false, false, false},
                           Case{"[fd00::5efe:8.8.8.8]", false, false, true},
                           Case{"[64:ff9b:1:a00:0:100::]", false, false, true}}) {
    INFO(each.text);
    const auto host = plain_host(each.text);
    REQUIRE((host && host->address));
    CHECK(lies_in(*host->address, Reach::loopback) == each.loopback);
    CHECK(lies_in(*host->address, Reach::link_local) == each.link_local);
    CHECK(lies_in(*host->address, Reach::private_use) == each.private_use);
  }
}

TEST_CASE("names of this machine and of private networks are known, and their like are not taken for them") {
  CHECK(is_localhost("localhost"));
  CHECK(is_localhost("a.localhost"));
  CHECK_FALSE(is_localhost("notlocalhost"));
  CHECK(may_lie_in("metadata.google.internal", Reach::link_local));
  CHECK(may_lie_in("wiki.internal", Reach::private_use));
  CHECK(may_lie_in("app.10-0-0-1.nip.io", Reach::private_use));
  CHECK(may_lie_in("7f000001.nip.io", Reach::loopback));
  CHECK_FALSE(may_lie_in("8.8.8.8.nip.io", Reach::private_use));
  CHECK_FALSE(may_lie_in("internal.example.com", Reach::private_use));
  CHECK_FALSE(may_lie_in("nip.io", Reach::private_use));
}

TEST_CASE("a range holds what shares its first bits") {
  const auto range = [](const char* start, unsigned length) {
    return AddressRange{read_quad(start).value(), length};
  };
  CHECK(range("10.0.0.0", 8).contains(read_quad("10.255.0.1").value()));
  CHECK_FALSE(range("10.0.0.0", 9).contains(read_quad("10.255.0.1").value()));
  CHECK(range("0.0.0.0", 0).contains(read_quad("255.0.0.1").value()));
  CHECK_FALSE(range("0.0.0.0", 0).contains(read_address6("::1").value()));
  CHECK(range("10.0.0.0", 8).contains(range("10.1.0.0", 16)));
  CHECK_FALSE(range("10.1.0.0", 16).contains(range("10.0.0.0", 8)));
}
