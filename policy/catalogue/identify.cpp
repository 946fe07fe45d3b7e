// Which catalogue entry a command line stands for, or a name where there is none.

#include <algorithm>

#include "policy/catalogue/catalogue.hpp"
#include "policy/command/runs.hpp"
#include "proxy/base/text.hpp"

namespace policy {

namespace {

bool listed(const std::vector<std::string>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// `PACKAGE` or `PACKAGE@VERSION`, where the version cannot name another package.
std::string_view package_of(std::string_view text) {
  const std::size_t at = text.find('@', 1);
  if (at == std::string_view::npos) return text;
  const bool plain_version = text.substr(at + 1).find_first_of(":/@ ") == std::string_view::npos;
  return plain_version ? text.substr(0, at) : std::string_view();
}

bool inside_package(std::string_view script, const std::vector<std::string>& packages) {
  if (script.find("/../") != std::string_view::npos) return false;
  return std::any_of(packages.begin(), packages.end(), [&](const std::string& package) {
    return script.find("/node_modules/" + package + "/") != std::string_view::npos ||
           script.starts_with("node_modules/" + package + "/");
  });
}

// How many words of the command make it this entry; 0: it is another.
std::size_t words_of(const CatalogueEntry& entry, const std::vector<std::string>& command) {
  const std::string_view program = command::base_name(command.front());
  if (listed(entry.programs, program)) return 1;
  const auto word = [&](std::size_t i) {
    return i < command.size() ? std::string_view(command[i]) : std::string_view();
  };
  if (program == "node" || program == "nodejs" || program == "bun")
    return inside_package(word(1), entry.packages) || listed(entry.programs, command::base_name(word(1))) ? 2
                                                                                                          : 0;
  if (program == "npx" || program == "bunx") {
    const std::size_t at = word(1) == "-y" || word(1) == "--yes" ? 2 : 1;
    return !word(at).empty() && listed(entry.packages, package_of(word(at))) ? at + 1 : 0;
  }
  if (program == "uvx") return !word(1).empty() && listed(entry.packages, package_of(word(1))) ? 2 : 0;
  if (program.starts_with("python")) return word(1) == "-m" && listed(entry.modules, word(2)) ? 3 : 0;
  return 0;
}

}  // namespace

ServerIdentity identify(const std::vector<std::string>& command, const std::string& given_name) {
  ServerIdentity identity;
  identity.name = given_name;
  if (command.empty()) return identity;
  for (const auto& [name, entry] : built_in_catalogue()->servers) {
    const std::size_t words = words_of(entry, command);
    if (words == 0) continue;
    identity.entry = &entry;
    identity.arguments.assign(command.begin() + static_cast<std::ptrdiff_t>(words), command.end());
    break;
  }
  if (!identity.name.empty()) return identity;
  identity.name =
      identity.entry != nullptr ? identity.entry->name : std::string(command::base_name(command.front()));
  return identity;
}

base::Result<std::string> entry_without_command(const std::optional<std::string>& asked,
                                                const std::string& server) {
  const Catalogue& catalogue = *built_in_catalogue();
  if (!asked) return catalogue.server(server) != nullptr ? server : std::string();
  if (asked->empty() || catalogue.server(*asked) != nullptr) return *asked;
  std::string known;
  for (const auto& [name, entry] : catalogue.servers)
    known += (known.empty() ? "" : ", ") + base::quoted(name);
  return base::Error(base::Code::invalid,
                     "the catalogue has no entry " + base::quoted(*asked) + "; it has " + known);
}

}  // namespace policy
