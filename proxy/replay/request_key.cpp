#include "proxy/replay/request_key.hpp"

#include <string>

#include "proxy/base/json.hpp"

namespace proxy::replay {
namespace {

using base::json::Value;

constexpr std::string_view mark = "\x01workspace";  // in no path

bool in_a_name(char byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
         byte == '_' || byte == '-' || byte == '.' || (static_cast<unsigned char>(byte) & 0x80U) != 0;
}

std::string without_workspace(const std::string& text, std::string_view workspace) {
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = text.find(workspace); at != std::string::npos; at = text.find(workspace, done)) {
    const std::size_t end = at + workspace.size();
    const bool whole = (at == 0 || !in_a_name(text[at - 1])) && (end == text.size() || !in_a_name(text[end]));
    out += text.substr(done, at - done);
    out += whole ? mark : workspace;
    done = end;
  }
  return out + text.substr(done);
}

void replace(Value& value, std::string_view workspace) {
  if (value.is_string())
    value = without_workspace(value.get<std::string>(), workspace);
  else if (value.is_structured())
    for (auto& each : value) replace(each, workspace);
}

}  // namespace

base::Digest request_key(std::string_view arguments, std::string_view workspace, bool drop_meta) {
  auto parsed = base::json::parse(arguments);
  if (!parsed) return base::sha256(arguments);
  if (drop_meta && parsed->is_object()) parsed->erase("_meta");
  if (workspace.size() > 1) replace(*parsed, workspace);
  return base::sha256(base::json::canonical(*parsed));
}

}  // namespace proxy::replay
