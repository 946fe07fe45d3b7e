#include "policy/effect_list.hpp"

#include <algorithm>
#include <array>

#include "policy/path.hpp"

namespace policy {

void EffectList::add(Effect effect) {
  if (full_) return;
  if (effects_.size() < effects_max) {
    effects_.push_back(std::move(effect));
    return;
  }
  full_ = true;
  Effect refused;
  refused.name = effects_.front().name;
  refused.refused = "a call with more than " + std::to_string(effects_max) + " effects";
  effects_.assign(1, std::move(refused));
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
  for (PathReading& reading : read_path(written, directory, scene_)) {
    Effect effect;
    effect.path = std::move(reading.path);
    effect.opaque = reading.opaque;
    effect.refused = std::move(reading.refused);
    effect.note = std::move(reading.note);
    effect.guessed = origin.guessed;
    effect.argument = origin.argument;
    for (const EffectKind kind : kinds) {
      effect.kind = kind;
      effect.caution.clear();
      effect.recursive = recursive;
      if (!origin.guessed && effect.refused.empty()) {
        const bool directory_removed =
            kind == EffectKind::remove && scene_.links->is_directory(effect.path.real);
        const unsigned names =
            kind == EffectKind::write || recursive ? scene_.links->hard_links(effect.path.real) : 0;
        effect.recursive = directory_removed || (recursive && names == 0);
        if (kind == EffectKind::write && names > 1)
          effect.caution =
              "the file has " + std::to_string(names) + " names (hard links), the others may be anywhere";
      }
      add(effect);
    }
  }
}

void EffectList::add_file_uri(std::string_view uri, const Origin& origin) {
  const auto path = path_of_file_uri(uri);
  if (!path) return add_opaque(EffectKind::read, origin, "a `file:` address of another host");
  constexpr std::array read{EffectKind::read};
  add_path(read, *path, scene_.directory, origin);
  // A server that forgets to decode opens this one.
  if (uri.find('%') != std::string_view::npos && uri.find('/') != std::string_view::npos) {
    const std::size_t authority = uri.find("//");
    const std::string_view raw =
        authority == std::string_view::npos ? uri.substr(5) : uri.substr(authority + 2);
    add_path(read, raw.substr(std::min(raw.find('/'), raw.size())), scene_.directory, origin);
  }
}

void EffectList::add_url(std::string_view url, const Origin& origin) {
  Effect effect;
  effect.kind = EffectKind::connect;
  effect.destination = url;
  effect.guessed = origin.guessed;
  effect.argument = origin.argument;
  constexpr std::string_view broken("\r\n\0", 3);
  if (url.find_first_of(broken) != std::string_view::npos)
    effect.refused = "an address with a line break or NUL";
  add(std::move(effect));
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
