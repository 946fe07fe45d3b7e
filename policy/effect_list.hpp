#pragma once
// Collects the effects of one call. Bounded: past effects_max the whole list is one refused effect, so that a
// call cannot grow out of a denial.

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/catalogue.hpp"
#include "policy/command.hpp"
#include "policy/effect.hpp"
#include "policy/scene.hpp"

namespace policy {

inline constexpr std::size_t effects_max = 50'000;

// Where an effect comes from, and how sure it is.
struct Origin {
  std::string argument;  // JSON pointer
  bool guessed = false;
};

class EffectList {
 public:
  EffectList(const Scene& scene, const Catalogue& catalogue) : scene_(scene), catalogue_(catalogue) {}

  void add(Effect effect);
  void add_opaque(EffectKind kind, const Origin& origin, std::string note);
  // Every reading of the path, with each kind.
  void add_path(std::span<const EffectKind> kinds, std::string_view written, const std::string& directory,
                const Origin& origin, bool recursive = false);
  // `file:` alone: the address, never a name that looks like one.
  void add_file_uri(std::string_view uri, const Origin& origin);
  void add_url(std::string_view url, const Origin& origin);
  // What runs, and what its words read, write, delete or connect to. `why_opaque` not empty: opaque for that
  // reason.
  void add_command(LineReading reading, const Origin& origin, const std::string& why_opaque = {});

  const Scene& scene() const { return scene_; }
  const Catalogue& catalogue() const { return catalogue_; }
  std::vector<Effect>& effects() { return effects_; }
  std::vector<Effect> take() { return std::move(effects_); }

 private:
  void add_known_words(const CommandEntry& entry, const CommandForm& form, const std::string& directory,
                       const Origin& origin);
  void add_destination(std::span<const std::string* const> operands, const CommandEntry& entry,
                       const std::string& directory, const Origin& origin, bool recursive);
  void guess_words(std::span<const std::string> words, const std::string& directory, const Origin& origin);
  void guess_path(std::string_view word, const std::string& directory, const Origin& origin);
  void guess_pieces(std::string_view text, const std::string& directory, const Origin& origin);
  void guess_word(std::string_view word, const std::string& directory, const Origin& origin);

  const Scene& scene_;
  const Catalogue& catalogue_;
  std::vector<Effect> effects_;
  bool full_ = false;
};

// `scheme://…` or a scheme that needs no slashes.
bool looks_like_url(std::string_view text);

}  // namespace policy
