#include <toml++/toml.h>

#include "proxy/starter/starter.hpp"

namespace embedded {
extern const std::string_view proxy_starter_languages_toml;
}

namespace proxy::starter {
namespace {

std::vector<std::string> texts(const toml::table& table, std::string_view key) {
  std::vector<std::string> all;
  if (const toml::array* list = table[key].as_array())
    for (const toml::node& each : *list) all.push_back(each.value_or(std::string()));
  return all;
}

std::vector<Language> read_languages() {
  std::vector<Language> all;
  const toml::table file = toml::parse(embedded::proxy_starter_languages_toml);
  for (const auto& [id, node] : *file["languages"].as_table()) {
    const toml::table& table = *node.as_table();
    all.push_back({std::string(id.str()), table["title"].value_or(std::string()), texts(table, "markers"),
                   texts(table, "sources"), texts(table, "runs_code"), texts(table, "publishes"),
                   texts(table, "looks")});
  }
  return all;
}

}  // namespace

const std::vector<Language>& languages() {
  static const std::vector<Language> all = read_languages();
  return all;
}

}  // namespace proxy::starter
