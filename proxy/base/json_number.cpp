#include "proxy/base/json_number.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "proxy/base/check.hpp"

namespace base::json {
namespace {

bool digit(const char* at, const char* end) { return at != end && *at >= '0' && *at <= '9'; }

const char* skip_digits(const char* at, const char* end) {
  while (digit(at, end)) ++at;
  return at;
}

// How many digits stand before the point once the exponent is applied; counts from the first non-zero digit.
// Minus infinity's stand-in for zero.
std::int64_t magnitude(const char* whole, const char* point, const char* fraction_end,
                       std::int64_t exponent) {
  for (const char* at = whole; at != point; ++at)
    if (*at != '0') return (point - at) + exponent;
  for (const char* at = point; at != fraction_end; ++at)
    if (*at >= '1' && *at <= '9') return -(at - point - 1) + exponent;
  return INT64_MIN;
}

}  // namespace

NumberScan scan_number(const char* from, const char* end) {
  NumberScan scan;
  const char* at = from;
  if (at != end && *at == '-') ++at;
  const char* const whole = at;
  if (!digit(at, end)) return scan;
  at = *at == '0' ? at + 1 : skip_digits(at, end);
  const char* const point = at;
  scan.integer = true;
  if (at != end && *at == '.') {
    if (!digit(at + 1, end)) return scan;
    at = skip_digits(at + 1, end);
    scan.integer = false;
  }
  const char* const fraction_end = at;
  std::int64_t exponent = 0;
  if (at != end && (*at == 'e' || *at == 'E')) {
    ++at;
    bool negative = false;
    if (at != end && (*at == '+' || *at == '-')) negative = *at++ == '-';
    if (!digit(at, end)) return scan;
    for (; digit(at, end); ++at)
      if (exponent < (INT64_C(1) << 40)) exponent = exponent * 10 + (*at - '0');
    if (negative) exponent = -exponent;
    scan.integer = false;
  }
  scan.end = at;
  // The largest double has 309 digits before the point: below that it fits, above it does not.
  const std::int64_t size = magnitude(whole, point, fraction_end, exponent);
  if (size > 309) scan.overflows = true;
  double ignored = 0;
  if (size == 309) scan.overflows = std::from_chars(from, at, ignored).ec == std::errc::result_out_of_range;
  return scan;
}

std::string number_text(double value) {
  CHECK(std::isfinite(value));
  if (value == 0) return "0";
  char buffer[64] = {};  // to_chars writes no NUL
  const auto printed =
      std::to_chars(buffer, buffer + sizeof buffer, std::fabs(value), std::chars_format::scientific);
  const std::string_view shortest(buffer, static_cast<std::size_t>(printed.ptr - buffer));  // d[.ddd]e±dd
  const std::size_t e = shortest.find('e');
  std::string digits(shortest.substr(0, 1));
  if (e > 1) digits += shortest.substr(2, e - 2);
  const int n = std::atoi(buffer + e + 1) + 1;  // the value is 0.DIGITS × 10^n
  const int k = static_cast<int>(digits.size());
  std::string text = value < 0 ? "-" : "";
  if (k <= n && n <= 21) return text + digits + std::string(static_cast<std::size_t>(n - k), '0');
  if (0 < n && n <= 21)
    return text + digits.substr(0, static_cast<std::size_t>(n)) + "." +
           digits.substr(static_cast<std::size_t>(n));
  if (-6 < n && n <= 0) return text + "0." + std::string(static_cast<std::size_t>(-n), '0') + digits;
  text += digits[0];
  if (k > 1) text += "." + digits.substr(1);
  return text + (n > 0 ? "e+" : "e-") + std::to_string(n > 0 ? n - 1 : 1 - n);
}

}  // namespace base::json
