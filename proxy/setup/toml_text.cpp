#include "proxy/setup/toml_text.hpp"

#include <array>
#include <cstdio>

#include "proxy/base/text.hpp"
#include "proxy/base/utf8.hpp"

namespace proxy {
namespace {

constexpr std::size_t line_bytes_max = 116;

}  // namespace

std::string toml_string(std::string_view text) {
  const bool plain = base::utf8::valid(text);
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7F || (byte > 0x7F && !plain)) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04X", static_cast<unsigned>(byte));
      out += escape.data();
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string toml_list(std::string_view key, const std::vector<std::string>& texts) {
  std::string line = std::string(key) + " = [";
  for (std::size_t i = 0; i < texts.size(); ++i) line += (i == 0 ? "" : ", ") + toml_string(texts[i]);
  line += "]\n";
  if (line.size() <= line_bytes_max) return line;
  std::string out = std::string(key) + " = [\n";
  line = " ";
  for (const std::string& text : texts) {
    const std::string item = " " + toml_string(text) + ",";
    if (line.size() > 1 && line.size() + item.size() > line_bytes_max) {
      out += line + "\n";
      line = " ";
    }
    line += item;
  }
  return out + line + "\n]\n";
}

std::string in_comment(std::string_view text) { return base::printable(text, 200); }

}  // namespace proxy
