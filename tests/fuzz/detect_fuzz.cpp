// Any bytes: every group of detectors looks through them and their decodings, and `any` says what `find`
// says.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "policy/detect/decode.hpp"
#include "policy/detect/detectors.hpp"
#include "proxy/base/check.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace policy::detect;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Readings all = readings(text);
  std::size_t bytes = 0;
  for (const auto& decoded : all.decoded) bytes += decoded.size();
  CHECK(bytes <= size * decoded_bytes_each_max + decoded_bytes_more_max);
  for (const char* name : {"secrets", "payment", "injection"}) {
    const auto group = built_in_group(name).value();
    CHECK(group->find(all).empty() == !group->any(all));
  }
  return 0;
}
