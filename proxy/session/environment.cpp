#include "proxy/session/environment.hpp"

#include <array>
#include <string_view>

extern char** environ;

namespace proxy {
namespace {

using namespace std::string_view_literals;

// What any program expects, and no secret.
constexpr std::array neutral = {
    "PATH"sv,          "HOME"sv,           "USER"sv, "LOGNAME"sv, "SHELL"sv, "TERM"sv,
    "LANG"sv,          "LANGUAGE"sv,       "TZ"sv,   "TMPDIR"sv,  "PWD"sv,   "XDG_CACHE_HOME"sv,
    "XDG_DATA_HOME"sv, "XDG_RUNTIME_DIR"sv};

bool is_neutral(std::string_view name) {
  if (name.starts_with("LC_")) return true;
  for (const auto known : neutral)
    if (name == known) return true;
  return false;
}

}  // namespace

Environment own_environment() {
  Environment all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos && equals > 0)
      all.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return all;
}

ServerEnvironment server_environment(const Environment& own, const std::vector<std::string>& named) {
  ServerEnvironment given;
  for (const auto& [name, value] : own)
    if (is_neutral(name)) given.variables[name] = value;
  for (const std::string& entry : named) {
    const std::size_t equals = entry.find('=');
    const std::string name = entry.substr(0, equals);
    if (equals != std::string::npos) {
      given.variables[name] = entry.substr(equals + 1);
    } else if (const auto found = own.find(name); found != own.end()) {
      given.variables[name] = found->second;
    } else {
      given.missing.push_back(name);
      continue;
    }
    given.secrets.push_back(given.variables[name]);
  }
  return given;
}

}  // namespace proxy
