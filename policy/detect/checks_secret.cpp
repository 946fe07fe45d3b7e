// Secrets and what only looks like one.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string>

#include "policy/detect/checks.hpp"
#include "policy/detect/decode.hpp"

namespace policy::detect {
namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool lower(char c) { return c >= 'a' && c <= 'z'; }
bool upper(char c) { return c >= 'A' && c <= 'Z'; }
char lowered(char c) { return upper(c) ? static_cast<char>(c + 32) : c; }

bool has(std::string_view text, bool (*kind)(char)) { return std::any_of(text.begin(), text.end(), kind); }
bool letter(char c) { return lower(c) || upper(c); }
bool special(char c) { return std::string_view("!@#$%^&*+=?~|").find(c) != std::string_view::npos; }

std::size_t distinct(std::string_view text) {
  std::array<bool, 256> seen{};
  for (const char c : text) seen[static_cast<unsigned char>(c)] = true;
  return static_cast<std::size_t>(std::count(seen.begin(), seen.end(), true));
}

// Shannon's, in bits a character.
double entropy(std::string_view text) {
  std::array<double, 256> counts{};
  for (const char c : text) counts[static_cast<unsigned char>(c)] += 1;
  double bits = 0;
  for (const double count : counts)
    if (count > 0)
      bits -= count / static_cast<double>(text.size()) * std::log2(count / static_cast<double>(text.size()));
  return bits;
}

// How often the kind of character changes: names made of words seldom change it. What joins words does not
// count.
double changes(std::string_view text) {
  std::size_t count = 0;
  int last = -1;
  for (const char c : text) {
    const int kind = digit(c) ? 0 : lower(c) ? 1 : upper(c) ? 2 : 3;
    if (c == '-' || c == '_' || c == '.') continue;
    count += last >= 0 && kind != last ? 1 : 0;
    last = kind;
  }
  return static_cast<double>(count) / static_cast<double>(text.size());
}

bool drawn_by_lot(std::string_view value, double changes_min) {
  return value.size() >= 16 && has(value, letter) && has(value, digit) && entropy(value) >= 3 &&
         changes(value) >= changes_min;
}

// 8-4-4-4-12 hexadecimal digits: an identifier of anything.
bool uuid(std::string_view value) {
  if (value.size() != 36) return false;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    const bool hex = digit(value[i]) || (lowered(value[i]) >= 'a' && lowered(value[i]) <= 'f');
    if (dash ? value[i] != '-' : !hex) return false;
  }
  return true;
}

// Digests, addresses, paths and expressions of a program are no secrets.
bool refers(std::string_view value) {
  static constexpr std::string_view starts[] = {
      "$",        "%",     "@",      "/",      "./",     "../", "~/",   "arn:",  "file",  "vault", "http://",
      "https://", "sha1-", "sha256", "sha384", "sha512", "md5", "urn:", "op://", "data:", "ref+"};
  for (const std::string_view start : starts)
    if (value.starts_with(start)) return true;
  return value.find("->") != std::string_view::npos || value.find("::") != std::string_view::npos ||
         uuid(value);
}

}  // namespace

bool checks::real(std::string_view value) {
  if (distinct(value) < 5) return false;
  std::string low(value);
  std::transform(low.begin(), low.end(), low.begin(), lowered);
  static constexpr std::string_view stand_ins[] = {
      "example",  "placeholder", "changeme", "change_me", "change-me", "your_",      "your-",
      "yourpass", "yoursec",     "yourtok",  "yourapi",   "xxxx",      "****",       "....",
      "dummy",    "redacted",    "replace",  "insert",    "process.",  "environ",    "getenv",
      "{{",       "${",          "$(",       "secrets.",  "<",         "not-a-real", "notreal",
      "fake",     "todo",        "-here",    "_here",     "undefined", "000000000"};
  return std::none_of(std::begin(stand_ins), std::end(stand_ins),
                      [&](std::string_view stand_in) { return low.find(stand_in) != std::string::npos; });
}

bool checks::random(std::string_view value) { return real(value) && drawn_by_lot(value, 0.25); }

bool checks::password(std::string_view value) {
  return real(value) && !refers(value) && has(value, letter) && (has(value, digit) || has(value, special));
}

bool checks::url_password(std::string_view text) {
  const std::size_t user = text.find("://") + 3;
  const std::size_t colon = text.find(':', user);
  const std::string_view name = text.substr(user, colon - user);
  const std::string_view word = text.substr(colon + 1, text.size() - colon - 2);
  static constexpr std::string_view known[] = {
      "password", "passwd", "pass", "pwd",   "secret", "token", "changeme", "user",       "postgres",
      "root",     "admin",  "test", "guest", "mysql",  "redis", "hunter2",  "mypassword", "dbpass"};
  if (word == name || std::find(std::begin(known), std::end(known), word) != std::end(known)) return false;
  if (word.find_first_of("{}[]()<>*") != std::string_view::npos || word.starts_with('$')) return false;
  return word.size() >= 6 ? real(word) : distinct(word) >= 3 && has(word, digit);
}

bool checks::assigned(std::string_view text) {
  const std::size_t sign = text.find_first_of(":=");
  const std::string_view name = text.substr(0, sign);
  const bool quoted_name = name.find_first_of("\"'") != std::string_view::npos;
  const std::size_t begin = text.find_first_not_of(":=> \t\r\n", sign);
  if (begin == std::string_view::npos) return false;
  const bool quoted = text[begin] == '"' || text[begin] == '\'' || text[begin] == '`';
  std::string_view value = text.substr(begin + (quoted ? 1 : 0));
  // Not quoted, it ends where the next parameter of an address begins.
  if (!quoted) value = value.substr(0, value.find('&'));
  if (value.size() < 8 || !real(value) || refers(value) || !has(value, letter)) return false;
  const bool mixed = has(value, digit) && has(value, special);
  if (quoted) {
    const bool word = lowered(name[0]) == 'p';  // `password` and its like
    return (has(value, digit) && word && !quoted_name) || mixed || drawn_by_lot(value, 0.3) ||
           (word && has(value, digit) && has(value, upper));
  }
  // An expression of a program.
  if (value.find_first_of(".?|*") != std::string_view::npos) return false;
  return (mixed && value.find_first_of("!@#$%^~") != std::string_view::npos && has(value, lower) &&
          has(value, upper)) ||
         drawn_by_lot(value, 0.35);
}

bool checks::token(std::string_view text) {
  const auto header = from_base64(text.substr(0, text.find('.')));
  return header && header->find("\"alg\"") != std::string::npos && real(text);
}

}  // namespace policy::detect
