// Cards, accounts, wallets.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "policy/detect/checks.hpp"
#include "proxy/base/sha256.hpp"

namespace policy::detect {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }

bool luhn(std::string_view digits) {
  int sum = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    int value = digits[digits.size() - 1 - i] - '0';
    if (i % 2 == 1) value = value > 4 ? 2 * value - 9 : 2 * value;
    sum += value;
  }
  return sum % 10 == 0;
}

struct Issuer {
  int first, last;     // the first four digits
  std::size_t length;  // of the whole number
};
constexpr Issuer issuers[] = {
    {4000, 4999, 16}, {5100, 5599, 16}, {2221, 2720, 16}, {3400, 3499, 15},
    {3700, 3799, 15}, {6011, 6011, 16}, {6440, 6599, 16}, {3528, 3589, 16},
    {3000, 3059, 14}, {3600, 3699, 14}, {3800, 3899, 14}, {6200, 6299, 16},
};

bool issued(std::string_view digits) {
  const int first = std::stoi(std::string(digits.substr(0, 4)));
  const bool known = std::any_of(std::begin(issuers), std::end(issuers), [&](const Issuer& each) {
    return first >= each.first && first <= each.last && digits.size() == each.length;
  });
  return known && digits.find_first_not_of(digits[0]) != std::string_view::npos && luhn(digits);
}

// The lengths of the runs of digits, and the digits.
struct Groups {
  std::vector<std::size_t> lengths;
  std::string digits;
};

Groups groups_of(std::string_view text) {
  Groups groups;
  for (const char c : text) {
    if (!digit(c)) {
      groups.lengths.push_back(0);
      continue;
    }
    if (groups.lengths.empty()) groups.lengths.push_back(0);
    ++groups.lengths.back();
    groups.digits += c;
  }
  return groups;
}

// How cards show their numbers.
struct Print {
  std::array<std::size_t, 4> lengths;
  std::size_t groups, digits;
};
constexpr Print prints[] = {{{4, 4, 4, 4}, 4, 16}, {{4, 6, 5}, 3, 15}, {{4, 6, 4}, 3, 14}};

// Lengths of ISO 13616's registry, by country.
constexpr std::string_view iban_lengths =
    "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BR29BY28CH21CR22CY28CZ24DE22DK18DO28EE20EG29ES24FI18FO18FR27GB22GE22"
    "GI23"
    "GL18GR27GT28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22MK19MR27MT31"
    "MU30"
    "NL18NO15PK24PL28PS29PT25QA29RO24RS22SA24SC31SD18SE24SI19SK24SM27ST25SV28TL23TN24TR26UA29VA22VG24XK20";

std::size_t iban_length(std::string_view country) {
  for (std::size_t i = 0; i < iban_lengths.size(); i += 4)
    if (iban_lengths.substr(i, 2) == country)
      return static_cast<std::size_t>(iban_lengths[i + 2] - '0') * 10 +
             static_cast<std::size_t>(iban_lengths[i + 3] - '0');
  return 0;
}

constexpr std::string_view base58_digits = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

// What base58check carries, version first; empty where the checksum is wrong.
std::string base58check(std::string_view text) {
  std::vector<std::uint8_t> bytes;  // least first
  for (const char c : text) {
    const std::size_t value = base58_digits.find(c);
    if (value == std::string_view::npos || bytes.size() > 128) return {};
    std::size_t carry = value;
    for (std::uint8_t& byte : bytes) {
      carry += 58u * byte;
      byte = static_cast<std::uint8_t>(carry & 0xff);
      carry >>= 8;
    }
    for (; carry > 0; carry >>= 8) bytes.push_back(static_cast<std::uint8_t>(carry & 0xff));
  }
  std::string carried(text.substr(0, std::min(text.find_first_not_of('1'), text.size())).size(), '\0');
  carried.append(bytes.rbegin(), bytes.rend());
  if (carried.size() < 5) return {};
  const std::string body = carried.substr(0, carried.size() - 4);
  const base::Digest digest = base::sha256(base::bytes_of(base::sha256(body)));
  return base::bytes_of(digest).substr(0, 4) == carried.substr(carried.size() - 4) ? body : std::string();
}

}  // namespace

// What stands behind a number, or another one, may have been taken along.
bool checks::card(std::string_view text) {
  const Groups groups = groups_of(text);
  const auto& lengths = groups.lengths;
  if (lengths.size() == 1) return issued(groups.digits);
  std::size_t at = 0;
  for (std::size_t i = 0; i < lengths.size(); at += lengths[i], ++i) {
    if (lengths[i] >= 14 && issued(groups.digits.substr(at, lengths[i]))) return true;
    for (const Print& print : prints)
      if (lengths.size() - i >= print.groups &&
          std::equal(print.lengths.begin(), print.lengths.begin() + print.groups, lengths.begin() + i) &&
          issued(groups.digits.substr(at, print.digits)))
        return true;
  }
  return false;
}

bool checks::iban(std::string_view text) {
  const std::size_t length = iban_length(text.substr(0, 2));
  std::string number;
  for (const char c : text)
    if (c != ' ' && number.size() < length) number += c;
  if (length == 0 || number.size() != length) return false;
  int rest = 0;
  for (std::size_t i = 0; i < length; ++i) {
    const char c = number[(i + 4) % length];
    rest = digit(c) ? (rest * 10 + (c - '0')) % 97 : (rest * 100 + (c - 'A' + 10)) % 97;
  }
  return rest == 1;
}

bool checks::base58(std::string_view text) { return !base58check(text).empty(); }

bool checks::wallet_key(std::string_view text) {
  const std::string body = base58check(text);
  return (body.size() == 33 || body.size() == 34) && (body[0] == '\x80' || body[0] == '\xef');
}

}  // namespace policy::detect
