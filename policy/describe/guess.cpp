#include "policy/describe/guess.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "policy/command/runs.hpp"
#include "policy/path/file_uri.hpp"
#include "proxy/base/text.hpp"

namespace policy {

namespace {

using base::json::Value;

constexpr std::array touched{EffectKind::read, EffectKind::write, EffectKind::remove};
constexpr std::array<std::string_view, 14> path_keys{"path",   "file",   "dir",  "folder", "source",
                                                     "dest",   "target", "root", "cwd",    "location",
                                                     "output", "input",  "read", "write"};
constexpr std::array<std::string_view, 8> url_keys{"url",  "uri",     "endpoint", "host",
                                                   "href", "webhook", "server",   "domain"};
constexpr std::array<std::string_view, 8> command_keys{"command", "cmd",  "script",  "shell",
                                                       "exec",    "argv", "program", "args"};

constexpr std::size_t name_bytes_max = 256;  // of names and pointers carried down into nested values

template <std::size_t N>
bool holds_any(std::string_view key, const std::array<std::string_view, N>& parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return key.find(part) != std::string_view::npos; });
}

bool looks_like_path(std::string_view text) {
  if (text.empty()) return false;
  if (text.front() == '/' || text.front() == '~' || text.front() == '.') return true;
  const bool one_word = text.find_first_of(" \t\n") == std::string_view::npos;
  return one_word && text.find_first_of("/.") != std::string_view::npos;
}

// What an argument's name says of its value.
struct Named {
  explicit Named(const std::string& key) {
    const std::string small = base::lower(key);
    path = holds_any(small, path_keys);
    url = holds_any(small, url_keys);
    command = holds_any(small, command_keys);
  }
  bool path = false;
  bool url = false;
  bool command = false;
};

command::Place here(const EffectList& list) {
  command::Place place;
  place.directory = list.scene().directory;
  return place;
}

void guess_string(EffectList& list, const std::string& text, Named named, const Origin& origin) {
  if (text.empty()) return;
  const bool url = looks_like_url(text);
  if (url || named.url) list.add_url(text, origin);
  const bool file = is_file_uri(cleaned_address(text));
  if (file || (!url && (looks_like_path(text) || named.path)))
    list.add_path(touched, text, list.scene().directory, origin);
  if (named.command) command::Runs(list, origin).line(text, Shell::bash, here(list));
}

// A list under a name like `argv` is one command.
void guess_argv(EffectList& list, const Value& value, const Origin& origin) {
  std::vector<std::string> words;
  for (const Value& item : value)
    if (item.is_string()) words.push_back(item.get<std::string>());
  if (!words.empty()) command::Runs(list, origin).argv(command::known_words(words), here(list));
}

void guess_value(EffectList& list, const Value& value, const std::string& key, Named named,
                 const std::string& pointer) {
  const Origin origin{pointer, true};
  if (value.is_string()) return guess_string(list, value.get_ref<const std::string&>(), named, origin);
  if (value.is_array()) {
    if (named.command) guess_argv(list, value, origin);
    std::size_t index = 0;
    for (const Value& item : value)
      guess_value(list, item, key, named, longer_pointer(pointer, std::to_string(index++)));
  } else if (value.is_object()) {
    const std::string outer = key.size() > name_bytes_max ? std::string() : key + '.';
    for (const auto& [inner, item] : value.items())
      guess_effects(list, item, outer + inner.substr(0, name_bytes_max), longer_pointer(pointer, inner));
  }
}

}  // namespace

std::string pointer_token(std::string_view text) {
  std::string token;
  for (const char c : text) {
    if (c == '~') {
      token += "~0";
    } else if (c == '/') {
      token += "~1";
    } else {
      token += c;
    }
  }
  return token;
}

std::string longer_pointer(const std::string& pointer, std::string_view token) {
  if (pointer.size() > name_bytes_max) return pointer;
  return pointer + '/' + pointer_token(token.substr(0, name_bytes_max));
}

void guess_effects(EffectList& list, const Value& value, const std::string& key, const std::string& pointer) {
  guess_value(list, value, key, Named(key), pointer);
}

}  // namespace policy
