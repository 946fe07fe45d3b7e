// Paths and addresses among the words of a command.

#include <algorithm>
#include <array>

#include "policy/command/runs.hpp"
#include "policy/file_uri.hpp"
#include "policy/path.hpp"

namespace policy::command {

namespace {

std::vector<EffectKind> kinds_of(const Roles& roles) {
  std::vector<EffectKind> kinds;
  if (roles.has(Role::read) || roles.has(Role::script)) kinds.push_back(EffectKind::read);
  if (roles.has(Role::write)) kinds.push_back(EffectKind::write);
  if (roles.has(Role::remove)) kinds.push_back(EffectKind::remove);
  return kinds;
}

// Nothing is stored there, and nothing of anyone's read.
bool is_device(std::string_view path) {
  constexpr std::array<std::string_view, 8> devices{"/dev/null", "/dev/stdin",   "/dev/stdout", "/dev/stderr",
                                                    "/dev/zero", "/dev/urandom", "/dev/random", "/dev/tty"};
  if (std::find(devices.begin(), devices.end(), path) != devices.end()) return true;
  constexpr std::string_view descriptors = "/dev/fd/";
  return path.starts_with(descriptors) && path.size() > descriptors.size() &&
         path.find_first_not_of("0123456789", descriptors.size()) == std::string_view::npos;
}

// The directory whose names a pattern is matched with: what stands before its first component with one.
std::string directory_of_glob(std::string_view pattern) {
  std::string directory;
  std::string component;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '*' || c == '?' || c == '[') break;
    if (c == '\\' && i + 1 < pattern.size()) ++i;
    component += pattern[i];
    if (c == '/') {
      directory += component;
      component.clear();
    }
  }
  return directory.empty() ? "." : directory;
}

bool starts_somewhere(std::string_view text) { return text.starts_with('/') || text.starts_with('~'); }

}  // namespace

void Runs::not_known(EffectKind kind, std::string note, const Place& place) {
  list_.add_opaque(kind, origin(place), std::move(note));
}

void Runs::path(Roles roles, const Argument& word, bool recursive, const Place& place) {
  const std::vector<EffectKind> kinds = kinds_of(roles);
  const bool removes = roles.has(Role::remove);
  if (word.known() && !removes && is_device(word.text)) return;
  if (word.is("-") && !removes && !roles.has(Role::write)) return;
  std::string text = word.text;
  if (word.sort == Argument::Sort::glob) {
    text = directory_of_glob(word.text);
    recursive = true;
  } else if (!word.known()) {
    for (const EffectKind kind : kinds)
      not_known(kind, "a path that is not known before it runs: " + word.text, place);
    if (!word.start.empty())
      list_.add_path(kinds, word.start, place.directory, {origin_.argument, true}, true);
    return;
  }
  if (place.directory_known || starts_somewhere(text))
    return list_.add_path(kinds, text, place.directory, origin(place), recursive);
  for (const EffectKind kind : kinds)
    not_known(kind, "a path in a directory that is not known: " + text, place);
  list_.add_path(kinds, text, place.directory, {origin_.argument, true}, recursive);
}

void Runs::address(const Argument& word, const Place& place) {
  if (!word.known())
    return not_known(EffectKind::connect, "an address that is not known before it runs: " + word.text, place);
  const bool whole = looks_like_url(word.text) || is_file_uri(cleaned_address(word.text));
  list_.add_url(whole ? word.text : "http://" + word.text, origin(place));
}

void Runs::host(const Argument& word, const Place& place) {
  if (!word.known())
    return not_known(EffectKind::connect, "a host that is not known before it runs: " + word.text, place);
  if (looks_like_url(word.text)) return list_.add_url(word.text, origin(place));
  if (word.text.starts_with('-'))
    return not_known(EffectKind::connect, "a host that looks like an option", place);
  list_.add_url("ssh://" + word.text.substr(word.text.rfind('@') + 1), origin(place));
}

// `git diff /dev/null /etc/passwd` compares files, wherever they are.
void Runs::outside(const Argument& word, const Place& place) {
  const Scene& scene = list_.scene();
  if (!word.known())
    return list_.guess_words(std::vector<std::string>{word.start}, place.directory, origin(place));
  const std::string workspace = real_path(scene.workspace, "/", *scene.links).value_or(scene.workspace);
  const auto leads_out = [&](const PathReading& reading) {
    return !same_or_below(reading.path.lexical, scene.workspace) ||
           !same_or_below(reading.path.real, workspace);
  };
  const std::vector<PathReading> readings = read_path(word.text, place.directory, scene);
  if (std::any_of(readings.begin(), readings.end(), leads_out)) return path({Role::read}, word, true, place);
  list_.guess_words(std::vector<std::string>{word.text}, place.directory, origin(place));
}

// As scp, rsync and git read it: a colon before any slash ends a host.
void Runs::remote(Roles roles, const Argument& word, bool recursive, const Place& place) {
  const std::string& text = word.known() ? word.text : word.start;
  if (word.known() && looks_like_url(text)) return address(word, place);
  const std::size_t colon = text.find(':');
  const bool elsewhere = colon != std::string::npos && colon > 0 && text.find('/') > colon;
  if (!elsewhere && !word.known()) {
    not_known(EffectKind::connect, "a host or a path that is not known before it runs: " + word.text, place);
    return path(roles, word, recursive, place);
  }
  if (!elsewhere) return path(roles, word, recursive, place);
  host({Argument::Sort::known, text.substr(0, colon)}, place);
}

}  // namespace policy::command
