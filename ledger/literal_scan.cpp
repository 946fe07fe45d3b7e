#include "ledger/literal_scan.hpp"

#include <algorithm>
#include <bitset>
#include <cstring>

#include "proxy/base/check.hpp"

namespace ledger {
namespace {

char lower(char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte; }

// How much of a text a byte is, roughly: those that are frequent count four times.
double share_of(char byte) {
  constexpr double all = 256 + 3 * 27;
  return (byte == ' ' || (byte >= 'a' && byte <= 'z') ? 4 : 1) / all;
}

// The bytes that some literals have in one place.
class Place {
 public:
  bool holds(char byte) const { return bytes_[static_cast<unsigned char>(byte)]; }
  double share() const { return share_; }
  double share_with(const Literal& literal, std::size_t at) const {
    if (at >= literal.bytes.size()) return 1;
    const char byte = literal.bytes[at];
    return share_ + added(byte) + (other_case(literal, at) == byte ? 0 : added(other_case(literal, at)));
  }
  void add(const Literal& literal, std::size_t at) {
    share_ = share_with(literal, at);
    if (at >= literal.bytes.size()) {
      bytes_.set();
      return;
    }
    bytes_.set(static_cast<unsigned char>(literal.bytes[at]));
    bytes_.set(static_cast<unsigned char>(other_case(literal, at)));
  }

 private:
  static char other_case(const Literal& literal, std::size_t at) {
    const char byte = literal.bytes[at];
    return literal.any_case && byte >= 'a' && byte <= 'z' ? static_cast<char>(byte - 32) : byte;
  }
  double added(char byte) const { return holds(byte) ? 0 : share_of(byte); }
  std::bitset<256> bytes_;
  double share_ = 0;
};

// Literals that the tables cannot tell apart, by their first bytes.
struct Group {
  std::array<Place, 5> places;
  double passing_now = 0;

  // How much of a text passes by chance, at a literal's beginning or one byte later.
  template <class Share>
  double passing(Share share) const {
    double here = 1, before = 1;
    for (std::size_t i = 0; i + 1 < places.size(); ++i) {
      here *= share(i);
      before *= share(i + 1);
    }
    return here + before;
  }
  double cost_of(const Literal& literal) const {
    return passing([&](std::size_t i) { return places[i].share_with(literal, i); }) - passing_now;
  }
  void add(const Literal& literal) {
    for (std::size_t i = 0; i < places.size(); ++i) places[i].add(literal, i);
    passing_now = passing([&](std::size_t i) { return places[i].share(); });
  }
};

}  // namespace

LiteralScan::LiteralScan(std::vector<Literal> literals) : literals_(std::move(literals)) {
  auto tables = std::make_unique<Tables>();
  std::array<Group, groups> all;
  for (std::size_t i = 0; i < literals_.size(); ++i) {
    const Literal& literal = literals_[i];
    CHECK(literal.bytes.size() >= 3);
    // Each goes where it lets the fewest places more pass.
    std::array<double, groups> costs{};
    for (std::size_t group = 0; group < groups; ++group) costs[group] = all[group].cost_of(literal);
    const auto best = static_cast<std::size_t>(std::min_element(costs.begin(), costs.end()) - costs.begin());
    all[best].add(literal);
    tables->literals[best].push_back(i);
  }
  for (std::size_t group = 0; group < groups; ++group)
    for (std::size_t place = 0; place < all[group].places.size(); ++place)
      for (std::size_t value = 0; value < 256; ++value) {
        if (!all[group].places[place].holds(static_cast<char>(value))) continue;
        if (place > 0) tables->places[place - 1][value] |= std::uint64_t{1} << group;
        if (place < tables->places.size())
          tables->places[place][value] |= std::uint64_t{1} << (group + groups);
      }
  tables_ = std::move(tables);
}

std::size_t LiteralScan::next(std::string_view text, std::size_t at, std::uint64_t& buckets) const {
  const auto& places = tables_->places;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
  const auto left_at = [&](std::size_t place) {
    return places[0][bytes[place]] & places[1][bytes[place + 1]] & places[2][bytes[place + 2]] &
           places[3][bytes[place + 3]];
  };
  for (; at + 10 <= text.size(); at += 8)
    if ((left_at(at) | left_at(at + 2) | left_at(at + 4) | left_at(at + 6)) != 0) break;
  for (; at + 4 <= text.size(); at += 2)
    if ((buckets = left_at(at)) != 0) return at;
  // The last two or three bytes may end a literal.
  for (; at + 2 <= text.size(); at += 2) {
    buckets = places[0][bytes[at]] & places[1][bytes[at + 1]];
    if (buckets != 0) return at;
  }
  return std::string_view::npos;
}

bool LiteralScan::stands_at(const Literal& literal, std::string_view text, std::size_t at) {
  const std::string_view wanted = literal.bytes;
  if (text.size() - at < wanted.size()) return false;
  if (!literal.any_case) return std::memcmp(text.data() + at, wanted.data(), wanted.size()) == 0;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (lower(text[at + i]) != wanted[i]) return false;
  return true;
}

}  // namespace ledger
