#include <array>

#include "policy/load/parts.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

struct PointerKey {
  std::string_view name;
  std::vector<std::string> ToolDeclaration::*list;
};

constexpr std::array<PointerKey, 12> pointer_keys{{{"read", &ToolDeclaration::read},
                                                   {"write", &ToolDeclaration::write},
                                                   {"delete", &ToolDeclaration::remove},
                                                   {"run", &ToolDeclaration::run},
                                                   {"connect", &ToolDeclaration::connect},
                                                   {"content", &ToolDeclaration::content},
                                                   {"cwd", &ToolDeclaration::cwd},
                                                   {"env", &ToolDeclaration::env},
                                                   {"method", &ToolDeclaration::method},
                                                   {"headers", &ToolDeclaration::headers},
                                                   {"resource", &ToolDeclaration::resource},
                                                   {"ignore", &ToolDeclaration::ignore}}};

bool valid_pointer(std::string_view text) {
  if (!text.empty() && text.front() != '/') return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '~' && (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1'))) return false;
  return true;
}

base::Result<std::string> pointer(std::string_view text) {
  if (valid_pointer(text)) return std::string(text);
  return base::Error(base::Code::invalid,
                     base::quoted(text) + " is no JSON pointer; one starts with `/`, as in `/path`");
}

std::optional<Shell> read_shell(TomlReader& reader, const toml::node& node) {
  const auto word = reader.string(node, "shell");
  if (!word) return std::nullopt;
  if (*word == "sh") return Shell::sh;
  if (*word == "bash") return Shell::bash;
  if (*word == "zsh") return Shell::zsh;
  if (*word == "none") return Shell::none;
  reader.fail(node, "the shell " + base::quoted(*word) + " is not `sh`, `bash`, `zsh` or `none`");
  return std::nullopt;
}

// `SERVER/TOOL`, split at the first slash: a server's name holds none.
void read_name(TomlReader& reader, const toml::key& key, ToolDeclaration& tool) {
  const std::string_view text = key.str();
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) {
    reader.fail(key.source(),
                "the tool " + base::quoted(text) + " must be `SERVER/TOOL`, as in `\"*/read_file\"`");
    return;
  }
  auto server = NamePattern::compile(text.substr(0, slash));
  auto name = NamePattern::compile(text.substr(slash + 1));
  if (server.has_error() || name.has_error()) {
    reader.fail(key.source(), "the tool " + base::quoted(text) + " lacks its server or its tool");
    return;
  }
  tool.server = std::move(*server);
  tool.tool = std::move(*name);
}

// A key that needs another to mean anything.
void check_company(TomlReader& reader, const toml::table& table, const ToolDeclaration& tool) {
  const auto needs = [&](std::string_view key, bool met, const char* what) {
    const toml::node* node = table.get(key);
    if (node != nullptr && !met) reader.fail(*node, base::quoted(key) + " means nothing without " + what);
  };
  const bool connects = !tool.connect.empty() || !tool.resource.empty();
  needs("shell", !tool.run.empty(), "`run`");
  needs("env", !tool.run.empty(), "`run`");
  needs("content", !tool.write.empty() || connects, "`write` or `connect`");
  needs("method", connects, "`connect`");
  needs("headers", connects, "`connect`");
}

}  // namespace

ToolDeclaration read_tool(FileContext& context, const toml::table& table) {
  std::vector<std::string_view> known{"shell"};
  for (const PointerKey& key : pointer_keys) known.push_back(key.name);
  context.reader.check_keys(table, known);
  ToolDeclaration tool;
  tool.layer = context.layer;
  tool.place = context.layer == Layer::built_in ? "" : context.reader.place(table);
  for (const PointerKey& key : pointer_keys)
    if (const auto* node = table.get(key.name))
      tool.*key.list = context.reader.compiled(*node, key.name, pointer);
  if (const auto* node = table.get("shell")) tool.shell = read_shell(context.reader, *node);
  check_company(context.reader, table, tool);
  if (!context.trusted) {
    tool.adds_only = true;
    tool.ignore.clear();
  }
  return tool;
}

std::vector<ToolDeclaration> read_tools(FileContext& context, const toml::node& node) {
  std::vector<ToolDeclaration> tools;
  const toml::table* all = context.reader.table(node, "tools");
  if (all == nullptr) return tools;
  for (const auto& [key, value] : *all) {
    const toml::table* table = context.reader.table(value, key.str());
    if (table == nullptr) continue;
    tools.push_back(read_tool(context, *table));
    read_name(context.reader, key, tools.back());
  }
  return tools;
}

}  // namespace policy
