// The elements of a batch are its own bytes, in order, and together say what the batch says.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "proxy/base/check.hpp"
#include "proxy/base/json.hpp"
#include "transports/batch.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const transports::Limits limits;
  const auto elements = transports::split_batch(line, limits);
  if (!elements) return 0;
  CHECK(transports::is_batch(line));
  CHECK(!elements->empty() && elements->size() <= limits.batch_elements_max);
  const auto whole = base::json::parse(line);
  CHECK(whole.has_value() && whole->is_array() && whole->size() == elements->size());
  std::size_t from = 0;
  for (std::size_t i = 0; i < elements->size(); ++i) {
    const std::string& element = (*elements)[i];
    const std::size_t at = line.find(element, from);
    CHECK(at != std::string_view::npos);
    from = at + element.size();
    const auto alone = base::json::parse(element);
    CHECK(alone.has_value() && *alone == (*whole)[i]);
  }
  return 0;
}
