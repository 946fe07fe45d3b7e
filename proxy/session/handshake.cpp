#include "proxy/session/handshake.hpp"

#include <cstddef>

#include "proxy/base/json.hpp"
#include "proxy/base/text.hpp"

namespace proxy {
namespace {

constexpr std::size_t claim_bytes_max = 200;

// The string at this member (of this member) of a foreign value.
std::string text_in(const base::Result<base::json::Value>& value, const char* key,
                    const char* inner = nullptr) {
  if (!value || !value->is_object() || !value->contains(key)) return {};
  const base::json::Value* found = &(*value)[key];
  if (inner != nullptr) {
    if (!found->is_object() || !found->contains(inner)) return {};
    found = &(*found)[inner];
  }
  return found->is_string() ? base::bounded(found->get_ref<const std::string&>(), claim_bytes_max)
                            : std::string();
}

}  // namespace

void read_client(Handshake& handshake, const transports::Message& initialize) {
  const auto params = base::json::parse(initialize.at(initialize.params));
  handshake.client_name = text_in(params, "clientInfo", "name");
  handshake.client_version = text_in(params, "clientInfo", "version");
}

void read_server(Handshake& handshake, const transports::Message& answer) {
  const auto result = base::json::parse(answer.at(answer.result));
  handshake.protocol = text_in(result, "protocolVersion");
  handshake.server_name = text_in(result, "serverInfo", "name");
  handshake.server_version = text_in(result, "serverInfo", "version");
}

}  // namespace proxy
