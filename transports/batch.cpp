#include "transports/batch.hpp"

#include "proxy/base/json.hpp"
#include "proxy/base/json_scan.hpp"

namespace transports {
namespace {

constexpr std::string_view white_space = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(white_space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(white_space) - begin + 1);
}

// Where the element that begins at `at` ends, in JSON that is known to be right: at its comma, or at the end.
std::size_t end_of_element(std::string_view elements, std::size_t at) {
  int depth = 0;
  for (bool in_string = false; at < elements.size(); ++at) {
    const char next = elements[at];
    if (in_string) {
      if (next == '\\') ++at;
      if (next == '"') in_string = false;
    } else if (next == '"') {
      in_string = true;
    } else if (next == '{' || next == '[') {
      ++depth;
    } else if (next == '}' || next == ']') {
      --depth;
    } else if (next == ',' && depth == 0) {
      return at;
    }
  }
  return elements.size();
}

}  // namespace

bool is_batch(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(white_space);
  return begin != std::string_view::npos && line[begin] == '[';
}

base::Result<std::vector<std::string>> split_batch(std::string_view line, const Limits& limits) {
  // One level more than a message may have: the array's own.
  const auto top =
      base::json::scan(line, {.bytes_max = limits.message_bytes_max, .depth_max = limits.depth_max + 1});
  if (!top) return top.error();
  if (top->type != base::json::Type::array)
    return base::Error(base::Code::invalid, "a batch must be a JSON array");
  const std::string_view inside = trimmed(line.substr(top->offset + 1, top->size - 2));
  if (inside.empty()) return base::Error(base::Code::invalid, "a batch must not be empty");
  std::vector<std::string> elements;
  for (std::size_t at = 0; at < inside.size();) {
    if (elements.size() == limits.batch_elements_max)
      return base::Error(base::Code::limit,
                         "a batch has at most " + std::to_string(limits.batch_elements_max) + " elements");
    const std::size_t end = end_of_element(inside, at);
    elements.emplace_back(trimmed(inside.substr(at, end - at)));
    at = end + 1;
  }
  return elements;
}

}  // namespace transports
