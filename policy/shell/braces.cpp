#include "policy/shell/braces.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>
#include <utility>

#include "policy/shell/characters.hpp"

namespace policy::shell {

std::optional<int> whole_number(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

namespace {

// `{FROM..TO}` of whole numbers or letters; nullopt: something else, or too many.
std::optional<std::vector<std::string>> sequence(std::string_view text) {
  text = text.substr(1, text.size() - 2);
  const std::size_t dots = text.find("..");
  const std::string_view from = text.substr(0, dots);
  const std::string_view to = text.substr(dots + 2);
  const auto first = whole_number(from);
  const auto last = whole_number(to);
  std::vector<std::string> words;
  const bool padded = (from.size() > 1 && from.front() == '0') || (to.size() > 1 && to.front() == '0');
  if (!first || !last || padded ||
      std::abs(static_cast<long>(*first) - *last) >= static_cast<long>(words_max))
    return std::nullopt;
  for (int at = *first;; at += *first < *last ? 1 : -1) {
    words.push_back(std::to_string(at));
    if (at == *last) return words;
  }
}

// One choice for each pair of braces, in the shell's order. False: more than words_max.
bool choose(const Parts& parts, std::vector<Parts>& all, std::deque<Part>& made) {
  const auto brace = std::find_if(parts.begin(), parts.end(), [](const Part* part) {
    return part->kind == Part::Kind::brace && (!part->words.empty() || sequence(part->text));
  });
  if (brace == parts.end()) {
    all.push_back(parts);
    return all.size() <= words_max;
  }
  const auto with = [&](const Parts& choice) {
    Parts chosen(parts.begin(), brace);
    chosen.insert(chosen.end(), choice.begin(), choice.end());
    chosen.insert(chosen.end(), brace + 1, parts.end());
    return choose(chosen, all, made);
  };
  for (const Word& word : (*brace)->words) {
    Parts choice;
    for (const Part& part : word.parts) choice.push_back(&part);
    if (!with(choice)) return false;
  }
  if (!(*brace)->words.empty()) return true;
  std::optional<std::vector<std::string>> numbers = sequence((*brace)->text);
  for (std::string& number : *numbers) {
    made.emplace_back();
    made.back().text = std::move(number);
    if (!with({&made.back()})) return false;
  }
  return true;
}

// Braces are taken apart as text, before anything else is read: `$c{t,t}` is `$ct $ct`, `{$,}x` is `$x x`,
// and `{~,}/a` begins with a tilde.
bool makes_other_parts(const Parts& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const Part& part = *parts[i];
    if (part.kind == Part::Kind::tilde && i > 0) return true;
    const Part* next = i + 1 < parts.size() ? parts[i + 1] : nullptr;
    const bool joined = next != nullptr && next->inside.begin == part.inside.end;
    if (part.kind == Part::Kind::literal && !part.quoted) {
      if (i == 0 && part.text.starts_with('~')) return true;
      if (part.text.ends_with('$') && next != nullptr && !joined) return true;
      continue;
    }
    if (joined || next == nullptr || next->kind != Part::Kind::literal) continue;
    if (part.kind == Part::Kind::tilde && !next->text.starts_with('/')) return true;
    const bool plain = part.kind == Part::Kind::parameter && !part.braced;
    if (plain && !next->quoted && !next->text.empty() &&
        (begins_name(next->text.front()) || digit(next->text.front()) || next->text.front() == '['))
      return true;
  }
  return false;
}

}  // namespace

Choices choices_of(const Word& word) {
  Choices choices;
  Parts parts;
  for (const Part& part : word.parts) parts.push_back(&part);
  choices.too_many = !choose(parts, choices.all, choices.made);
  const bool taken_apart = choices.all.size() > 1 || !choices.made.empty();
  choices.other_parts = taken_apart && std::any_of(choices.all.begin(), choices.all.end(), makes_other_parts);
  return choices;
}

}  // namespace policy::shell
