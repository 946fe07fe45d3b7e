#include "policy/catalogue/catalogue.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <array>

#include "policy/command/parse_entries.hpp"
#include "proxy/base/check.hpp"
#include "proxy/base/text.hpp"

namespace embedded {
extern const std::string_view policy_catalogue_tools_toml;
extern const std::string_view policy_catalogue_commands_toml;
extern const std::string_view policy_catalogue_commands_git_toml;
extern const std::string_view policy_catalogue_commands_languages_toml;
extern const std::string_view policy_catalogue_commands_network_toml;
extern const std::string_view policy_catalogue_commands_system_toml;
}  // namespace embedded

namespace policy {

namespace {

base::Error wrong(std::string_view where, std::string_view what) {
  return base::Error(base::Code::invalid, base::quoted(where) + " " + std::string(what));
}

// A string or a list of strings.
base::Result<std::vector<std::string>> strings(const toml::node& node, std::string_view where) {
  std::vector<std::string> list;
  if (const auto text = node.value<std::string>()) {
    list.push_back(*text);
    return list;
  }
  const toml::array* array = node.as_array();
  if (array == nullptr) return wrong(where, "must be a string or a list of strings");
  for (const toml::node& item : *array) {
    const auto text = item.value<std::string>();
    if (!text) return wrong(where, "must hold strings");
    list.push_back(*text);
  }
  return list;
}

std::vector<std::string>* list_of(ToolDeclaration& tool, std::string_view key) {
  if (key == "read") return &tool.read;
  if (key == "write") return &tool.write;
  if (key == "delete") return &tool.remove;
  if (key == "run") return &tool.run;
  if (key == "connect") return &tool.connect;
  if (key == "content") return &tool.content;
  if (key == "cwd") return &tool.cwd;
  if (key == "env") return &tool.env;
  if (key == "resource") return &tool.resource;
  if (key == "ignore") return &tool.ignore;
  return nullptr;
}

base::Result<CatalogueTool> parse_tool(const toml::table& table, std::string_view where) {
  CatalogueTool tool;
  for (const auto& [key, node] : table) {
    if (key.str() == "recursive" && node.is_boolean()) {
      tool.recursive = node.value_or(false);
    } else if (key.str() == "shell" && node.value<std::string>() == "sh") {
      tool.declaration.shell = Shell::sh;
    } else if (key.str() == "shell" && node.value<std::string>() == "bash") {
      tool.declaration.shell = Shell::bash;
    } else if (std::vector<std::string>* list = list_of(tool.declaration, key.str())) {
      auto pointers = strings(node, where);
      if (!pointers) return pointers.error();
      *list = std::move(*pointers);
    } else {
      return wrong(where, "has an unknown key " + base::quoted(key.str()));
    }
  }
  return tool;
}

base::Result<CatalogueEntry> parse_server(std::string_view server_name, const toml::table& table) {
  CatalogueEntry entry;
  entry.name = server_name;
  for (const auto& [key, node] : table) {
    if (key.str() == "tools" && node.is_table()) {
      for (const auto& [tool_name, tool_node] : *node.as_table()) {
        const toml::table* tool_table = tool_node.as_table();
        if (tool_table == nullptr) return wrong(tool_name.str(), "must be a table");
        auto tool = parse_tool(*tool_table, tool_name.str());
        if (!tool) return tool.error();
        entry.tools.emplace(std::string(tool_name.str()), std::move(*tool));
      }
      continue;
    }
    if (key.str() == "roots" && node.is_boolean()) {
      entry.roots = node.as_boolean()->get();
      continue;
    }
    auto list = strings(node, key.str());
    if (!list) return list.error();
    if (key.str() == "packages") {
      entry.packages = std::move(*list);
    } else if (key.str() == "programs") {
      entry.programs = std::move(*list);
    } else if (key.str() == "modules") {
      entry.modules = std::move(*list);
    } else {
      return wrong(server_name, "has an unknown key " + base::quoted(key.str()));
    }
  }
  return entry;
}

// toml++ throws on broken text: caught here, at the edge to the library.
base::Result<toml::table> parse_toml(std::string_view text) {
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    return base::Error(base::Code::invalid, std::string(error.description()));
  }
}

base::Result<void> read_servers(const toml::table& root, Catalogue& catalogue) {
  const toml::table* servers = root["servers"].as_table();
  if (servers == nullptr) return wrong("servers", "is missing");
  for (const auto& [key, node] : *servers) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return wrong(key.str(), "must be a table");
    auto entry = parse_server(key.str(), *table);
    if (!entry) return entry.error();
    catalogue.servers.emplace(std::string(key.str()), std::move(*entry));
  }
  return {};
}

base::Result<void> read_commands(const toml::table& root, Catalogue& catalogue) {
  for (const auto& [key, list] : {std::pair("neutral_variables", &catalogue.neutral_variables),
                                  std::pair("special_variables", &catalogue.special_variables)}) {
    const toml::node* node = root.get(key);
    if (node == nullptr) return wrong(key, "is missing");
    auto variables = strings(*node, key);
    if (!variables) return variables.error();
    *list = std::move(*variables);
  }
  const toml::table* commands = root["commands"].as_table();
  if (commands == nullptr) return wrong("commands", "is missing");
  if (const auto found = command::parse_entries(*commands, catalogue.commands))
    return wrong("commands", found->what);
  return {};
}

}  // namespace

const CatalogueEntry* Catalogue::server(std::string_view name) const {
  const auto found = servers.find(name);
  return found == servers.end() ? nullptr : &found->second;
}

const command::Entry* Catalogue::command(std::string_view program) const {
  const auto found = commands.find(program);
  return found == commands.end() ? nullptr : &found->second;
}

// `NAME`, or `NAME=VALUE` of some values alone.
bool Catalogue::neutral_variable(std::string_view name, std::string_view value) const {
  return std::any_of(neutral_variables.begin(), neutral_variables.end(), [&](std::string_view each) {
    const std::size_t equals = each.find('=');
    if (equals == std::string_view::npos) return base::glob_match(each, name);
    return each.substr(0, equals) == name && base::glob_match(each.substr(equals + 1), value);
  });
}

bool Catalogue::special_variable(std::string_view name) const {
  return std::any_of(special_variables.begin(), special_variables.end(),
                     [&](const std::string& glob) { return base::glob_match(glob, name); });
}

base::Result<Catalogue> parse_catalogue(std::string_view tools_toml, std::string_view commands_toml) {
  Catalogue catalogue;
  auto tools = parse_toml(tools_toml);
  if (!tools) return tools.error();
  if (auto read = read_servers(*tools, catalogue); !read) return read.error();
  auto commands = parse_toml(commands_toml);
  if (!commands) return commands.error();
  if (auto read = read_commands(*commands, catalogue); !read) return read.error();
  return catalogue;
}

std::shared_ptr<const Catalogue> built_in_catalogue() {
  static const std::shared_ptr<const Catalogue> built_in = [] {
    std::string commands;
    for (const std::string_view part :
         {embedded::policy_catalogue_commands_toml, embedded::policy_catalogue_commands_git_toml,
          embedded::policy_catalogue_commands_languages_toml,
          embedded::policy_catalogue_commands_network_toml, embedded::policy_catalogue_commands_system_toml})
      commands += part;
    auto parsed = parse_catalogue(embedded::policy_catalogue_tools_toml, commands);
    CHECK(parsed.has_value());
    return std::make_shared<const Catalogue>(std::move(*parsed));
  }();
  return built_in;
}

}  // namespace policy
