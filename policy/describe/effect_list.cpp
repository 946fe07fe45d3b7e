#include "policy/describe/effect_list.hpp"

#include <algorithm>
#include <array>

#include "policy/path/components.hpp"
#include "policy/path/file_uri.hpp"
#include "policy/path/path.hpp"
#include "proxy/base/text.hpp"

namespace policy {

namespace {

std::size_t stored_bytes(const Effect& effect) {
  std::size_t bytes = effect.name.size() + effect.path.written.size() + effect.path.lexical.size() +
                      effect.path.real.size() + effect.command.directory.size() + effect.command.line.size() +
                      effect.destination.size() + effect.argument.size();
  for (const auto* texts : {&effect.command.words, &effect.request.methods, &effect.request.headers})
    for (const std::string& text : *texts) bytes += text.size();
  for (const std::vector<std::string>& line : effect.command.maybe_lines)
    for (const std::string& text : line) bytes += text.size();
  return bytes;
}

// What tells git what to run: a `.git` of whatever kind and all below, and what lies in a folder that git
// would take for a repository.
bool of_repository(const std::string& path, const Links& links) {
  bool named = false;
  each_component(path, [&](std::string_view name) { named = named || base::lower(name) == ".git"; });
  if (named) return true;
  std::string at = path;
  constexpr int folders = 3;  // `hooks/x`, `info/x`, …
  for (int i = 0; i < folders && at.rfind('/') != std::string::npos && at.rfind('/') > 0; ++i) {
    at.resize(at.rfind('/'));
    if (links.is_directory(path_in(at, "objects")) && links.standing(path_in(at, "HEAD")).kind) return true;
  }
  return false;
}

}  // namespace

void EffectList::add(Effect&& effect) {
  if (full_) return;
  if (effects_.size() >= effects_max)
    return refuse("a call with more than " + std::to_string(effects_max) + " effects");
  if (!reserve(stored_bytes(effect), 1)) return;
  effects_.push_back(std::move(effect));
}

bool EffectList::reserve(std::size_t bytes, std::size_t copies) {
  if (full_) return false;
  if (copies > 0 && bytes > (stored_bytes_max - stored_bytes_) / copies) {
    refuse("a call whose effects have more than " + std::to_string(stored_bytes_max >> 20) + " MiB of text");
    return false;
  }
  stored_bytes_ += bytes * copies;
  return true;
}

bool EffectList::walk(std::size_t bytes) {
  if (full_) return false;
  walked_bytes_ += std::min(bytes, path_bytes_max);
  if (walked_bytes_ > walked_bytes_max)
    refuse("a call with more than " + std::to_string(walked_bytes_max >> 20) + " MiB of paths");
  return !full_;
}

void EffectList::refuse(std::string what) {
  full_ = true;
  Effect refused;
  if (!effects_.empty()) refused.name = effects_.front().name;
  refused.refused = std::move(what);
  effects_.clear();
  effects_.push_back(std::move(refused));
}

void EffectList::add_opaque(EffectKind kind, const Origin& origin, std::string note) {
  Effect effect;
  effect.kind = kind;
  effect.opaque = true;
  effect.guessed = origin.guessed;
  effect.argument = origin.argument;
  effect.note = std::move(note);
  add(std::move(effect));
}

void EffectList::add_path(std::span<const EffectKind> kinds, std::string_view written,
                          const std::string& directory, const Origin& origin, bool recursive) {
  if (!walk(written.size())) return;
  add_readings(kinds, read_path(written, directory, scene_), origin, recursive);
  if (written.starts_with('/') || directory != scene_.directory) return;
  for (const std::string& folder : folders_)
    if (folder != directory && walk(written.size()))
      add_readings(kinds, read_path(written, folder, scene_), origin, recursive);
}

void EffectList::add_readings(std::span<const EffectKind> kinds, std::vector<PathReading> readings,
                              const Origin& origin, bool recursive) {
  if (kinds.empty()) return;
  for (PathReading& reading : readings) {
    if (reading.too_long && origin.guessed) continue;
    Effect effect;
    effect.path = std::move(reading.path);
    effect.opaque = reading.opaque;
    effect.refused = reading.too_long ? "a path longer than any" : std::move(reading.refused);
    effect.note = std::move(reading.note);
    effect.guessed = origin.guessed;
    effect.bare_word = origin.bare_word;
    effect.argument = origin.argument;
    const auto become = [&](EffectKind kind) {
      effect.kind = kind;
      effect.caution.clear();
      effect.reach.recursive = recursive;
      effect.reach.settled = kind != EffectKind::write;
      if (origin.guessed || !effect.refused.empty()) return;
      const bool directory_removed =
          kind == EffectKind::remove && scene_.links->is_directory(effect.path.real);
      const unsigned names =
          kind == EffectKind::write || recursive ? scene_.links->hard_links(effect.path.real) : 0;
      effect.reach.recursive = directory_removed || (recursive && names == 0);
      if (kind == EffectKind::write && names > 1)
        effect.caution =
            "the file has " + std::to_string(names) + " names (hard links), the others may be anywhere";
      const bool linked = effect.path.real != effect.path.lexical;
      if (kind == EffectKind::write && (of_repository(effect.path.lexical, *scene_.links) ||
                                        (linked && of_repository(effect.path.real, *scene_.links))))
        effect.caution = "what a repository of git holds tells it what to run";
    };
    for (const EffectKind kind : kinds.first(kinds.size() - 1)) {
      become(kind);
      add(Effect(effect));
    }
    become(kinds.back());
    add(std::move(effect));
  }
}

void EffectList::add_file_uri(std::string_view uri, const Origin& origin) {
  if (!walk(uri.size())) return;
  constexpr std::array read{EffectKind::read};
  add_readings(read, read_file_uri(uri, scene_.directory, scene_), origin, false);
}

void EffectList::add_url(std::string_view url, const Origin& origin, const network::Request& request) {
  Effect effect;
  effect.kind = EffectKind::connect;
  effect.destination = url;
  effect.request = request;
  effect.guessed = origin.guessed;
  effect.argument = origin.argument;
  constexpr std::string_view broken("\r\n\0", 3);
  if (url.find_first_of(broken) != std::string_view::npos)
    effect.refused = "an address with a line break or NUL";
  if (is_broken(request)) effect.refused = "a method or header with a line break or NUL";
  if (full_) return;
  const network::Target target = network::read_target(url, request);
  reading_bytes_ += network::size_of(target);
  if (reading_bytes_ > reading_bytes_max)
    return refuse("a call whose addresses have more than " + std::to_string(reading_bytes_max >> 20) +
                  " MiB of readings");
  if (!target.agreed() && !origin.guessed) {
    effect.opaque = true;
    effect.note = target.doubt;
  }
  add(std::move(effect));
  if (const std::string cleaned = cleaned_address(url); is_file_uri(cleaned)) add_file_uri(cleaned, origin);
}

bool looks_like_url(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0 || colon > 32) return false;
  if (text.substr(colon).starts_with("://")) return true;
  std::string scheme(text.substr(0, colon));
  std::transform(scheme.begin(), scheme.end(), scheme.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return scheme == "http" || scheme == "https" || scheme == "ws" || scheme == "wss" || scheme == "ftp";
}

}  // namespace policy
