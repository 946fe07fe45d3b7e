#include "policy/path/path.hpp"

#include <algorithm>
#include <unordered_set>

#include "policy/path/file_uri.hpp"
#include "policy/path/unicode.hpp"

namespace policy {

namespace {

void pop_component(std::string& path) {
  const std::size_t slash = path.rfind('/');
  path.resize(slash == std::string::npos ? 0 : slash);
}

// The next component of `rest`, which loses it; empty at the end.
std::string_view next_component(std::string_view& rest) {
  const std::size_t start = rest.find_first_not_of('/');
  if (start == std::string_view::npos) {
    rest = {};
    return {};
  }
  rest.remove_prefix(start);
  const std::string_view component = rest.substr(0, rest.find('/'));
  rest.remove_prefix(component.size());
  return component;
}

// Whether there was no `..` in it.
bool fold_onto(std::string& result, std::string_view path) {
  bool straight = true;
  for (std::string_view part = next_component(path); !part.empty(); part = next_component(path)) {
    if (part == ".") continue;
    if (part == "..") {
      straight = false;
      pop_component(result);
    } else {
      result += '/';
      result += part;
    }
  }
  return straight;
}

// What real_path says of a path that neither climbs nor meets a link; empty: another.
std::string plain_path(std::string_view path, std::string_view directory, const Links& links) {
  std::string result;
  result.reserve(directory.size() + path.size() + 2);
  bool straight = path.starts_with('/') || fold_onto(result, directory);
  straight = fold_onto(result, path) && straight;
  if (result.empty()) result = "/";
  if (!straight || (result.size() > 1 && links.may_have_links(result))) result.clear();
  return result;
}

// Whether the path goes through, or to, what a process has open or stands in: `/proc/self/cwd`,
// `/proc/7/task/8/root`, `/proc/self/fd/3`. It is another one there.
bool of_process(std::string_view path) {
  if (!path.starts_with("/proc/")) return false;
  next_component(path);
  next_component(path);
  std::string_view name = next_component(path);
  if (name == "task") {
    next_component(path);
    name = next_component(path);
  }
  return name == "cwd" || name == "root" || ((name == "fd" || name == "map_files") && !path.empty());
}

bool user_name(std::string_view text) {
  if (text.empty()) return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '+';
  });
}

// real_path, and whether a link on the way is of_process().
std::optional<std::string> walked(std::string_view path, std::string_view directory, const Links& links,
                                  bool& through_process) {
  if (std::string plain = plain_path(path, directory, links); !plain.empty()) return plain;
  std::string joined;
  std::string_view rest = path;
  if (!path.starts_with('/')) {
    joined.reserve(directory.size() + path.size() + 1);
    joined.append(directory).append("/").append(path);
    rest = joined;
  }
  std::string result;
  result.reserve(rest.size() + 1);
  std::string held;  // what `rest` looks at once a link was followed
  int followed = 0;
  for (std::string_view part = next_component(rest); !part.empty(); part = next_component(rest)) {
    if (part == ".") continue;
    if (part == "..") {
      pop_component(result);
      continue;
    }
    result += '/';
    result += part;
    through_process = through_process || of_process(result);
    std::optional<std::string> target = links.target(result);
    if (!target || target->empty()) continue;
    if (++followed > links_followed_max) return std::nullopt;
    pop_component(result);
    if (target->front() == '/') result.clear();
    std::string next = std::move(*target);
    next.append("/").append(rest);
    held = std::move(next);
    rest = held;
  }
  return result.empty() ? "/" : result;
}

