#include "policy/detect/checks.hpp"

#include <algorithm>
#include <iterator>

namespace policy::detect {
namespace {

struct Named {
  std::string_view name;
  Check check;
};

constexpr Named all[] = {
    {"real", checks::real},
    {"random", checks::random},
    {"password", checks::password},
    {"assigned", checks::assigned},
    {"url_password", checks::url_password},
    {"token", checks::token},
    {"card", checks::card},
    {"iban", checks::iban},
    {"base58", checks::base58},
    {"wallet_key", checks::wallet_key},
    {"seed_phrase", checks::seed_phrase},
    {"tags", checks::tags},
};

}  // namespace

Check check_named(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(all), std::end(all), [&](const Named& each) { return each.name == name; });
  return found == std::end(all) ? nullptr : found->check;
}

// A flag (🏴 and the letters of a region) has at most six tags behind it, each of four bytes, and the last
// one ends it.
bool checks::tags(std::string_view text) {
  constexpr std::string_view flag = "\xF0\x9F\x8F\xB4";
  constexpr std::string_view last = "\xF3\xA0\x81\xBF";
  return !(text.starts_with(flag) && text.ends_with(last) && text.size() <= flag.size() + 7 * 4);
}

}  // namespace policy::detect
