#include "proxy/replay/player.hpp"

#include <algorithm>
#include <set>

#include "proxy/base/json.hpp"
#include "proxy/base/text.hpp"
#include "proxy/base/utf8.hpp"

namespace proxy::replay {
namespace {

constexpr int method_not_found = -32601;
constexpr int not_on_record = -32004;

std::string json_text(std::string_view text) {
  std::string out;
  base::json::append_string(
      out, base::utf8::valid(text) ? std::string(text) : base::printable(text, 4 * text.size()));
  return out;
}

std::string result_line(const std::string& id, std::string_view result) {
  return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + std::string(result) + "}";
}

std::string error_line(const std::string& id, std::string_view error) {
  return "{\"jsonrpc\":\"2.0\",\"id\":" + (id.empty() ? "null" : id) + ",\"error\":" + std::string(error) +
         "}";
}

std::string error_of(int code, std::string_view text) {
  return "{\"code\":" + std::to_string(code) + ",\"message\":" + json_text(text) + "}";
}

// The requests that are calls: the others need no recording.
bool is_call(const std::string& method) {
  return method == "tools/call" || method == "resources/read" || method == "prompts/get";
}

// What a reading of it would say of a call that cannot be answered.
std::string refusal(const transports::Message& request, const std::string& text) {
  if (request.method != "tools/call") return error_line(request.id, error_of(not_on_record, text));
  return result_line(request.id,
                     "{\"content\":[{\"type\":\"text\",\"text\":" + json_text(text) + "}],\"isError\":true}");
}

}  // namespace

Player::Player(Recording recording, Match match)
    : recording_(std::move(recording)), match_(match), used_(recording_.exchanges.size()) {
  for (const Exchange& exchange : recording_.exchanges)
    keys_.push_back(key_of(exchange, recording_.workspace));
}

std::string Player::answer(std::string line) {
  auto parsed = transports::parse(std::move(line), {});
  if (!parsed) {
    const transports::Refusal& refused = parsed.refusal();
    return refused.answerable ? error_line(refused.id, error_of(refused.code, refused.error.message())) : "";
  }
  const transports::Message& message = parsed.message();
  if (message.kind != transports::Kind::request) return {};
  const std::string& method = message.method;
  if (is_call(method)) return answer_call(message);
  if (method == "ping" || method == "logging/setLevel") return result_line(message.id, "{}");
  if (method == "initialize") {
    const auto params = base::json::parse(message.at(message.params));
    std::string protocol = recording_.protocol;
    if (protocol.empty() && params && params->is_object() && params->contains("protocolVersion") &&
        (*params)["protocolVersion"].is_string())
      protocol = (*params)["protocolVersion"].get<std::string>();
    return result_line(
        message.id,
        "{\"protocolVersion\":" + json_text(protocol) +
            ",\"capabilities\":{\"tools\":{},\"resources\":{},\"prompts\":{}},\"serverInfo\":{\"name\":" +
            json_text(recording_.server_name.empty() ? recording_.server : recording_.server_name) +
            ",\"version\":" + json_text(recording_.server_version) + "}}");
  }
  if (method == "tools/list") return result_line(message.id, tools());
  if (method == "resources/list") return result_line(message.id, "{\"resources\":[]}");
  if (method == "resources/templates/list") return result_line(message.id, "{\"resourceTemplates\":[]}");
  if (method == "prompts/list") return result_line(message.id, "{\"prompts\":[]}");
  return error_line(message.id, error_of(method_not_found,
                                         "a recording does not answer `" + base::printable(method) + "`"));
}

// Those that were called: lists are not on record.
std::string Player::tools() const {
  std::set<std::string> names;
  for (const Exchange& exchange : recording_.exchanges)
    if (!exchange.name.empty()) names.insert(exchange.name);
  std::string list;
  for (const std::string& name : names)
    list += (list.empty() ? "" : ",") + ("{\"name\":" + json_text(name)) +
            ",\"inputSchema\":{\"type\":\"object\"}}";
  return "{\"tools\":[" + list + "]}";
}

const Exchange* Player::find(const std::string& name, const std::string& method, const base::Digest& key) {
  const auto& all = recording_.exchanges;
  const auto same = [&](std::size_t i) {
    return all[i].method == method && all[i].name == name && keys_[i] == key;
  };
  if (match_ == Match::strict) {
    if (next_ >= all.size() || !same(next_)) return nullptr;
    used_[next_] = true;
    return &all[next_++];
  }
  const Exchange* last = nullptr;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!same(i)) continue;
    last = &all[i];
    if (used_[i]) continue;
    used_[i] = true;
    return last;
  }
  return match_ == Match::arguments ? last : nullptr;
}

std::string Player::answer_call(const transports::Message& request) {
  const bool tool = request.method == "tools/call";
  Exchange asked;
  asked.method = request.method;
  if (tool) asked.name = request.name;
  asked.arguments = request.at(tool ? request.arguments : request.params);
  const Exchange* exchange = find(asked.name, asked.method, key_of(asked, recording_.workspace));
  if (exchange == nullptr) return unmatched(request, called(asked));
  if (!exchange->gone.empty())
    return refusal(request, "recorded as call " + std::to_string(exchange->record) +
                                ", but there is no answer to give: " + exchange->gone);
  return exchange->error ? error_line(request.id, exchange->answer)
                         : result_line(request.id, exchange->answer);
}

std::string Player::unmatched(const transports::Message& request, const std::string& name) {
  extra_.push_back(
      name + " " +
      base::printable(request.at(request.arguments.present() ? request.arguments : request.params)));
  std::string text = "this call is not in the recording";
  for (std::size_t i = match_ == Match::strict ? next_ : 0; i < recording_.exchanges.size(); ++i) {
    const Exchange& each = recording_.exchanges[i];
    if (used_[i] || (match_ != Match::strict && called(each) != name)) continue;
    text += "; there is call " + std::to_string(each.record) + ", `" + base::printable(called(each)) +
            "` with " + base::printable(each.arguments, 300);
    break;
  }
  return refusal(request, text);
}

Divergence Player::divergence() const {
  Divergence divergence{extra_, {}};
  for (std::size_t i = 0; i < used_.size(); ++i)
    if (!used_[i]) divergence.unmade.push_back(&recording_.exchanges[i]);
  return divergence;
}

}  // namespace proxy::replay
