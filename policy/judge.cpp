#include "policy/judge.hpp"

#include <algorithm>
#include <utility>

#include "policy/describe/describe.hpp"
#include "policy/path/known_links.hpp"
#include "policy/policy.hpp"
#include "policy/redirect.hpp"
#include "policy/result.hpp"

namespace policy {

namespace {

void add(Decision& decision, Effect effect, Reason reason) {
  reason.effect = decision.effects.size();
  decision.tier = std::min(decision.tier, reason.tier);
  decision.effects.push_back(std::move(effect));
  decision.reasons.push_back(std::move(reason));
}

void refuse(Decision& decision, RedirectRefused refused) {
  Reason reason;
  reason.rule = refused.rule->id;
  reason.layer = refused.rule->layer;
  reason.place = refused.rule->place;
  reason.why = "its redirect does not apply: " + refused.why;
  reason.remedy =
      "a call that says plainly, in an argument of its own, what is to be redirected, or does not need to be";
  add(decision, std::move(refused.effect), std::move(reason));
}

// What a person was to be asked of the call as it came.
void add_asked(Decision& decision, const Decision& asked) {
  for (const Reason& reason : asked.reasons) {
    if (reason.tier != Tier::ask) continue;
    Effect effect = asked.effects[reason.effect];
    effect.note += (effect.note.empty() ? "" : "; ") + std::string("as asked, before the redirect");
    add(decision, std::move(effect), reason);
  }
}

}  // namespace

Decision judge(const CompiledRules& rules, const Call& call, const Scene& scene, const History& history,
               Looks* looks, const std::vector<Grant>& grants) {
  std::vector<Effect> effects = describe(call, scene, rules.declarations, *rules.catalogue);
  Redirection redirected = redirection(rules, call, scene, effects, history);
  auto result_rules = result_rules_for(rules, call, scene, effects);
  Decision asked = decide(rules, call, *scene.links, std::move(effects), history,
                          looks == nullptr ? nullptr : &looks->hits, grants);
  asked.result_rules = std::move(result_rules);
  if (asked.tier == Tier::deny || redirected.none()) return asked;
  if (redirected.refused) {
    refuse(asked, std::move(*redirected.refused));
    return asked;
  }
  Call rewritten = call;
  rewritten.arguments = std::move(redirected.arguments);
  effects = describe(rewritten, scene, rules.declarations, *rules.catalogue);
  auto wrong = misled(rules, rewritten, scene, effects, history, redirected.changes);
  for (auto& rule : result_rules_for(rules, rewritten, scene, effects))  // the stricter of both holds
    if (std::find(asked.result_rules.begin(), asked.result_rules.end(), rule) == asked.result_rules.end())
      asked.result_rules.push_back(std::move(rule));
  if (looks != nullptr) looks->asked_hits = std::exchange(looks->hits, {});
  Decision decision = decide(rules, rewritten, *scene.links, std::move(effects), history,
                             looks == nullptr ? nullptr : &looks->hits, grants);
  decision.result_rules = asked.result_rules;
  decision.redirected = Redirected{std::move(redirected.changes), base::json::canonical(rewritten.arguments)};
  add_asked(decision, asked);
  if (wrong) refuse(decision, std::move(*wrong));
  if (looks != nullptr) looks->asked = std::move(asked);
  return decision;
}

Decision Policy::judge(const Call& call, const Scene& scene, const History& history) const {
  const KnownLinks links(*scene.links);
  Scene once = scene;
  once.links = &links;
  return policy::judge(*rules_, call, once, history);
}

std::optional<Decision> Policy::judge_granted(const Call& call, const Scene& scene, const History& history,
                                              const std::vector<Grant>& grants) const {
  if (grants.empty()) return std::nullopt;
  const KnownLinks links(*scene.links);
  Scene once = scene;
  once.links = &links;
  Decision decision = policy::judge(*rules_, call, once, history, nullptr, grants);
  if (decision.tier != Tier::allow) return std::nullopt;
  return decision;
}

const std::vector<Tally>& Policy::tallies() const { return rules_->tallies; }

}  // namespace policy
