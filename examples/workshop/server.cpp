#include "examples/workshop/server.hpp"

#include <algorithm>
#include <cstdio>

#include "examples/workshop/read_json.hpp"
#include "examples/workshop/tools.hpp"

namespace embedded {
extern const std::string_view examples_workshop_tools_json;
}

namespace workshop {

namespace {

constexpr std::size_t jobs_max = 256;

constexpr const char* notes_uri = "workshop://notes";
constexpr const char* notes = "Measure twice, cut once.";

// A member that is an object; an empty one where there is none.
const Json& object_at(const Json& parent, const char* name) {
  static const Json empty = Json::object();
  const auto found = parent.find(name);
  return found != parent.end() && found->is_object() ? *found : empty;
}

std::string string_at(const Json& parent, const char* name) {
  const auto found = parent.find(name);
  return found != parent.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string initialize_result(const Json& params) {
  const std::string asked = string_at(params, "protocolVersion");
  const std::string version = asked == "2025-06-18" || asked == "2025-03-26" ? asked : "2025-11-25";
  return R"({"protocolVersion":")" + version +
         R"(","capabilities":{"tools":{},"resources":{},"prompts":{},"logging":{}},)"
         R"("serverInfo":{"name":"workshop","title":"Workshop","version":"1.0.0"},)"
         R"("instructions":"Files, a shell command, a slow tool and a big result."})";
}

std::string tools_result() {
  static const std::string result =
      R"({"tools":)" + Json::parse(embedded::examples_workshop_tools_json).dump() + "}";
  return result;
}

std::string resources_result() {
  return R"({"resources":[{"uri":"workshop://notes","name":"notes","title":"Notes","mimeType":"text/plain"}]})";
}

std::string notes_result() {
  return R"({"contents":[{"uri":"workshop://notes","mimeType":"text/plain","text":)" + json_string(notes) +
         "}]}";
}

std::string prompts_result() {
  return R"({"prompts":[{"name":"greeting","title":"A greeting","description":"Greets somebody by name.",)"
         R"("arguments":[{"name":"name","description":"Whom to greet.","required":true}]}]})";
}

std::string greeting_result(const std::string& name) {
  return R"({"messages":[{"role":"user","content":{"type":"text","text":)" +
         json_string("Say hello to " + name + ".") + "}}]}";
}

bool usable_id(const Json& id) { return id.is_string() || id.is_number_integer(); }

}  // namespace

void Server::take(std::string_view line) {
  if (options_.noise) std::fprintf(stderr, "workshop: %zu bytes\n", line.size());
  const std::optional<Json> read = read_json(line);
  if (!read) return refuse(nullptr, parse_error, "the line is not JSON");
  const Json& message = *read;
  if (!message.is_object()) return refuse(nullptr, invalid_request, "the message is not an object");
  const auto id = message.find("id");
  const std::string method = string_at(message, "method");
  if (method.empty()) {
    // Answers to requests: we send none.
    if (message.contains("result") || message.contains("error")) return;
    return refuse(id != message.end() && usable_id(*id) ? *id : Json(), invalid_request,
                  "there is no method");
  }
  const Json& params = object_at(message, "params");
  if (id == message.end()) return notification(method, params);
  if (!usable_id(*id)) return refuse(nullptr, invalid_request, "the id is neither a string nor an integer");
  request(*id, method, params);
}

void Server::request(const Json& id, const std::string& method, const Json& params) {
  if (method == "tools/call") return call(id, params);
  if (method == "ping") return answer(id, "{}");
  if (method == "initialize") return answer(id, initialize_result(params));
  if (method == "tools/list") return answer(id, tools_result());
  if (method == "logging/setLevel") return answer(id, "{}");
  if (method == "resources/list") return answer(id, resources_result());
  if (method == "resources/templates/list") return answer(id, R"({"resourceTemplates":[]})");
  if (method == "prompts/list") return answer(id, prompts_result());
  if (method == "resources/read") {
    if (string_at(params, "uri") == notes_uri) return answer(id, notes_result());
    return refuse(id, -32002, "there is no such resource");
  }
  if (method == "prompts/get") {
    if (string_at(params, "name") != "greeting") return refuse(id, invalid_params, "there is no such prompt");
    return answer(id, greeting_result(string_at(object_at(params, "arguments"), "name")));
  }
  refuse(id, method_not_found, "there is no such method");
}

void Server::notification(const std::string& method, const Json& params) {
  if (method != "notifications/cancelled" || !params.contains("requestId")) return;
  jobs_.remove_if([&](const Running& running) { return running.id == params["requestId"]; });
}

void Server::call(const Json& id, const Json& params) {
  if (options_.die_after && calls_answered_ >= *options_.die_after) {
    must_die_ = true;
    return;
  }
  const std::string name = string_at(params, "name");
  if (!is_tool(name)) return refuse(id, invalid_params, "there is no tool `" + name + "`");
  if (jobs_.size() >= jobs_max) return answer(id, text_result("too many calls at once", true));
  const Json& meta = object_at(params, "_meta");
  const Json token = meta.contains("progressToken") ? meta["progressToken"] : Json();
  Outcome outcome = call_tool(name, object_at(params, "arguments"), token);
  if (auto* job = std::get_if<std::unique_ptr<Job>>(&outcome)) {
    jobs_.push_back({id, std::move(*job)});
    return;
  }
  ++calls_answered_;
  answer(id, std::get<std::string>(outcome));
}

void Server::step_jobs() {
  for (auto at = jobs_.begin(); at != jobs_.end();) {
    const std::optional<std::string> result = at->job->step(output_);
    if (!result) {
      ++at;
      continue;
    }
    ++calls_answered_;
    answer(at->id, *result);
    at = jobs_.erase(at);
  }
}

void Server::answer(const Json& id, std::string_view result) {
  if (options_.garbage) output_ += "this is no JSON {\n";
  output_ += result_line(id, result);
}

void Server::refuse(const Json& id, int code, std::string_view message) {
  if (options_.garbage) output_ += "this is no JSON {\n";
  output_ += error_line(id, code, message);
}

}  // namespace workshop
