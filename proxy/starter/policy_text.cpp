#include <set>

#include "policy/catalogue/catalogue.hpp"
#include "policy/catalogue/only_used.hpp"
#include "proxy/setup/toml_text.hpp"
#include "proxy/starter/starter.hpp"

namespace embedded {
extern const std::string_view proxy_starter_policy_toml;
}

namespace proxy::starter {
namespace {

std::string heading(const std::string& title) {
  std::string line = "\n# --- " + title + " ";
  const std::size_t width = 115;
  return line + std::string(line.size() < width ? width - line.size() : 3, '-') + "\n";
}

std::string rule(const char* tier, const std::string& id, const char* why, const std::string& keys) {
  return "\n[[" + std::string(tier) + "]]\nid = " + toml_string(id) + "\n" +
         (*why == 0 ? std::string() : "why = " + toml_string(why) + "\n") + keys;
}

std::string sources_text(const Found& found) {
  std::string text = heading("Writing");
  if (found.folders.empty())
    return text +
           "\n# Every write is asked. To let some pass, name the folders of sources:\n"
           "# [[allow]]\n# id = \"write-sources\"\n# write = [\"src/**\", \"tests/**\"]\n";
  std::vector<std::string> patterns;
  for (const std::string& folder : found.folders) patterns.push_back(folder + "/**");
  return text + "\n# Elsewhere in the workspace a write is asked, and so is every delete.\n" +
         rule("allow", "write-sources", "", toml_list("write", patterns)).substr(1);
}

std::string language_text(const Language& language) {
  std::string text = heading(language.title);
  if (!language.looks.empty())
    text += rule("allow", language.id + "/looks", "", toml_list("run", language.looks));
  if (!language.runs_code.empty())
    text +=
        "\n# To let one of these pass, an allow alone is not enough: name it in `except.run` of this rule, "
        "too." +
        rule("ask", language.id + "/runs-code", "runs what the repository holds",
             toml_list("run", language.runs_code) +
                 (language.looks.empty() ? "" : toml_list("except.run", language.looks)));
  if (!language.publishes.empty())
    text += rule("ask", language.id + "/publishes", "makes a release for others",
                 toml_list("run", language.publishes));
  return text;
}

// Tools whose use is all that they do, as far as the catalogue knows.
std::vector<std::string> plain_tools(const policy::CatalogueEntry& entry) {
  std::vector<std::string> tools;
  for (const auto& [name, tool] : entry.tools)
    if (policy::only_used(tool.declaration)) tools.push_back(name);
  return tools;
}

bool looks_only(const std::string& tool) {
  return tool.starts_with("get") || tool.starts_with("list") || tool.starts_with("search");
}

std::string commented(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    out += "# " + text.substr(at, end - at) + "\n";
    at = end == std::string::npos ? text.size() : end + 1;
  }
  return out;
}

std::string entry_text(const std::string& name, const policy::CatalogueEntry& entry) {
  std::vector<std::string> changing, looking;
  for (const std::string& tool : plain_tools(entry)) (looks_only(tool) ? looking : changing).push_back(tool);
  std::string text;
  const std::string server = "server = " + toml_string(name) + "\n";
  if (!changing.empty())
    text += rule("ask", "server/" + entry.name, "does more than its arguments show",
                 server + toml_list("tool", changing));
  if (!looking.empty())
    text +=
        "\n# Asked by the default. By their names they only look; if you trust that, take the `#` away:\n" +
        commented(rule("allow", "server/" + entry.name + "/looks", "", server + toml_list("tool", looking))
                      .substr(1));
  return text;
}

std::string server_comment(const Server& server) {
  std::string text = "# " + in_comment(server.key) + " (" + in_comment(server.file) + "): ";
  if (server.program.empty()) return text + "reached by an address, which callgate does not guard yet\n";
  if (!server.entry.empty()) {
    text += "the catalogue's `" + server.entry + "`, `" + in_comment(server.name) + "` in rules";
  } else {
    text += "`" + in_comment(server.program) +
            "` is not in the catalogue, so its calls are asked\n#   until [tools.\"" +
            in_comment(server.name) + "/TOOL\"] says what arguments mean";
  }
  return text + (server.guarded ? "\n" : "; not behind `callgate run` yet\n");
}

std::string servers_text(const Found& found) {
  if (found.servers.empty()) return {};
  std::string text = heading("Servers") + "\n";
  for (const Server& server : found.servers) text += server_comment(server);
  text += "# Paths, commands and addresses of their calls are judged by the rules above.\n";
  const auto catalogue = policy::built_in_catalogue();
  std::set<std::string> told;
  for (const Server& server : found.servers) {
    const policy::CatalogueEntry* entry = catalogue->server(server.entry);
    if (entry != nullptr && told.insert(server.entry).second) text += entry_text(server.name, *entry);
  }
  return text;
}

}  // namespace

std::string policy_text(const Found& found) {
  std::string text(embedded::proxy_starter_policy_toml);
  text += sources_text(found);
  for (const Language* language : found.languages) text += language_text(*language);
  return text + servers_text(found);
}

}  // namespace proxy::starter
