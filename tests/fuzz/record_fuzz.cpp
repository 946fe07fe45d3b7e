// Any bytes: decode refuses them, or encode gives them back.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "ledger/body.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view body(reinterpret_cast<const char*>(data), size);
  const auto record = ledger::decode(body);
  if (!record) return 0;
  const auto again = ledger::encode(*record);
  if (!again || *again != body) std::abort();
  if (ledger::decode(*again).value() != *record) std::abort();
  return 0;
}
