// What parse() accepts means the same to another parser, keeps its bytes, and the skimmer reads the same id
// from it.
#include <cstddef>
#include <cstdint>
#include <string>

#include "proxy/base/check.hpp"
#include "proxy/base/json.hpp"
#include "transports/id.hpp"
#include "transports/id_skimmer.hpp"
#include "transports/message.hpp"

namespace {

void check_message(const std::string& line, const transports::Message& message) {
  const auto tree = base::json::Value::parse(line, nullptr, false);
  CHECK(tree.is_object());
  CHECK(message.bytes == line);
  CHECK(tree.contains("id") == !message.id.empty());
  if (!message.id.empty()) {
    CHECK(base::json::Value::parse(message.id) == tree["id"]);
    CHECK(!transports::id_key(message.id).empty());
  }
  if (message.kind == transports::Kind::response) {
    CHECK(base::json::Value::parse(message.at(message.result)) ==
          tree[message.is_error ? "error" : "result"]);
  } else {
    CHECK(tree["method"] == message.method);
    CHECK(message.params.present() == tree.contains("params"));
    if (message.params.present())
      CHECK(base::json::Value::parse(message.at(message.params)) == tree["params"]);
    if (message.arguments.present())
      CHECK(base::json::Value::parse(message.at(message.arguments)) == tree["params"]["arguments"]);
    if (!message.name.empty()) CHECK(tree["params"]["name"] == message.name);
  }
  transports::IdSkimmer skimmer;
  for (const char byte : line) skimmer.push({&byte, 1});
  const transports::Refusal refusal = skimmer.refusal(0, {});
  CHECK(refusal.id == message.id);
  CHECK(refusal.answerable == (message.kind == transports::Kind::request));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string line(reinterpret_cast<const char*>(data), size);
  auto parsed = transports::parse(line, transports::Limits{});
  if (parsed) {
    check_message(line, parsed.message());
  } else if (!parsed.refusal().id.empty()) {
    CHECK(transports::echoable_id(parsed.refusal().id));
  }
  return 0;
}
