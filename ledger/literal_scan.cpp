#include "ledger/literal_scan.hpp"

#include <cstring>

#include "proxy/base/check.hpp"

namespace ledger {
namespace {

char lower(char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte + 32) : byte; }

void mark(std::array<std::uint64_t, 256>& table, char byte, bool any_case, std::uint64_t bucket) {
  table[static_cast<unsigned char>(byte)] |= bucket;
  if (any_case && byte >= 'a' && byte <= 'z') table[static_cast<unsigned char>(byte - 32)] |= bucket;
}

}  // namespace

LiteralScan::LiteralScan(std::vector<Literal> literals) : literals_(std::move(literals)) {
  auto tables = std::make_unique<Tables>();
  for (std::size_t i = 0; i < literals_.size(); ++i) {
    const auto& [bytes, any_case] = literals_[i];
    CHECK(bytes.size() >= 3);
    // Literals that begin alike share a bucket, in whatever case they are: fewer places pass by chance.
    std::uint32_t hash = 0;
    for (const char byte : {bytes[0], bytes[1], bytes[2]})
      hash = hash * 31 + static_cast<unsigned char>(lower(byte));
    const std::size_t bucket = hash * 2654435761u >> 26;
    tables->literals[bucket].push_back(i);
    const std::uint64_t bit = std::uint64_t{1} << bucket;
    mark(tables->first, bytes[0], any_case, bit);
    mark(tables->second, bytes[1], any_case, bit);
    mark(tables->third, bytes[2], any_case, bit);
  }
  tables_ = std::move(tables);
}

std::size_t LiteralScan::next(std::string_view text, std::size_t at, std::uint64_t& buckets) const {
  const Tables& tables = *tables_;
  const auto* const bytes = reinterpret_cast<const unsigned char*>(text.data());
  const auto buckets_at = [&](std::size_t place) {
    return tables.first[bytes[place]] & tables.second[bytes[place + 1]] & tables.third[bytes[place + 2]];
  };
  const std::size_t end = text.size() < 2 ? 0 : text.size() - 2;
  for (; at + 8 <= end; at += 8) {
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < 8; ++i) any |= buckets_at(at + i);
    if (any != 0) break;
  }
  for (; at < end; ++at)
    if ((buckets = buckets_at(at)) != 0) return at;
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
