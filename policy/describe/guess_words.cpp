// What the words of a command may be, to a program that is not known. Guesses count for deny and ask.

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "policy/describe/effect_list.hpp"
#include "policy/path/path.hpp"

namespace policy {

namespace {

constexpr std::array touched{EffectKind::read, EffectKind::write, EffectKind::remove};

bool is_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

// `$NAME` as the value, for the few names that are known.
std::string expanded(std::string_view word,
                     const std::array<std::pair<std::string_view, std::string_view>, 3>& values) {
  std::string text;
  while (!word.empty()) {
    const std::size_t dollar = std::min(word.find('$'), word.size());
    text.append(word.substr(0, dollar));
    word.remove_prefix(dollar);
    const auto* found = std::find_if(values.begin(), values.end(),
                                     [&](const auto& value) { return word.starts_with(value.first); });
    if (found != values.end()) {
      text.append(found->second);
      word.remove_prefix(found->first.size());
    } else if (!word.empty()) {
      text += word.front();
      word.remove_prefix(1);
    }
  }
  return text;
}

constexpr std::string_view blanks = " \t\n";
constexpr std::size_t bundle_letters_max = 8;  // before a value glued to a bundle of short options
constexpr int glued_depth_max = 8;             // of `a=b=c` and `-xVALUE` inside one word; guesses only

// What else a word may hold: the value after `=`, or glued to a short option. Empty: nothing.
std::string_view glued_value(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals != std::string_view::npos) return word.substr(equals + 1);
  // `@path` and `file://path` of programs that read a value from there.
  if (word.starts_with('@')) return word.substr(1);
  for (const std::string_view scheme : {"file://", "fileb://"})
    if (word.starts_with(scheme)) return word.substr(scheme.size());
  // `HEAD:path`, `:(top)path`.
  if (word.starts_with(":(") && word.find(')') != std::string_view::npos)
    return word.substr(word.find(')') + 1);
  const std::size_t colon = word.rfind(':');
  if (colon != std::string_view::npos && word.find("://") == std::string_view::npos)
    return word.substr(colon + 1);
  if (is_option(word) && !word.starts_with("--")) return word.substr(2);  // `-o/path`
  return {};
}

}  // namespace

bool EffectList::away(const std::string& directory) const {
  const auto same = [&](const std::string& place) {
    return fold_path(directory, "/") == fold_path(place, "/") &&
           real_path(directory, "/", *scene_.links) == real_path(place, "/", *scene_.links);
  };
  return !same(scene_.directory) && !same(scene_.workspace);
}

bool EffectList::outside(const std::string& directory) const {
  if (!away(directory)) return false;
  const auto real = real_path(directory, "/", *scene_.links);
  const auto workspace = real_path(scene_.workspace, "/", *scene_.links);
  return !real || !workspace || !same_or_below(*real, *workspace) ||
         !same_or_below(fold_path(directory, "/"), scene_.workspace);
}

void EffectList::guess_program(const std::string& word, const std::string& directory, const Origin& origin) {
  constexpr std::array read{EffectKind::read};
  if (word.find('/') != std::string::npos) add_path(read, word, directory, {origin.argument, true});
}

void EffectList::guess_words(std::span<const std::string> words, const std::string& directory,
                             const Origin& origin) {
  const Origin guess{origin.argument, true};
  std::unordered_set<std::string_view> seen;
  for (const std::string& word : words)
    if (!full_ && seen.insert(word).second) guess_word(word, directory, guess);
}

void EffectList::guess_path(std::string_view word, const std::string& directory, const Origin& origin) {
  add_path(touched, expanded(word, {{{"$HOME", scene_.home}, {"$PWD", directory}, {"$USER", scene_.user}}}),
           directory, origin);
}

// Paths inside prose or a script, as in `w /home/dev/.bashrc`.
void EffectList::guess_pieces(std::string_view text, const std::string& directory, const Origin& origin) {
  while (!text.empty() && !full_) {
    const std::size_t start = std::min(text.find_first_not_of(blanks), text.size());
    text.remove_prefix(start);
    const std::string_view piece = text.substr(0, text.find_first_of(blanks));
    text.remove_prefix(piece.size());
    if (piece.find('/') != std::string_view::npos) guess_path(piece, directory, origin);
  }
}

// `-rf/path`: how many letters are options is not known. The first is left to glued_value.
void EffectList::guess_bundle(std::string_view word, const std::string& directory, const Origin& origin) {
  if (word.starts_with("--")) return;
  for (std::size_t at = 3; at < word.size() && at < 2 + bundle_letters_max; ++at) {
    const char before = static_cast<char>(word[at - 1] | 0x20);
    if (before < 'a' || before > 'z') return;
    guess_path(word.substr(at), directory, origin);
  }
}

void EffectList::guess_word(std::string_view word, const std::string& directory, const Origin& origin) {
  bool long_url = false;
  for (int depth = 0; depth < glued_depth_max && !word.empty(); ++depth, word = glued_value(word)) {
    if (full_) return;
    if (is_option(word)) {
      guess_bundle(word, directory, origin);
      continue;
    }
    if (looks_like_url(word)) {
      // A second long one stands inside the first: its beginning has the host.
      add_url(long_url ? word.substr(0, path_bytes_max) : word, origin);
      long_url = long_url || word.size() > path_bytes_max;
    }
    const bool several = word.find_first_of(blanks) != std::string_view::npos;
    if (several) guess_pieces(word, directory, origin);
    if (several && word.find('/') == std::string_view::npos) continue;
    const bool bare = word.find_first_of("/.~$") == std::string_view::npos;
    guess_path(word, directory, {origin.argument, true, bare});
  }
}

}  // namespace policy
