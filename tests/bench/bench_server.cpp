// bench_server: the leanest MCP server over stdio that bench_client can talk to: `echo {text}`, `big
// {bytes}`. It looks for keys instead of parsing, and keeps its big answer, so that a benchmark measures what
// stands before it. Only for input as bench_client writes it; `examples/workshop` is the real server.

#include <unistd.h>

#include <charconv>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr std::string_view head = R"({"jsonrpc":"2.0","id":)";
constexpr std::string_view text_begin = R"(,"result":{"content":[{"type":"text","text":")";
constexpr std::string_view text_end = "\"}]}}\n";
constexpr std::string_view initialized =
    R"(,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"workshop","version":"1"}}})"
    "\n";
constexpr std::string_view tools =
    R"(,"result":{"tools":[{"name":"echo","inputSchema":{"type":"object","properties":{"text":{"type":"string"}}}},)"
    R"({"name":"big","inputSchema":{"type":"object","properties":{"bytes":{"type":"integer"}}}}]}})"
    "\n";

// What follows `key`, up to `stop`.
std::string_view after(std::string_view line, std::string_view key, std::string_view stop) {
  const std::size_t at = line.find(key);
  if (at == line.npos) return {};
  const std::size_t begin = at + key.size();
  const std::size_t end = line.find_first_of(stop, begin);
  return line.substr(begin, end == line.npos ? line.npos : end - begin);
}

void answer(std::string_view line, std::string& out) {
  const std::string_view id = after(line, "\"id\":", ",}");
  if (id.empty()) return;
  out.append(head).append(id);
  if (line.find("\"method\":\"initialize\"") != line.npos)
    out += initialized;
  else if (line.find("\"method\":\"tools/list\"") != line.npos)
    out += tools;
  else if (line.find("\"name\":\"echo\"") != line.npos)
    out.append(text_begin).append(after(line, "\"text\":\"", "\"")).append(text_end);
  else if (line.find("\"name\":\"big\"") != line.npos) {
    static std::string big;
    std::size_t bytes = 0;
    const std::string_view digits = after(line, "\"bytes\":", ",}");
    std::from_chars(digits.data(), digits.data() + digits.size(), bytes);
    big.resize(bytes, 'x');
    out.append(text_begin).append(big).append(text_end);
  } else {
    out += ",\"result\":{}}\n";
  }
}

bool write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

int main() {
  std::vector<char> piece(64 * 1024);
  std::string input, output;
  while (true) {
    const ssize_t count = read(STDIN_FILENO, piece.data(), piece.size());
    if (count <= 0) return 0;
    input.append(piece.data(), static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = input.find('\n', begin)) != input.npos; begin = end + 1)
      answer(std::string_view(input).substr(begin, end - begin), output);
    input.erase(0, begin);
    if (!write_all(output)) return 0;
    output.clear();
  }
}
