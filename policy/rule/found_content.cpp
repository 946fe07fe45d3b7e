#include "policy/rule/found_content.hpp"

#include <algorithm>

#include "proxy/base/text.hpp"

namespace policy {
namespace {

constexpr std::size_t shown_bytes_max = 160;

std::string what(const ContentPattern& pattern, const std::vector<std::string>& ids) {
  const bool too_much = ids.size() == 1 && ids.front() == detect::too_encoded;
  if (too_much)
    return "more encoded text than is looked through, for " + base::quoted(pattern.text(), shown_bytes_max);
  if (!pattern.names_detectors()) return "the expression " + base::quoted(pattern.text(), shown_bytes_max);
  std::string text = base::quoted(pattern.text()) + " (";
  for (std::size_t i = 0; i < ids.size(); ++i) text += (i == 0 ? "" : ", ") + ids[i];
  return text + ")";
}

// Behind all of them stand the same texts joined: the argument is not told then.
std::string place(const Effect& effect, const std::string& content, std::size_t offset) {
  if (effect.content_parts.empty() && !effect.argument.empty())
    return " in " + base::quoted(effect.argument, shown_bytes_max);
  std::size_t begin = 0;
  for (const ContentPart& part : effect.content_parts) {
    if (offset >= begin + part.bytes) {
      begin += part.bytes;
      continue;
    }
    const auto at = [&](std::size_t where) { return content.begin() + static_cast<std::ptrdiff_t>(where); };
    const auto line = std::count(at(begin), at(offset), '\n') + 1;
    return " in " + base::quoted(part.argument, shown_bytes_max) + ", line " + std::to_string(line);
  }
  return {};
}

}  // namespace

std::string found_content(const Condition& condition, const Effect& effect, const detect::Readings& content) {
  for (const ContentPattern& pattern : condition.content) {
    const std::vector<std::string> ids = pattern.found(content);
    if (ids.empty()) continue;
    const std::vector<Stretch> all = pattern.stretches(content.text);
    const auto first = std::min_element(
        all.begin(), all.end(), [](const Stretch& a, const Stretch& b) { return a.offset < b.offset; });
    if (first != all.end()) return what(pattern, ids) + place(effect, content.text, first->offset);
    // What no one place of the text holds is encoded, or a look at the whole.
    const auto& parts = effect.content_parts;
    return what(pattern, ids) +
           (parts.size() == 1 ? " in " + base::quoted(parts.front().argument, shown_bytes_max)
                              : std::string()) +
           ", encoded or spread over the text";
  }
  return {};
}

}  // namespace policy
