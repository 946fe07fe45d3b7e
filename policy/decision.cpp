#include "policy/decision.hpp"

#include <algorithm>

#include "policy/load/built_in.hpp"
#include "proxy/base/text.hpp"

namespace policy {

const char* name(Tier tier) {
  switch (tier) {
    case Tier::deny: return "DENY";
    case Tier::ask: return "ASK";
    case Tier::allow: return "ALLOW";
  }
  return "DENY";
}

const char* name(Layer layer) {
  switch (layer) {
    case Layer::built_in: return "built in";
    case Layer::organisation: return "organisation";
    case Layer::user: return "user";
    case Layer::repository: return "repository";
    case Layer::mission: return "mission";
  }
  return "built in";
}

const char* name(Severity severity) {
  switch (severity) {
    case Severity::low: return "low";
    case Severity::medium: return "medium";
    case Severity::high: return "high";
    case Severity::critical: return "critical";
  }
  return "critical";
}

const Reason* deciding(const Decision& decision) {
  // An effect that needs no rule allows nothing by itself.
  const auto idle = [](const Reason& reason) { return reason.tier == Tier::allow && reason.rule.empty(); };
  const auto strictest = std::min_element(decision.reasons.begin(), decision.reasons.end(),
                                          [&](const Reason& a, const Reason& b) {
                                            return a.tier != b.tier ? a.tier < b.tier : !idle(a) && idle(b);
                                          });
  return strictest == decision.reasons.end() ? nullptr : &*strictest;
}

bool asks_no_more(const Decision& now, const Decision& before) {
  if (now.effects != before.effects || now.reasons.size() != before.reasons.size()) return false;
  for (std::size_t i = 0; i < now.reasons.size(); ++i) {
    const Reason& is = now.reasons[i];
    const Reason& was = before.reasons[i];
    const bool same = is.tier == was.tier && is.rule == was.rule && is.layer == was.layer;
    if (is.tier != Tier::allow && !same) return false;
  }
  return true;
}

std::string explain_to_agent(const Decision& decision) {
  constexpr std::size_t effect_bytes_max = 160;
  constexpr std::size_t words_bytes_max = 240;
  constexpr std::size_t error_bytes_max = 600;
  const Reason* reason = deciding(decision);
  if (reason == nullptr || reason->effect >= decision.effects.size())
    return "denied: the call has no known effect";
  const char* answer = "allowed";
  if (decision.tier == Tier::deny) answer = "denied";
  if (decision.tier == Tier::ask) answer = "needs an operator's answer";
  std::string text =
      base::quoted(summary(decision.effects[reason->effect]), effect_bytes_max) + " is " + answer;
  if (decision.tier == Tier::ask)
    text = base::quoted(summary(decision.effects[reason->effect]), effect_bytes_max) + " " + answer;
  if (is_unreadable(*reason))
    return text + ": the policy cannot be read: " + base::printable(reason->why, error_bytes_max) +
           "; it would take " + reason->remedy;
  text += reason->rule.empty() ? std::string(" because no rule allows it")
                               : " by rule " + base::quoted(reason->rule) + " (" + name(reason->layer) + ")";
  if (!reason->why.empty()) text += ": " + base::printable(reason->why, words_bytes_max);
  if (!reason->found.empty())
    text += "; in its content was found: " + base::printable(reason->found, words_bytes_max * 2);
  if (!reason->history.empty()) text += " (" + reason->history + ")";
  if (decision.redirected) text += "; " + explain_redirect(*decision.redirected);
  if (!reason->remedy.empty())
    text += "; it would take " + base::printable(reason->remedy, words_bytes_max * 2);
  if (reason->almost) text += "; " + base::printable(reason->almost.text, words_bytes_max * 2);
  return text;
}

std::string explain_redirect(const Redirected& redirected) {
  constexpr std::size_t value_bytes_max = 160;
  constexpr std::size_t told_max = 8;
  std::string text = "callgate redirected this call: ";
  for (std::size_t i = 0; i < redirected.changes.size() && i < told_max; ++i) {
    const Change& change = redirected.changes[i];
    text +=
        (i == 0 ? "" : "; ") + base::quoted(change.argument, value_bytes_max) + " is " +
        base::quoted(change.value, value_bytes_max) +
        (change.was.empty() ? std::string() : " in place of " + base::quoted(change.was, value_bytes_max)) +
        ", by rule " + base::quoted(change.rule);
  }
  if (redirected.changes.size() > told_max)
    text += "; and " + std::to_string(redirected.changes.size() - told_max) + " more";
  return text;
}

}  // namespace policy