// Adds the readings of one plain path.
void add_plain(std::vector<PathReading>& readings, std::string_view written, std::string_view path,
               const std::string& directory, const Links& links) {
  PathReading reading;
  reading.path.written = written.substr(0, path_bytes_max);
  if (path.find('\0') != std::string_view::npos) {
    reading.refused = "a path with a NUL byte";
    readings.push_back(std::move(reading));
    return;
  }
  reading.path.lexical = fold_path(path, directory);
  if (path.size() > path_bytes_max) {
    reading.opaque = true;
    reading.note = "longer than any path";
    if (reading.path.lexical.size() > path_bytes_max) {
      reading.too_long = true;
      reading.path.lexical.resize(path_bytes_max);
      reading.path.lexical.shrink_to_fit();
      reading.path.real = reading.path.lexical;
    } else {
      const std::optional<std::string> real = real_path(reading.path.lexical, directory, links);
      reading.path.real = real ? *real : reading.path.lexical;
    }
    readings.push_back(std::move(reading));
    return;
  }
  bool through_process = of_process(reading.path.lexical);
  std::optional<std::string> real = walked(path, directory, links, through_process);
  if (!real) {
    reading.path.real = reading.path.lexical;
    reading.opaque = true;
    reading.note = "too many symbolic links";
    readings.push_back(std::move(reading));
    return;
  }
  reading.path.real = std::move(*real);
  reading.path.folds = links.folds_case(reading.path.real);
  if (reading.path.folds && may_be_recased(path)) {
    reading.opaque = true;
    reading.note = "a path of which another spelling may name the same file on its volume";
  }
  if (may_be_respelled(path)) {
    reading.opaque = true;
    reading.note = "a path that Unicode can spell in other ways";
  }
  if (through_process) {
    reading.opaque = true;
    reading.note = "a path that is another one for each process";
  }
  const bool climbs = path.find("..") != std::string_view::npos;
  std::optional<PathReading> folded_first;
  if (climbs && reading.path.real != reading.path.lexical) {
    // A server that folds `..` by text before it opens the file ends somewhere else than the kernel would.
    std::optional<std::string> real_of_folded = real_path(reading.path.lexical, directory, links);
    if (real_of_folded && *real_of_folded != reading.path.real) {
      folded_first = reading;
      folded_first->path.real = std::move(*real_of_folded);
      folded_first->path.folds = links.folds_case(folded_first->path.real);
    }
  }
  readings.push_back(std::move(reading));
  if (folded_first) readings.push_back(std::move(*folded_first));
}

void add_tilde(std::vector<PathReading>& readings, std::string_view written, const std::string& directory,
               const Scene& scene) {
  const std::size_t slash = std::min(written.find('/'), written.size());
  const std::string_view user = written.substr(1, slash - 1);
  const std::string_view rest = written.substr(slash);
  if (user.empty() || user == scene.user) {
    add_plain(readings, written, scene.home + std::string(rest), directory, *scene.links);
  } else if (user == "root") {
    add_plain(readings, written, "/root" + std::string(rest), directory, *scene.links);
  } else if (user == "+") {
    add_plain(readings, written, directory + std::string(rest), directory, *scene.links);
  } else if (user_name(user)) {
    std::string beside = scene.home;
    pop_component(beside);
    add_plain(readings, written, beside + '/' + std::string(user) + std::string(rest), directory,
              *scene.links);
    readings.back().opaque = true;
    readings.back().note = "the home of another user";
  }
}

}  // namespace

std::string fold_path(std::string_view path, std::string_view directory) {
  std::string result;
  result.reserve(directory.size() + path.size() + 2);
  if (!path.starts_with('/')) fold_onto(result, directory);
  fold_onto(result, path);
  return result.empty() ? "/" : result;
}

std::optional<std::string> real_path(std::string_view path, std::string_view directory, const Links& links) {
  bool through_process = false;
  return walked(path, directory, links, through_process);
}

std::vector<PathReading> read_path(std::string_view written, const std::string& directory,
                                   const Scene& scene) {
  std::vector<PathReading> readings;
  add_plain(readings, written, written, directory, *scene.links);
  if (written.starts_with('~')) add_tilde(readings, written, directory, scene);
  const std::string cleaned = cleaned_address(written);
  if (is_file_uri(cleaned)) {
    std::vector<PathReading> as_address = read_file_uri(cleaned, directory, scene);
    for (PathReading& reading : as_address) {
      if (cleaned != written && !reading.opaque) {
        reading.opaque = true;
        reading.note = "a `file:` address with characters that parsers drop";
      }
      readings.push_back(std::move(reading));
    }
  }
  return readings;
}

std::vector<PathReading> read_file_uri(std::string_view uri, const std::string& directory,
                                       const Scene& scene) {
  std::vector<PathReading> readings;
  std::unordered_set<std::string> seen;  // of short ones: long ones would be held in memory all at once
  const bool plain = each_file_path(uri, [&](std::string path) {
    if (path.size() <= path_bytes_max && !seen.insert(path).second) return;
    add_plain(readings, uri, path, directory, *scene.links);
    if (path.starts_with('~')) add_tilde(readings, path, directory, scene);
  });
  if (readings.empty()) add_plain(readings, uri, uri, directory, *scene.links);
  for (PathReading& reading : readings) {
    if (plain) continue;
    reading.opaque = true;
    reading.note = "a `file:` address of another host, or without a full path";
  }
  return readings;
}

bool same_or_below(std::string_view path, std::string_view directory) {
  if (directory == "/") return true;
  return path.starts_with(directory) && (path.size() == directory.size() || path[directory.size()] == '/');
}

}  // namespace policy
