#include "policy/describe/placed.hpp"

#include <algorithm>
#include <array>

#include "policy/path/components.hpp"
#include "policy/path/path.hpp"

namespace policy {

namespace {

bool holds_link(const std::string& directory, const Links& links) {
  std::vector<std::string> waiting{directory};
  for (std::size_t left = copied_names_max; !waiting.empty();) {
    const std::string at = std::move(waiting.back());
    waiting.pop_back();
    const auto entries = links.entries(at, left);
    if (!entries) return true;  // or not known
    left -= entries->size();
    for (const Links::Entry& entry : *entries) {
      if (entry.kind == Links::Kind::link) return true;
      if (entry.kind == Links::Kind::directory) waiting.push_back(path_in(at, entry.name));
    }
  }
  return false;
}

}  // namespace

Placements::Placements(const std::vector<Placed>& placed, bool in_order, const Links& links)
    : placed_(placed), in_order_(in_order), links_(links), holds_(placed.size(), Holds::unknown) {
  for (std::size_t i = 0; i < placed_.size(); ++i) {
    paths_.emplace(placed_[i].path, i);
    const auto real = real_path(placed_[i].path, "/", links_);
    if (real && *real != placed_[i].path) paths_.emplace(*real, i);
  }
}

bool Placements::any_of(std::string_view path, bool below,
                        const std::function<bool(std::size_t, bool)>& test) const {
  const auto found = [&](std::string_view at, bool same) {
    const auto [first, last] = paths_.equal_range(at);
    return std::any_of(first, last, [&](const auto& each) { return test(each.second, same); });
  };
  if (found(path, true) || (path != "/" && found("/", false))) return true;
  for (std::string_view up = path; up.rfind('/') != std::string_view::npos && up.rfind('/') > 0;) {
    up = up.substr(0, up.rfind('/'));
    if (found(up, false)) return true;
  }
  if (!below) return false;
  const std::string start = std::string(path) + (path.ends_with('/') ? "" : "/");
  for (auto at = paths_.lower_bound(start); at != paths_.end() && at->first.starts_with(start); ++at)
    if (test(at->second, true)) return true;
  return false;
}

bool Placements::meets(const Effect& effect, std::size_t at) {
  if (paths_.empty()) return false;
  const auto test = [&](std::size_t which, bool same) {
    return (!same || placed_[which].itself || effect.reach.follows) && applies(which, at);
  };
  const bool below = effect.reach.follows;
  return any_of(effect.path.lexical, below, test) || any_of(effect.path.real, below, test);
}

bool Placements::applies(std::size_t which, std::size_t at) {
  const Placed& placed = placed_[which];
  if (at >= placed.first && at < placed.last) return false;
  return (!in_order_ || at >= placed.last) && holds_links(which);
}

bool Placements::holds_links(std::size_t which) {
  const Placed& placed = placed_[which];
  if (placed.any) return true;
  // What it comes from may come from here, in turn.
  if (holds_[which] == Holds::unknown) {
    holds_[which] = Holds::asked;
    const bool holds = std::any_of(placed.sources.begin(), placed.sources.end(),
                                   [&](const std::string& source) { return may_be_linked(source); });
    holds_[which] = holds ? Holds::yes : Holds::no;
  }
  return holds_[which] == Holds::yes;
}

bool Placements::may_be_linked(const std::string& source) {
  const auto kind = links_.standing(source).kind;
  if (kind == Links::Kind::link) return true;
  const auto real = real_path(source, "/", links_);
  if (!real || (links_.is_directory(*real) && holds_link(*real, links_))) return true;
  return any_of(source, true, [&](std::size_t which, bool) { return holds_links(which); });
}

bool runs_in_order(std::string_view line) {
  constexpr std::array<std::string_view, 8> again{"while",  "until", "for",      "select",
                                                  "coproc", "trap",  "function", "eval"};
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const char next = i + 1 < line.size() ? line[i + 1] : ' ';
    const char before = i > 0 ? line[i - 1] : ' ';
    if ((c == '&' || c == '|') && next == c) {
      ++i;
    } else if (c == '|' || (c == '&' && before != '>' && before != '<' && next != '>')) {
      return false;
    }
    if (c == '(' && (next == ')' || before == '<' || before == '>')) return false;
  }
  return std::none_of(again.begin(), again.end(),
                      [&](std::string_view word) { return line.find(word) != std::string_view::npos; });
}

}  // namespace policy
