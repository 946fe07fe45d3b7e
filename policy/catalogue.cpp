#include "policy/catalogue.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <array>

#include "proxy/base/check.hpp"
#include "proxy/base/text.hpp"

namespace embedded {
extern const std::string_view policy_catalogue_tools_toml;
extern const std::string_view policy_catalogue_commands_toml;
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

base::Result<std::vector<EffectKind>> kinds(const toml::node& node, std::string_view where) {
  auto names = strings(node, where);
  if (!names) return names.error();
  std::vector<EffectKind> list;
  constexpr std::array allowed{EffectKind::read, EffectKind::write, EffectKind::remove, EffectKind::connect};
  for (const std::string& text : *names) {
    const auto* found =
        std::find_if(allowed.begin(), allowed.end(), [&](EffectKind kind) { return text == name(kind); });
    if (found == allowed.end()) return wrong(where, "holds an unknown effect");
    list.push_back(*found);
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

bool* flag_of(CommandEntry& entry, std::string_view key) {
  if (key == "recursive") return &entry.recursive;
  if (key == "first_is_pattern") return &entry.first_is_pattern;
  if (key == "first_is_subcommand") return &entry.first_is_subcommand;
  if (key == "starts_first") return &entry.starts_first;
  if (key == "guess") return &entry.guess;
  if (key == "opaque") return &entry.opaque;
  if (key == "own_directory") return &entry.own_directory;
  return nullptr;
}

std::vector<std::string>* words_of(CommandEntry& entry, std::string_view key) {
  if (key == "recursive_options") return &entry.recursive_options;
  if (key == "opaque_options") return &entry.opaque_options;
  if (key == "opaque_words") return &entry.opaque_words;
  if (key == "opaque_pairs") return &entry.opaque_pairs;
  if (key == "opaque_starts") return &entry.opaque_starts;
  if (key == "outside_reads") return &entry.outside_reads;
  if (key == "pattern_options") return &entry.pattern_options;
  if (key == "value_options") return &entry.value_options;
  if (key == "whole_options") return &entry.whole_options;
  if (key == "harmless_options") return &entry.harmless_options;
  return nullptr;
}

base::Result<CommandEntry> parse_command(std::string_view program, const toml::table& table) {
  CommandEntry entry;
  for (const auto& [key, node] : table) {
    const std::string_view word = key.str();
    if (bool* flag = flag_of(entry, word)) {
      *flag = node.value_or(false);
    } else if (word == "operands" || word == "last") {
      auto list = kinds(node, program);
      if (!list) return list.error();
      (word == "last" ? entry.last : entry.operands) = std::move(*list);
    } else {
      std::vector<std::string>* list = words_of(entry, word);
      if (list == nullptr) return wrong(program, "has an unknown key " + base::quoted(word));
      auto words = strings(node, program);
      if (!words) return words.error();
      *list = std::move(*words);
      entry.lists_harmless = entry.lists_harmless || list == &entry.harmless_options;
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
  const toml::node* neutral = root.get("neutral_variables");
  const toml::table* commands = root["commands"].as_table();
  if (neutral == nullptr || commands == nullptr) return wrong("commands", "is missing");
  auto variables = strings(*neutral, "neutral_variables");
  if (!variables) return variables.error();
  catalogue.neutral_variables = std::move(*variables);
  for (const auto& [key, node] : *commands) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return wrong(key.str(), "must be a table");
    auto entry = parse_command(key.str(), *table);
    if (!entry) return entry.error();
    catalogue.commands.emplace(std::string(key.str()), std::move(*entry));
  }
  return {};
}

}  // namespace

const CatalogueEntry* Catalogue::server(std::string_view name) const {
  const auto found = servers.find(name);
  return found == servers.end() ? nullptr : &found->second;
}

const CommandEntry* Catalogue::command(std::string_view program) const {
  const auto found = commands.find(program);
  return found == commands.end() ? nullptr : &found->second;
}

bool Catalogue::neutral_variable(std::string_view name) const {
  return std::any_of(neutral_variables.begin(), neutral_variables.end(),
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
    auto parsed =
        parse_catalogue(embedded::policy_catalogue_tools_toml, embedded::policy_catalogue_commands_toml);
    CHECK(parsed.has_value());
    return std::make_shared<const Catalogue>(std::move(*parsed));
  }();
  return built_in;
}

}  // namespace policy
