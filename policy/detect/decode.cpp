#include "policy/detect/decode.hpp"

#include "policy/detect/decode_ways.hpp"

namespace policy::detect {

Readings readings(std::string_view text) {
  Readings all;
  all.text = text;
  all.bytes = text.size();
  std::size_t left = text.size() * decoded_bytes_each_max + decoded_bytes_more_max;
  const auto decode = [&](std::string_view from) {
    for (const auto add : {add_base64, add_hex, add_dumps, add_numbers, add_escapes, add_hidden}) {
      std::string decoded;
      add(from, decoded);
      if (decoded.empty()) continue;
      if (decoded.size() > left) {
        all.complete = false;
        continue;
      }
      left -= decoded.size();
      all.bytes += decoded.size();
      all.decoded.push_back(std::move(decoded));
    }
  };
  decode(text);
  std::size_t first = 0;
  for (std::size_t depth = 1; depth < decode_depth_max; ++depth) {
    const std::size_t last = all.decoded.size();
    for (; first < last; ++first) {
      const std::string from = all.decoded[first];  // the list grows
      decode(from);
    }
  }
  return all;
}

}  // namespace policy::detect
