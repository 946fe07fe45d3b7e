#include "policy/review/let_pass.hpp"

#include <algorithm>
#include <string_view>

#include "policy/command/match_command.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

constexpr std::size_t shown_bytes_max = 300;

// Of the words alone, as a pattern; empty: some would be read otherwise.
std::string exactly(const Command& command) {
  std::string text;
  if (!command.unknown.empty() || !command.line.empty()) return text;
  for (const std::string& word : command.words) {
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789-_./:=@,+%") == std::string::npos;
    if (!plain) return {};
    text += word + " ";
  }
  return text + "$";
}

// What the allow says of the command where the ask takes in all of that and more; else the command itself.
std::string pattern_of(const Rule& allow, const Rule& ask, const Command& command) {
  for (const CommandPattern& narrow : allow.condition.run) {
    if (!command::permits(narrow, command)) continue;
    const auto& wide = ask.condition.run;
    const auto wider = [&](const CommandPattern& each) {
      return each.covers(narrow) && !narrow.covers(each);
    };
    if (std::any_of(wide.begin(), wide.end(), wider)) return narrow.text();
  }
  return exactly(command);
}

std::string pattern_of(const Rule& allow, const Rule& ask, const Effect& effect) {
  const std::string& path = effect.path.lexical;
  switch (effect.kind) {
    case EffectKind::run: return pattern_of(allow, ask, effect.command);
    case EffectKind::read:
    case EffectKind::write:
    case EffectKind::remove:
      if (effect.reach.wide() || effect.path.real != path) return {};
      return path.find_first_of("*?[]{}") == std::string::npos ? path : std::string();
    case EffectKind::use:
    case EffectKind::connect:
    case EffectKind::sample:
    case EffectKind::elicit: break;
  }
  return {};
}

// Whether one more entry in its exception is all that it takes.
bool takes_exception(const Rule& ask) {
  if (ask.place.empty() || !ask.trusted || ask.after || !ask.condition.content.empty()) return false;
  if (!ask.except) return true;
  const Condition& except = *ask.except;
  return except.names_effects() && except.server.empty() && except.tool.empty() && except.method.empty() &&
         except.agent.empty() && except.mission.empty() && except.host_user.empty() &&
         except.argument.empty() && except.content.empty() && !except.elevated && except.cwd.empty();
}

}  // namespace

std::string to_let_pass(const Decision& decision, const Reason& reason, const std::vector<Hit>& hits) {
  const Effect& effect = decision.effects[reason.effect];
  if (reason.tier != Tier::ask || reason.rule.empty() || reason.may_deny || effect.opaque || effect.guessed ||
      effect.command.elsewhere || !effect.caution.empty())
    return {};
  const Rule* allow = nullptr;
  std::vector<const Rule*> asks;
  for (const Hit& hit : hits) {
    if (hit.effect != reason.effect) continue;
    if (hit.rule->tier == Tier::deny) return {};
    if (hit.rule->tier == Tier::ask) asks.push_back(hit.rule);
    if (hit.rule->tier == Tier::allow && hit.counts && allow == nullptr) allow = hit.rule;
  }
  if (allow == nullptr) return {};
  std::string text;
  for (const Rule* ask : asks) {
    const std::string pattern = takes_exception(*ask) ? pattern_of(*allow, *ask, effect) : std::string();
    if (pattern.empty()) return {};
    text += (text.empty() ? "add " : ", and ") + base::quoted(pattern, shown_bytes_max) + " to `except." +
            name(effect.kind) + "` of " + base::quoted(ask->id) + " (" + base::printable(ask->place) + ")";
  }
  return text;
}

}  // namespace policy
