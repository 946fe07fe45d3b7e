#include "proxy/starter/find.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <system_error>

#include "policy/catalogue/catalogue.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/text.hpp"
#include "proxy/setup/server_name.hpp"

namespace proxy::starter {
namespace {

using base::json::Value;

constexpr std::size_t configuration_bytes_max = 1u << 20;
constexpr std::array<const char*, 3> configurations{".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"};

bool is_file(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

// A folder of the workspace itself, not a link to another.
bool is_folder(const std::string& path) {
  std::error_code error;
  return std::filesystem::symlink_status(path, error).type() == std::filesystem::file_type::directory;
}

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string text_of(const Value& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::vector<std::string> command_of(const Value& server) {
  std::vector<std::string> command{text_of(server, "command")};
  if (command.front().empty()) return {};
  const auto arguments = server.find("args");
  if (arguments != server.end() && arguments->is_array())
    for (const Value& word : *arguments)
      if (word.is_string()) command.push_back(word.get<std::string>());
  return command;
}

// `callgate run [--name NAME] … -- COMMAND` is COMMAND under that name.
std::string unwrap(std::vector<std::string>& command) {
  std::string name;
  const auto end = std::find(command.begin(), command.end(), "--");
  for (auto word = command.begin(); word != end; ++word) {
    if (*word == "--name" && word + 1 != end) name = *(word + 1);
    if (word->starts_with("--name=")) name = word->substr(7);
  }
  command.erase(command.begin(), end == command.end() ? end : end + 1);
  return name;
}

// Nothing of the command line but the program's name: arguments may hold keys.
Server read_server(const std::string& file, const std::string& key, const Value& value) {
  Server server{.file = file, .key = key};
  std::vector<std::string> command = command_of(value);
  std::string given;
  server.guarded = command.size() > 1 && base_name(command[0]) == "callgate" && command[1] == "run";
  if (server.guarded) given = unwrap(command);
  if (command.empty()) return server;
  const policy::ServerIdentity identity = policy::identify(command, given);
  server.program = base_name(command.front());
  server.name = good_server_name(identity.name) ? identity.name : "SERVER";
  if (identity.entry != nullptr) server.entry = identity.entry->name;
  return server;
}

void find_languages(const std::string& workspace, Found& found) {
  std::set<std::string> folders;
  for (const Language& language : languages()) {
    const bool here =
        std::any_of(language.markers.begin(), language.markers.end(),
                    [&](const std::string& marker) { return is_file(workspace + "/" + marker); });
    if (!here) continue;
    found.languages.push_back(&language);
    for (const std::string& folder : language.sources)
      if (is_folder(workspace + "/" + folder)) folders.insert(folder);
  }
  found.folders.assign(folders.begin(), folders.end());
}

}  // namespace

base::Result<std::vector<Server>> read_servers(const std::string& file, std::string_view json) {
  const auto value = base::json::parse(json);
  if (!value) return value.error();
  std::vector<Server> servers;
  if (!value->is_object()) return servers;
  for (const char* key : {"mcpServers", "servers"}) {
    const auto list = value->find(key);
    if (list == value->end() || !list->is_object()) continue;
    for (const auto& [name, server] : list->items())
      if (server.is_object()) servers.push_back(read_server(file, name, server));
  }
  return servers;
}

Search find(const std::string& workspace) {
  Search search;
  find_languages(workspace, search.found);
  for (const char* file : configurations) {
    const auto bytes = base::read_file(workspace + "/" + file, configuration_bytes_max);
    if (!bytes && bytes.error().code() == base::Code::not_found) continue;
    const auto servers =
        bytes ? read_servers(file, *bytes) : base::Result<std::vector<Server>>(bytes.error());
    if (servers)
      search.found.servers.insert(search.found.servers.end(), servers->begin(), servers->end());
    else
      search.unread.push_back(base::quoted(file) + " is passed over: " + servers.error().message());
  }
  return search;
}

}  // namespace proxy::starter
