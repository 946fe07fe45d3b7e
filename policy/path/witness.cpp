#include "policy/path/witness.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace policy {
namespace {

bool same(const Links::Standing& a, const Links::Standing& b) {
  return a.kind == b.kind && a.hard_links == b.hard_links;
}
bool same(const std::string& a, const std::string& b) { return a == b; }
bool same(bool a, bool b) { return a == b; }
bool same(const Links::Entry& a, const Links::Entry& b) { return a.name == b.name && a.kind == b.kind; }

// What is not known, or too much, may be told to who asks for more.
bool replaces(const Seen::List& later, const Seen::List& now) {
  return !now.entries && (later.entries || later.most > now.most);
}
bool same(const Seen::List& a, const Seen::List& b) {
  if (!a.entries || !b.entries) return true;
  return std::equal(a.entries->begin(), a.entries->end(), b.entries->begin(), b.entries->end(),
                    [](const Links::Entry& one, const Links::Entry& other) { return same(one, other); });
}
bool replaces(const Seen::Text& later, const Seen::Text& now) {
  return now.part == Seen::Part::none && (later.part != Seen::Part::none || later.size > now.size);
}
bool same(const Seen::Text& a, const Seen::Text& b) {
  if (a.part == Seen::Part::none || b.part == Seen::Part::none) return true;
  return a.part == b.part && a.bytes == b.bytes && a.digest == b.digest;
}
template <class Answer>
bool replaces(const Answer&, const Answer&) {
  return false;
}

// False: a question had two answers.
template <class Answer>
bool put_in_order(Seen::Answers<Answer>& answers) {
  std::vector<std::size_t> order(answers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const int compared = answers[a].first.compare(answers[b].first);
    return compared != 0 ? compared < 0 : a < b;
  });
  bool agree = true;
  Seen::Answers<Answer> each;
  each.reserve(answers.size());
  for (const std::size_t i : order) {
    auto& answer = answers[i];
    if (each.empty() || each.back().first != answer.first) {
      each.push_back(std::move(answer));
    } else if (replaces(answer.second, each.back().second)) {
      each.back().second = std::move(answer.second);
    } else {
      agree = agree && same(answer.second, each.back().second);
    }
  }
  answers = std::move(each);
  return agree;
}

}  // namespace

bool Witness::room() const {
  seen_.whole = seen_.whole && answers_ < seen_answers_max;
  return answers_++ < seen_answers_max;
}

std::optional<std::string> Witness::target(const std::string& path) const {
  auto target = links_.target(path);
  if (target && room()) seen_.targets.emplace_back(path, *target);
  return target;
}

bool Witness::may_have_links(const std::string& path) const {
  const bool may = links_.may_have_links(path);
  if (!may && room()) seen_.plain.push_back(path);
  return may;
}

Links::Standing Witness::standing(const std::string& path) const {
  const Standing standing = links_.standing(path);
  if (room()) seen_.standing.emplace_back(path, standing);
  return standing;
}

std::optional<std::vector<Links::Entry>> Witness::entries(const std::string& directory,
                                                          std::size_t most) const {
  auto entries = links_.entries(directory, most);
  if (room()) seen_.lists.emplace_back(directory, Seen::List{entries, entries ? 0 : most});
  return entries;
}

std::optional<std::string> Witness::text(const std::string& path, std::size_t most) const {
  auto text = links_.text(path, most);
  if (!room()) return text;
  Seen::Text seen{.size = most};
  if (text && text->size() <= text_inline_max)
    seen = {Seen::Part::bytes, *text, {}, 0};
  else if (text)
    seen = {Seen::Part::digest, {}, base::sha256(*text), text->size()};
  seen_.texts.emplace_back(path, std::move(seen));
  return text;
}

bool Witness::folds_case(const std::string& path) const {
  const bool folds = links_.folds_case(path);
  if (room()) seen_.folds.emplace_back(path, folds);
  return folds;
}

Seen Witness::seen() const {
  Seen seen = seen_;
  std::sort(seen.plain.begin(), seen.plain.end());
  seen.plain.erase(std::unique(seen.plain.begin(), seen.plain.end()), seen.plain.end());
  bool agree = put_in_order(seen.standing);
  agree = put_in_order(seen.targets) && agree;
  agree = put_in_order(seen.folds) && agree;
  agree = put_in_order(seen.lists) && agree;
  agree = put_in_order(seen.texts) && agree;
  seen.whole = seen.whole && agree;
  return seen;
}

}  // namespace policy
