#include "proxy/recorded/scene.hpp"

#include <algorithm>
#include <utility>

#include "proxy/base/json.hpp"
#include "proxy/base/utf8.hpp"

namespace proxy {
namespace {

using base::json::Value;

bool writable(const std::vector<std::string>& texts) {
  return std::all_of(texts.begin(), texts.end(),
                     [](const std::string& text) { return base::utf8::valid(text); });
}

bool absolute(const Value& value) {
  return value.is_string() && value.get_ref<const std::string&>().starts_with('/');
}

std::optional<std::vector<std::string>> folders_of(const Value& value) {
  if (!value.is_array() || !std::all_of(value.begin(), value.end(), absolute)) return std::nullopt;
  return value.get<std::vector<std::string>>();
}

}  // namespace

std::string scene_payload(const RecordedScene& scene) {
  if (!writable({scene.workspace, scene.directory}) || !writable(scene.folders)) return "null";
  Value value{{"workspace", scene.workspace}, {"directory", scene.directory}, {"folders", scene.folders}};
  for (const auto& [key, text] : {std::pair("home", &scene.home), std::pair("user", &scene.user)})
    if (!text->empty() && writable({*text})) value[key] = *text;
  return value.dump();
}

std::string folders_payload(const std::vector<std::string>& folders) {
  return writable(folders) ? Value(folders).dump() : "null";
}

std::optional<RecordedScene> scene_from_payload(std::string_view payload) {
  const auto value = base::json::parse(payload);
  if (!value || !value->is_object()) return std::nullopt;
  for (const char* key : {"workspace", "directory"})
    if (!value->contains(key) || !absolute((*value)[key])) return std::nullopt;
  auto folders = folders_of(value->value("folders", Value()));
  if (!folders) return std::nullopt;
  RecordedScene scene{(*value)["workspace"], (*value)["directory"], std::move(*folders), {}, {}};
  for (const auto& [key, text] : {std::pair("home", &scene.home), std::pair("user", &scene.user)})
    if (value->contains(key) && (*value)[key].is_string()) *text = (*value)[key];
  return scene;
}

std::optional<std::vector<std::string>> folders_from_payload(std::string_view payload) {
  const auto value = base::json::parse(payload);
  return value ? folders_of(*value) : std::nullopt;
}

}  // namespace proxy
