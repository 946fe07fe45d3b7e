#include "proxy/replay/markup.hpp"

#include <algorithm>

#include "proxy/base/text.hpp"

namespace proxy::replay {

std::string escaped(std::string_view text, std::size_t bytes_max) {
  std::string out;
  for (const char byte : base::printable(text, bytes_max)) switch (byte) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += byte;
    }
  return out;
}

std::string escaped_lines(std::string_view text, std::size_t bytes_max) {
  const std::string bounded = base::bounded(text, bytes_max);
  std::string out;
  for (std::size_t at = 0; at < bounded.size();) {
    const std::size_t end = std::min(bounded.find('\n', at), bounded.size());
    out += escaped(std::string_view(bounded).substr(at, end - at), 8 * bytes_max);
    if (end < bounded.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

std::string decision_class(const std::string& decision) {
  return decision == "ALLOW" ? "allow" : decision == "ASK" ? "ask" : "deny";
}

std::string decision_icon(const std::string& decision) {
  return "<svg viewBox=\"-7 -7 14 14\" aria-hidden=\"true\"><use class=\"shape " + decision_class(decision) +
         "\" href=\"#" + decision_class(decision) + "\"/></svg>";
}

}  // namespace proxy::replay
