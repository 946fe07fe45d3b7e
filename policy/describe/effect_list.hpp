#pragma once
// Collects the effects of one call. Bounded: past effects_max, stored_bytes_max or walked_bytes_max the whole
// list is one refused effect, so that a call cannot grow out of a denial.

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/catalogue/catalogue.hpp"
#include "policy/describe/placed.hpp"
#include "policy/effect.hpp"
#include "policy/path/path.hpp"
#include "policy/path/worktree.hpp"
#include "policy/scene.hpp"

namespace policy {

inline constexpr std::size_t effects_max = 50'000;
inline constexpr std::size_t effects_usual = 32;  // moving them as the list grows costs more than the room
inline constexpr std::size_t stored_bytes_max =
    160u << 20;  // of all effects' texts: a few times the largest message
inline constexpr std::size_t walked_bytes_max = 4u << 20;   // of all paths whose links are looked up
inline constexpr std::size_t reading_bytes_max = 8u << 20;  // of all readings of addresses

// Where an effect comes from, and how sure it is.
struct Origin {
  std::string argument;  // JSON pointer
  bool guessed = false;
  bool bare_word = false;  // as in Effect
};

class EffectList {
 public:
  // `folders`: as in Call.
  EffectList(const Scene& scene, const Catalogue& catalogue, std::span<const std::string> folders = {})
      : scene_(scene), catalogue_(catalogue), folders_(folders), worktrees_(*scene.links) {
    effects_.reserve(effects_usual);
  }

  void add(Effect&& effect);
  void add_opaque(EffectKind kind, const Origin& origin, std::string note);
  // Every reading of the path, with each kind; relative to the scene's directory, it may start at the folders
  // too.
  void add_path(std::span<const EffectKind> kinds, std::string_view written, const std::string& directory,
                const Origin& origin, bool recursive = false);
  // For the content of writes, which is set on effects that are in the list: false when there is no room for
  // `copies` of it, and the list is refused.
  bool reserve(std::size_t bytes, std::size_t copies);
  // `file:` alone: the address, never a name that looks like one.
  void add_file_uri(std::string_view uri, const Origin& origin);
  // What connects there; of a `file:` address, what it reads here, too. Opaque where readers do
  // not agree.
  void add_url(std::string_view url, const Origin& origin, const network::Request& request = {});
  // What words may be, to a program that is not known: paths, addresses, and what is glued to options.
  // Guesses.
  void guess_words(std::span<const std::string> words, const std::string& directory, const Origin& origin);
  // What runs is read, where it names a file.
  void guess_program(const std::string& word, const std::string& directory, const Origin& origin);
  // Whether a command there runs in another directory than callgate does.
  bool away(const std::string& directory) const;
  // Whether it is neither in the workspace nor where the server works.
  bool outside(const std::string& directory) const;

  const Scene& scene() const { return scene_; }
  const Catalogue& catalogue() const { return catalogue_; }
  Worktrees& worktrees() { return worktrees_; }
  std::vector<Effect>& effects() { return effects_; }
  // Those added since the list had `first`; none once it is refused.
  std::span<Effect> since(std::size_t first) {
    return full_ ? std::span<Effect>() : std::span(effects_).subspan(first);
  }
  // What its commands put somewhere, and whether these run one after the other as they stand in the list.
  std::vector<Placed>& placed() { return placed_; }
  bool in_order() const { return in_order_; }
  void out_of_order() { in_order_ = false; }
  bool full() const { return full_; }  // refused
  std::vector<Effect> take() { return std::move(effects_); }

 private:
  void refuse(std::string what);
  bool walk(std::size_t bytes);  // false: the list is refused
  void add_readings(std::span<const EffectKind> kinds, std::vector<PathReading> readings,
                    const Origin& origin, bool recursive);
  void guess_path(std::string_view word, const std::string& directory, const Origin& origin);
  void guess_pieces(std::string_view text, const std::string& directory, const Origin& origin);
  void guess_bundle(std::string_view word, const std::string& directory, const Origin& origin);
  void guess_word(std::string_view word, const std::string& directory, const Origin& origin);

  const Scene& scene_;
  const Catalogue& catalogue_;
  const std::span<const std::string> folders_;
  Worktrees worktrees_;
  std::vector<Effect> effects_;
  std::size_t stored_bytes_ = 0;
  std::size_t walked_bytes_ = 0;
  std::size_t reading_bytes_ = 0;
  bool full_ = false;
  std::vector<Placed> placed_;
  bool in_order_ = true;
};

// `scheme://…` or a scheme that needs no slashes.
bool looks_like_url(std::string_view text);

}  // namespace policy
