// The first byte chooses the size of the pieces: the lines that come out are those of a plain split.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/base/check.hpp"
#include "transports/line_framer.hpp"

namespace {

constexpr std::size_t limit = 40;

std::vector<std::string> plainly_split(std::string_view bytes) {
  std::vector<std::string> lines;
  for (std::size_t end = bytes.find('\n'); end != std::string_view::npos; end = bytes.find('\n')) {
    const std::string_view line = bytes.substr(0, end);
    bytes.remove_prefix(end + 1);
    if (line.size() > limit)
      lines.emplace_back("!");
    else if (line.find_first_not_of(" \t\r") != std::string_view::npos)
      lines.emplace_back(line);
  }
  return lines;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t piece = data[0] % 61 + 1;
  const bool drains = (data[0] & 0x80) != 0;  // after each piece, or only at the end
  const std::vector<std::string> expected = plainly_split(bytes);
  transports::LineFramer framer(limit);
  std::vector<std::string> lines;
  const auto drain = [&] {
    while (auto line = framer.next()) lines.push_back(line->refusal ? "!" : line->bytes);
  };
  while (!bytes.empty()) {
    framer.push(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    if (drains) drain();
  }
  drain();
  CHECK(lines == expected);
  return 0;
}
