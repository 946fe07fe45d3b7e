#pragma once
// A record's bytes in the frozen profile of FORMAT.md, and back. For every record that encodes,
// decode(encode(record)) == record; for all bytes that decode, encode(decode(bytes)) == bytes.

#include <cstddef>
#include <string>
#include <string_view>

#include "ledger/record.hpp"
#include "proxy/base/error.hpp"

namespace ledger {

inline constexpr std::size_t body_bytes_max = 64 * 1024;
inline constexpr std::uint64_t integer_max = (std::uint64_t{1} << 53) - 1;

// Code::limit: larger than a body may be. Code::invalid: a field that the profile does not hold (bad UTF-8, a
// value outside its enumeration, a number out of range).
base::Result<std::string> encode(const Record& record);

// Code::invalid: not exactly the bytes that encode() makes for some record; says where.
base::Result<Record> decode(std::string_view body);

// SHA-256(0x00 ‖ body), RFC 6962's leaf hash.
base::Digest leaf_of(std::string_view body);

}  // namespace ledger
