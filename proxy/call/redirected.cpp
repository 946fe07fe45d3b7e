#include "proxy/call/redirected.hpp"

#include <utility>

#include "proxy/base/json.hpp"
#include "proxy/base/json_find.hpp"
#include "transports/limits.hpp"

namespace proxy {

base::Result<transports::Message> redirected(const transports::Message& request,
                                             const policy::Redirected& changes) {
  const base::Error failed(base::Code::invalid, "the redirected call cannot be written");
  if (!request.arguments.present()) return failed;
  std::string arguments(request.at(request.arguments));
  for (const policy::Change& change : changes.changes) {
    auto changed = base::json::replaced(arguments, change.argument, change.value);
    if (!changed) return failed;
    arguments = std::move(*changed);
  }
  std::string line = request.bytes;
  line.replace(request.arguments.offset, request.arguments.size, arguments);
  auto parsed = transports::parse(std::move(line), transports::Limits());
  if (!parsed) return failed;
  transports::Message message = std::move(parsed.message());
  // What was judged is what is forwarded.
  const auto tree = base::json::parse(message.at(message.arguments));
  const bool same = tree && base::json::canonical(*tree) == changes.arguments && message.id == request.id &&
                    message.method == request.method && message.name == request.name &&
                    message.beside == request.beside && message.progress_token == request.progress_token;
  if (!same) return failed;
  return message;
}

}  // namespace proxy
