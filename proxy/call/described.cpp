#include "proxy/call/described.hpp"

#include <utility>

#include "proxy/base/json.hpp"
#include "proxy/call/records.hpp"

namespace proxy {

std::optional<policy::Call> described_call(policy::Call where, const transports::Message& message) {
  const transports::Span judged = judged_part(message);
  where.method = message.method;
  where.tool = tool_of(message);
  where.arguments = base::json::Value::object();
  if (!judged.present()) return where;
  auto arguments = base::json::parse(message.at(judged));
  if (!arguments) return std::nullopt;
  where.arguments = std::move(*arguments);
  // The protocol's own: a tool's arguments have none, and another method's is no argument.
  if (where.tool.empty() && where.arguments.is_object()) where.arguments.erase("_meta");
  return where;
}

}  // namespace proxy
