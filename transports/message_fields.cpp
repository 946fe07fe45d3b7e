#include "transports/message_fields.hpp"

#include <array>
#include <span>

#include "proxy/base/json.hpp"

namespace transports {
namespace {

constexpr std::array<std::string_view, 6> message_keys = {"jsonrpc", "id",     "method",
                                                          "params",  "result", "error"};
// What a call is judged by, whatever its method.
constexpr std::array<std::string_view, 22> params_keys = {
    "name",          "arguments",     "uri",          "_meta",           "requestId",
    "progressToken", "ref",           "argument",     "context",         "task",
    "taskId",        "url",           "mode",         "message",         "messages",
    "tools",         "toolChoice",    "systemPrompt", "requestedSchema", "elicitationId",
    "requestState",  "inputResponses"};
constexpr std::string_view version_key = "io.modelcontextprotocol/protocolVersion";
constexpr std::array<std::string_view, 2> meta_keys = {"progressToken", version_key};

// The folded character that starts `text`, and its length in bytes. Anything that does not fold to ASCII
// gives 0.
struct Folded {
  char character = 0;
  std::size_t length = 1;
};

Folded folded(std::string_view text) {
  const char first = text.front();
  if (first >= 'A' && first <= 'Z') return {static_cast<char>(first - 'A' + 'a'), 1};
  if (static_cast<unsigned char>(first) < 0x80) return {first, 1};
  if (text.starts_with("\u017F")) return {'s', 2};
  if (text.starts_with("\u0130") || text.starts_with("\u0131")) return {'i', 2};
  if (text.starts_with("\u212A")) return {'k', 3};
  return {};
}

class Collector {
 public:
  explicit Collector(std::string_view text) : text_(text) {}
  MessageFields fields;

  void member(const base::json::Member& member) {
    const std::string_view key = member.path.back();
    if (member.path.size() == 1) return top_level(key, member.value);
    const std::string_view outer = member.path.front();
    if (outer == "params" && member.path.size() == 2) return inside_params(key, member.value);
    if (outer == "params" && member.path[1] == "_meta") return inside_meta(key, member.value);
    if (outer == "result" && member.path.size() == 2 && key == "isError")
      fields.result_is_error = text_.substr(member.value.offset, member.value.size) == "true";
  }

 private:
  using Place = base::json::Place;

  void top_level(std::string_view key, const Place& value) {
    if (key == "jsonrpc")
      fields.jsonrpc = value;
    else if (key == "id")
      fields.id = value;
    else if (key == "method")
      fields.method = value;
    else if (key == "params")
      fields.params = value;
    else if (key == "result")
      fields.result = value;
    else if (key == "error")
      fields.error = value;
    else {
      fields.more = true;
      look_for_variant(key, message_keys);
    }
  }

  void inside_params(std::string_view key, const Place& value) {
    if (key == "name")
      fields.name = value;
    else if (key == "arguments")
      fields.arguments = value;
    else if (key == "_meta")
      fields.meta = value;
    else
      beside(key, value);
  }

  void beside(std::string_view key, const Place& value) {
    fields.beside.emplace_back(key, value);
    if (key == "requestId")
      fields.request_id = value;
    else if (key == "progressToken")
      fields.progress_token = value;
    else
      look_for_variant(key, params_keys);
  }

  void inside_meta(std::string_view key, const Place& value) {
    if (key == "progressToken")
      fields.meta_progress_token = value;
    else if (key == version_key)
      fields.modern = true;
    else
      look_for_variant(key, meta_keys);
  }

  void look_for_variant(std::string_view key, std::span<const std::string_view> known) {
    if (!fields.variant.empty() || key.size() > 128) return;
    for (const std::string_view candidate : known)
      if (key != candidate && case_variant(key, candidate)) fields.variant = key;
  }

  std::string_view text_;
};

}  // namespace

bool case_variant(std::string_view key, std::string_view known) {
  for (const char expected : known) {
    if (key.empty()) return false;
    const Folded next = folded(key);
    if (next.character != folded({&expected, 1}).character) return false;
    key.remove_prefix(next.length);
  }
  return key.empty();
}

base::Result<MessageFields> read_fields(std::string_view text, std::size_t bytes_max, std::size_t depth_max) {
  Collector collector(text);
  const base::json::Visit visit = [&collector](const base::json::Member& member) {
    collector.member(member);
  };
  const auto top = base::json::scan(text, {.bytes_max = bytes_max, .depth_max = depth_max}, visit);
  if (!top) return top.error();
  collector.fields.top = *top;
  return std::move(collector.fields);
}

}  // namespace transports
