#include "proxy/mission/grant_offer.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "policy/network/target.hpp"
#include "proxy/base/text.hpp"
#include "proxy/setup/toml_text.hpp"

namespace proxy {
namespace {

using policy::EachTime;
using policy::EffectKind;

constexpr std::size_t entries_max = 32;

using Patterns = std::map<std::string, std::vector<std::string>>;  // by key

// What is shown as it stands, and means itself in every pattern.
bool literal(const std::string& text) {
  return base::printable(text, text.size() + 1) == text && text.find_first_of("*?{}") == std::string::npos;
}

std::optional<std::string> path_pattern(const policy::Effect& effect, const policy::Anchors& anchors) {
  const std::string& path = effect.path.lexical;
  if (!literal(path)) return std::nullopt;
  std::string pattern = path;
  if (path.starts_with(anchors.workspace + "/")) pattern = path.substr(anchors.workspace.size() + 1);
  if (pattern.starts_with('~') || pattern.starts_with("re:")) pattern = path;
  return pattern + (effect.reach.recursive && !pattern.ends_with('/') ? "/" : "");
}

// The command as it stands, and no further words.
std::optional<std::string> run_pattern(const policy::Command& command) {
  if (command.words.empty() || !command.unknown.empty()) return std::nullopt;
  std::string pattern;
  for (const std::string& word : command.words) {
    if (word.find('\'') != std::string::npos || base::printable(word, word.size() + 1) != word)
      return std::nullopt;
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789-_./:=@,+%") == std::string::npos;
    pattern += (plain ? word : "'" + word + "'") + " ";
  }
  return pattern + "$";
}

// Scheme, host and port.
std::optional<std::string> origin_pattern(const policy::Effect& effect) {
  const auto target = policy::network::read_target(effect.destination, effect.request);
  if (!target.agreed() || target.sites.size() != 1) return std::nullopt;
  return policy::network::text_of(target.sites.front());
}

std::optional<std::string> pattern_of(const policy::Effect& effect, const policy::Anchors& anchors) {
  switch (effect.kind) {
    case EffectKind::read:
    case EffectKind::write:
    case EffectKind::remove: return path_pattern(effect, anchors);
    case EffectKind::run: return run_pattern(effect.command);
    case EffectKind::connect: return origin_pattern(effect);
    case EffectKind::use:
    case EffectKind::sample:
    case EffectKind::elicit: break;
  }
  return std::nullopt;
}

// What is asked, pattern by pattern; empty: something of it cannot be written so.
std::string rule_for_effects(const std::string& server, const policy::Decision& asked,
                             const policy::Anchors& anchors) {
  Patterns patterns;
  std::size_t count = 0;
  for (const policy::Reason& reason : asked.reasons) {
    if (reason.tier != policy::Tier::ask) continue;
    const policy::Effect& effect = asked.effects[reason.effect];
    auto pattern = pattern_of(effect, anchors);
    if (!pattern) return {};
    auto& list = patterns[policy::name(effect.kind)];
    if (effect.command.elsewhere && effect.command.directory.empty()) return {};
    if (effect.command.elsewhere) patterns["cwd"] = {effect.command.directory};
    if (std::find(list.begin(), list.end(), *pattern) != list.end()) continue;
    if (++count > entries_max) return {};
    list.push_back(std::move(*pattern));
  }
  std::string text = rule_head(server);
  for (const auto& [key, list] : patterns) text += toml_list(key, list);
  return text;
}

}  // namespace

std::string rule_head(const std::string& server) {
  return "[[allow]]\nid = \"grant\"\nserver = " + toml_string(server) + "\n";
}

std::string rule_for_tool(const std::string& server, const std::string& method, const std::string& tool) {
  if (!literal(server) || server.empty() || !literal(method) || !literal(tool)) return {};
  std::string text = rule_head(server) + "method = " + toml_string(method) + "\n";
  if (!tool.empty()) text += "tool = " + toml_string(tool) + "\n";
  return text;
}

GrantOffer grant_offer(const policy::Policy& policy, const policy::Call& call, const policy::Scene& scene,
                       const policy::History& history, const policy::Decision& asked,
                       const base::Digest& same) {
  GrantOffer offer;
  offer.same = same;
  offer.each_time = policy::asked_each_time(asked);
  if (offer.each_time != EachTime::no) return offer;
  const policy::Anchors anchors{scene.workspace, scene.home};
  const auto helps = [&](const std::string& rule) {
    auto loaded = rule.empty() ? base::Error(base::Code::invalid, "no rule")
                               : policy::load_grant("grant", rule, anchors);
    return loaded &&
           policy.judge_granted(call, scene, history, {{1, std::make_shared<policy::Rule>(*loaded)}});
  };
  if (!helps(rule_for_tool(call.server, call.method, call.tool))) offer.each_time = EachTime::uncovered;
  if (offer.each_time != EachTime::no) return offer;
  offer.rule = rule_for_effects(call.server, asked, anchors);
  if (!helps(offer.rule)) offer.rule.clear();
  return offer;
}

}  // namespace proxy
