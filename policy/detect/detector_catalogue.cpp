// Reads catalogue/detectors.toml.

#include <mutex>

#include "policy/detect/detectors.hpp"
#include "policy/load/toml_reader.hpp"
#include "proxy/base/check.hpp"
#include "proxy/base/text.hpp"

namespace embedded {
extern const std::string_view policy_catalogue_detectors_toml;
}

namespace policy::detect {
namespace {

constexpr const char* file = "detectors.toml";
constexpr std::string_view top_keys[] = {"documented", "detector"};
constexpr std::string_view detector_keys[] = {"id", "group", "pattern", "check"};

std::string text_of(TomlReader& reader, const toml::table& table, std::string_view key) {
  const toml::node* node = table.get(key);
  return node == nullptr ? std::string() : reader.string(*node, key).value_or("");
}

}  // namespace

base::Result<Detectors> Detectors::read(std::string_view toml) {
  auto parsed = parse_toml(file, toml);
  if (!parsed) return parsed.error();
  TomlReader reader(file);
  reader.check_keys(*parsed, top_keys);
  Detectors detectors;
  if (const toml::node* node = parsed->get("documented"))
    for (const auto& entry : reader.strings(*node, "documented")) detectors.documented_.push_back(entry.text);
  const toml::node* list = parsed->get("detector");
  const toml::array* tables = list == nullptr ? nullptr : list->as_array();
  if (tables == nullptr) return base::Error(base::Code::invalid, "there is no `detector`", file);
  for (const toml::node& node : *tables) {
    const toml::table* table = reader.table(node, "detector");
    if (table == nullptr) continue;
    reader.check_keys(*table, detector_keys);
    Detector detector{text_of(reader, *table, "id"), text_of(reader, *table, "pattern"), nullptr};
    const std::string group = text_of(reader, *table, "group");
    const std::string check = text_of(reader, *table, "check");
    if (!check.empty()) detector.check = check_named(check);
    if (detector.id.empty() || group.empty()) reader.fail(node, "a detector needs an `id` and a `group`");
    if (!check.empty() && detector.check == nullptr)
      reader.fail(node, "there is no check " + base::quoted(check));
    if (detector.pattern.empty() && check.empty())
      reader.fail(node, "a detector needs a `pattern` or a `check`");
    detectors.groups_[group].push_back(std::move(detector));
  }
  if (const auto errors = reader.errors(); !errors.empty()) return errors.front();
  return detectors;
}

std::vector<std::string_view> Detectors::groups() const {
  std::vector<std::string_view> names;
  for (const auto& [name, detectors] : groups_) names.push_back(name);
  return names;
}

base::Result<std::shared_ptr<const Group>> Detectors::compile(std::string_view group) const {
  const auto found = groups_.find(group);
  if (found != groups_.end()) return Group::compile(found->second, documented_);
  std::string message = "there are no detectors " + base::quoted("@" + std::string(group));
  std::string_view separator = "; there are ";
  for (const std::string_view name : groups()) {
    message.append(separator).append("`@").append(name).append("`");
    separator = ", ";
  }
  return base::Error(base::Code::invalid, message);
}

base::Result<std::shared_ptr<const Group>> built_in_group(std::string_view name) {
  struct Compiled {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<const Group>, std::less<>> groups;
  };
  static Compiled compiled;
  const std::lock_guard lock(compiled.mutex);
  if (const auto known = compiled.groups.find(name); known != compiled.groups.end()) return known->second;
  static const Detectors built_in = [] {
    auto read = Detectors::read(embedded::policy_catalogue_detectors_toml);
    CHECK(read.has_value());
    return std::move(*read);
  }();
  auto group = built_in.compile(name);
  if (group.has_value()) compiled.groups.emplace(name, *group);
  return group;
}

}  // namespace policy::detect
