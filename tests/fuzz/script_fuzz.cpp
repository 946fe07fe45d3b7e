// Any bytes: what a sed script or an awk program does is told, within the limits, the same each time; no name
// is empty, none holds what its text does not.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "policy/command/awk_program.hpp"
#include "policy/command/sed_script.hpp"
#include "proxy/base/check.hpp"

namespace {

void check(const policy::command::ScriptEffects& effects, std::string_view script) {
  for (const auto* list : {&effects.reads, &effects.writes, &effects.lines})
    for (const auto& each : *list) CHECK(!each.empty() && each.size() <= script.size());
  CHECK(effects.reads.size() + effects.writes.size() + effects.lines.size() <= script.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view script(reinterpret_cast<const char*>(data) + 1, size - 1);
  check(
      data[0] % 2 == 0 ? policy::command::read_sed_script(script) : policy::command::read_awk_program(script),
      script);
  return 0;
}
