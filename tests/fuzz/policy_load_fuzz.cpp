// A policy file of any bytes: it loads or is refused with a place, and what loads can be linted and matched.

#include <cstddef>
#include <cstdint>
#include <string>

#include "policy/load/load.hpp"
#include "policy/review/lint.hpp"
#include "proxy/base/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const policy::Source source{policy::Layer::repository, "p.toml",
                              std::string(reinterpret_cast<const char*>(data), size), size % 2 == 0};
  const auto compiled = policy::compile_sources({source}, {"/w", "/home/dev"});
  if (compiled.has_error()) {
    CHECK(compiled.error().place().starts_with("p.toml:"));
    return 0;
  }
  policy::lint(*compiled);
  for (const policy::Rule& rule : compiled->rules) {
    CHECK(source.trusted || rule.tier != policy::Tier::allow);
    for (const auto& pattern : rule.condition.read) {
      const bool matched = pattern.matches("/w/a/.env");
      CHECK(!matched || pattern.may_match_below("/w"));
      CHECK(matched || !pattern.matches_all_below("/w"));
    }
    for (const auto& pattern : rule.condition.run) pattern.matches({"git", "log", "-5"});
  }
  return 0;
}
