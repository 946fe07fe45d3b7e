#include "policy/review/narrows.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "policy/load/built_in.hpp"
#include "policy/load/load.hpp"
#include "policy/load/toml_reader.hpp"
#include "policy/review/less.hpp"
#include "policy/rule/rule.hpp"

namespace policy {
namespace {

// What a file says.
struct Statements {
  std::vector<Rule> rules;               // but for those that rewrite calls
  std::multiset<std::string> redirects;  // these, as written: without them calls would pass as they are
  std::array<std::optional<Tier>, effect_kinds> defaults;  // that it states
  std::string rest;                                        // declarations and the like, as written
};

// Keys in order, no places: two spellings of one value are equal.
std::string spelled(const toml::node& node) {
  std::ostringstream text;
  node.visit([&](const auto& value) { text << toml::json_formatter(value, toml::format_flags::none); });
  return text.str();
}

// The rules as they would count: of a file without trust only what it denies and asks.
std::optional<Statements> read(const Source& source, const Anchors& anchors) {
  auto parsed = parse_toml(source.file, source.bytes);
  const auto compiled = compile_sources({source}, anchors);
  if (parsed.has_error() || compiled.has_error()) return std::nullopt;
  Statements said;
  for (const Rule& rule : compiled->rules)
    if (!rule.redirect) said.rules.push_back(rule);
  for (const auto& rule : compiled->result_rules) said.rules.push_back(*rule);
  for (const char* kind : {"allow", "ask", "deny"}) {
    const toml::array* rules = parsed->get_as<toml::array>(kind);
    if (rules != nullptr && source.trusted)
      for (const toml::node& rule : *rules)
        if (rule.is_table() && rule.as_table()->contains("redirect"))
          said.redirects.insert(kind + spelled(rule));
    parsed->erase(kind);
  }
  const bool states = parsed->contains("default");
  for (std::size_t i = 0; states && i < effect_kinds; ++i)
    if (const Default& each = compiled->defaults[i]; each.tier == Tier::ask || !each.place.empty())
      said.defaults[i] = each.tier;
  parsed->erase("default");
  said.rest = spelled(*parsed);
  return said;
}

// Of a file that is not there, or of its version.
bool nothing_more(const std::string& rest) {
  static const std::string version = spelled(toml::table{{"version", 1}});
  return rest.empty() || rest == version;
}

// By layer and, of built-in ones, by file.
std::map<std::pair<Layer, std::string>, const Source*> by_place(const std::vector<Source>& sources) {
  std::map<std::pair<Layer, std::string>, const Source*> found;
  for (const Source& source : sources)
    found.insert_or_assign({source.layer, source.layer == Layer::built_in ? source.file : std::string()},
                           &source);
  return found;
}

// What the policy of before was, beside the file that is compared.
struct Around {
  Anchors anchors;
  std::array<Default, effect_kinds> defaults;  // of all files together

  // An ask takes the place of what nothing covers: there it must have been asked for before.
  bool asks_by_default(const Rule& rule) const {
    for (std::size_t i = 0; i < effect_kinds; ++i)
      if ((kinds_of(rule.condition) & (1U << i)) != 0 && defaults[i].tier != Tier::ask) return false;
    return true;
  }
};

std::optional<Around> around(const std::vector<Source>& before, const Anchors& anchors) {
  const auto compiled = compile_sources(before, anchors);
  if (compiled.has_error()) return std::nullopt;
  return Around{anchors, compiled->defaults};
}

bool restricted_still(const Rule& was, const std::vector<Rule>& now, const Anchors& anchors) {
  return std::any_of(now.begin(), now.end(),
                     [&](const Rule& rule) { return restricts_no_less(rule, was, anchors); });
}

bool lets_no_more(const Rule& is, const std::vector<Rule>& before, const Around& around) {
  if (is.tier == Tier::deny || (is.tier == Tier::ask && around.asks_by_default(is))) return true;
  return std::any_of(before.begin(), before.end(), [&](const Rule& rule) {
    return is.tier == Tier::allow ? allows_no_more(is, rule, around.anchors)
                                  : rule.tier == Tier::ask && restricts_no_less(rule, is, around.anchors);
  });
}

bool defaults_no_looser(const Statements& was, const Statements& is) {
  for (std::size_t i = 0; i < effect_kinds; ++i)
    if (is.defaults[i] != was.defaults[i] && is.defaults[i] != Tier::deny && was.defaults[i] != Tier::ask)
      return false;
  return true;
}

bool narrows(const Statements& was, const Statements& is, const Around& around) {
  if (was.rest != is.rest && !(nothing_more(was.rest) && nothing_more(is.rest))) return false;
  if (is.redirects != was.redirects || !defaults_no_looser(was, is)) return false;
  return std::all_of(was.rules.begin(), was.rules.end(),
                     [&](const Rule& rule) {
                       return rule.tier == Tier::allow || restricted_still(rule, is.rules, around.anchors);
                     }) &&
         std::all_of(is.rules.begin(), is.rules.end(),
                     [&](const Rule& rule) { return lets_no_more(rule, was.rules, around); });
}

bool narrows(const Source* before, const Source* after, const Around& around) {
  if (before != nullptr && after != nullptr && before->bytes == after->bytes &&
      before->trusted == after->trusted)
    return true;
  if (after != nullptr && after->layer == Layer::repository && after->trusted) return true;
  const auto was = before != nullptr ? read(*before, around.anchors) : std::optional(Statements());
  const auto is = after != nullptr ? read(*after, around.anchors) : std::optional(Statements());
  return was && is && narrows(*was, *is, around);
}

}  // namespace

bool only_narrows(const Source& before, const Source& after, const std::vector<Source>& all_before,
                  const Anchors& anchors) {
  Source trusted_before = before;
  Source trusted_after = after;
  trusted_before.trusted = trusted_after.trusted = true;
  const auto standing = around(all_before, anchors);
  const auto was = read(trusted_before, anchors);
  const auto is = read(trusted_after, anchors);
  return standing && was && is && narrows(*was, *is, *standing);
}

bool only_narrows(const std::vector<Source>& before, const std::vector<Source>& after,
                  const Anchors& anchors) {
  const bool trusts = std::any_of(after.begin(), after.end(), [](const Source& source) {
    return source.layer == Layer::repository && source.trusted;
  });
  const auto standing = around(before, anchors);
  if (!standing) return false;
  const auto was = by_place(before);
  const auto is = by_place(after);
  const auto at = [](const auto& sources, const auto& place) -> const Source* {
    const auto found = sources.find(place);
    return found == sources.end() ? nullptr : found->second;
  };
  return std::all_of(was.begin(), was.end(),
                     [&](const auto& each) {
                       const bool displaced = trusts && each.first.second == baseline_file;
                       return displaced || narrows(each.second, at(is, each.first), *standing);
                     }) &&
         std::all_of(is.begin(), is.end(), [&](const auto& each) {
           return at(was, each.first) != nullptr || narrows(nullptr, each.second, *standing);
         });
}

}  // namespace policy
