#include "policy/review/narrows.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>

#include "policy/load/built_in.hpp"
#include "policy/load/toml_reader.hpp"

namespace policy {
namespace {

// What a file says, each statement in one spelling.
struct Statements {
  std::multiset<std::string> allows;
  std::multiset<std::string> denies;
  std::multiset<std::string> asks;
  // What rewrites calls: without it they would pass as they are, with it as something else.
  std::multiset<std::string> redirects;
  std::string rest;
  bool operator==(const Statements&) const = default;
};

// Keys in order, no places: two spellings of one value are equal.
std::string spelled(const toml::node& node) {
  std::ostringstream text;
  node.visit([&](const auto& value) { text << toml::json_formatter(value, toml::format_flags::none); });
  return text.str();
}

std::optional<Statements> read(const Source& source) {
  auto parsed = parse_toml(source.file, source.bytes);
  if (parsed.has_error()) return std::nullopt;
  Statements said;
  for (const char* kind : {"allow", "ask", "deny"}) {
    if (const toml::array* rules = parsed->get_as<toml::array>(kind))
      for (const toml::node& rule : *rules) {
        if (rule.is_table() && rule.as_table()->contains("redirect"))
          said.redirects.insert(kind + spelled(rule));
        const std::string_view of = kind;
        (of == "allow" ? said.allows : of == "ask" ? said.asks : said.denies).insert(spelled(rule));
      }
    parsed->erase(kind);
  }
  said.rest = spelled(*parsed);
  if (!source.trusted) said.allows.clear();
  return said;
}

// Of a file that is not there, or of its version.
bool nothing_more(const std::string& rest) {
  static const std::string version = spelled(toml::table{{"version", 1}});
  return rest.empty() || rest == version;
}

template <class Set>
bool within(const Set& some, const Set& all) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

// By layer and, of built-in ones, by file.
std::map<std::pair<Layer, std::string>, const Source*> by_place(const std::vector<Source>& sources) {
  std::map<std::pair<Layer, std::string>, const Source*> found;
  for (const Source& source : sources)
    found.insert_or_assign({source.layer, source.layer == Layer::built_in ? source.file : std::string()},
                           &source);
  return found;
}

// Whether every default that a file states is to ask, and one does.
bool asks_by_default(const std::vector<Source>& sources) {
  bool asks = false;
  for (const Source& source : sources) {
    const auto parsed = parse_toml(source.file, source.bytes);
    if (parsed.has_error()) return false;
    const toml::node* stated = parsed->get("default");
    if (stated == nullptr) continue;
    if (stated->value_or(std::string_view()) != "ask") return false;
    asks = true;
  }
  return asks;
}

bool narrows(const Statements& was, const Statements& is, bool asks_by_default) {
  return (was.rest == is.rest || (nothing_more(was.rest) && nothing_more(is.rest))) &&
         is.redirects == was.redirects && within(is.allows, was.allows) && within(was.denies, is.denies) &&
         within(was.asks, is.asks) && (asks_by_default || is.asks == was.asks);
}

bool narrows(const Source* before, const Source* after, bool asks_by_default) {
  if (before != nullptr && after != nullptr && before->bytes == after->bytes &&
      before->trusted == after->trusted)
    return true;
  if (after != nullptr && after->layer == Layer::repository && after->trusted) return true;
  const auto was = before != nullptr ? read(*before) : std::optional(Statements());
  const auto is = after != nullptr ? read(*after) : std::optional(Statements());
  return was && is && narrows(*was, *is, asks_by_default);
}

}  // namespace

bool only_narrows(const Source& before, const Source& after, const std::vector<Source>& all_before) {
  Source trusted_before = before;
  Source trusted_after = after;
  trusted_before.trusted = trusted_after.trusted = true;
  const auto was = read(trusted_before);
  const auto is = read(trusted_after);
  return was && is && narrows(*was, *is, asks_by_default(all_before));
}

bool only_narrows(const std::vector<Source>& before, const std::vector<Source>& after) {
  const bool trusts = std::any_of(after.begin(), after.end(), [](const Source& source) {
    return source.layer == Layer::repository && source.trusted;
  });
  const bool asks = asks_by_default(before);
  const auto was = by_place(before);
  const auto is = by_place(after);
  const auto at = [](const auto& sources, const auto& place) -> const Source* {
    const auto found = sources.find(place);
    return found == sources.end() ? nullptr : found->second;
  };
  return std::all_of(was.begin(), was.end(),
                     [&](const auto& each) {
                       const bool displaced = trusts && each.first.second == baseline_file;
                       return displaced || narrows(each.second, at(is, each.first), asks);
                     }) &&
         std::all_of(is.begin(), is.end(), [&](const auto& each) {
           return at(was, each.first) != nullptr || narrows(nullptr, each.second, asks);
         });
}

}  // namespace policy
