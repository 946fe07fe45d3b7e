#include "proxy/setup/folders.hpp"

#include <string_view>

#include "policy/path/path.hpp"
#include "proxy/base/json.hpp"

namespace proxy {
namespace {

void add_readings(std::vector<std::string>& folders, std::string_view text, const policy::Scene& scene) {
  for (const policy::PathReading& reading : policy::read_path(text, scene.directory, scene))
    folders.push_back(reading.path.lexical);
}

}  // namespace

std::optional<std::vector<std::string>> folders_of_server(const policy::ServerIdentity& server,
                                                          const policy::Scene& scene) {
  if (server.entry == nullptr || !server.entry->roots) return std::nullopt;
  return folders_of_arguments(server.arguments, scene);
}

std::vector<std::string> folders_of_arguments(const std::vector<std::string>& arguments,
                                              const policy::Scene& scene) {
  std::vector<std::string> folders;
  for (const std::string& argument : arguments)
    if (!argument.starts_with('-')) add_readings(folders, argument, scene);
  return folders;
}

std::vector<std::string> folders_of_roots(const transports::Message& answer, const policy::Scene& scene) {
  if (answer.is_error) return {};
  const auto result = base::json::parse(answer.at(answer.result));
  if (!result || !result->is_object()) return {"/"};
  const auto roots = result->find("roots");
  if (roots == result->end() || !roots->is_array()) return {"/"};
  std::vector<std::string> folders;
  for (const base::json::Value& root : *roots) {
    const auto uri = root.is_object() ? root.find("uri") : root.end();
    if (!root.is_object() || uri == root.end() || !uri->is_string()) return {"/"};
    add_readings(folders, uri->get_ref<const std::string&>(), scene);
  }
  return folders;
}

}  // namespace proxy
