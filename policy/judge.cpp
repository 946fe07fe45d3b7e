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

// What a person was to be asked of the call as it came, or has granted; what stays as it was is there.
void add_asked(Decision& decision, const Decision& asked) {
  for (const Reason& reason : asked.reasons) {
    if (reason.tier != Tier::ask && reason.grant == 0) continue;
    Effect effect = asked.effects[reason.effect];
    const auto same = [&](const Reason& now) {
      return now.tier == reason.tier && now.rule == reason.rule && now.layer == reason.layer &&
             now.grant == reason.grant && decision.effects[now.effect] == effect;
    };
    if (std::any_of(decision.reasons.begin(), decision.reasons.end(), same)) continue;
    effect.note += (effect.note.empty() ? "" : "; ") + std::string("as asked, before the redirect");
    add(decision, std::move(effect), reason);
  }
}

// An allow with a rate lets a call pass that it redirects, though it seldom covers what the call becomes.
void add_rates(const CompiledRules& rules, Decision& decision, const Decision& asked) {
  for (const Tally& tally : rules.tallies) {
    const auto counts = [&](const Decision& each) {
      return std::binary_search(each.tallies.begin(), each.tallies.end(), tally.id);
    };
    if (tally.kind != TallyKind::rate || !counts(asked) || counts(decision)) continue;
    decision.tallies.insert(std::upper_bound(decision.tallies.begin(), decision.tallies.end(), tally.id),
                            tally.id);
  }
}

// Judged on what is there; each thing is asked for once.
class Judging {
 public:
  Judging(const CompiledRules& rules, const Scene& scene, const History& history,
          const std::vector<Grant>& grants)
      : rules_(rules),
        links_(*scene.links),
        scene_(scene),
        history_(history),
        grants_(grants),
        roots_(links_, rules.anchors) {
    scene_.links = &links_;
  }

  Decision judge(const Call& call, Looks* looks) {
    std::vector<Effect> effects = described(call);
    Redirection redirected = redirection(rules_, call, scene_, effects, history_, roots_);
    auto result_rules = result_rules_for(rules_, call, effects, roots_);
    Decision asked = decided(call, std::move(effects), looks);
    asked.result_rules = std::move(result_rules);
    if (asked.tier == Tier::deny || redirected.none()) return asked;
    if (redirected.refused) {
      refuse(asked, std::move(*redirected.refused));
      return asked;
    }
    if (looks != nullptr) looks->asked_hits = std::exchange(looks->hits, {});
    Decision decision = rewritten(call, std::move(redirected), asked, looks);
    if (looks != nullptr) looks->asked = std::move(asked);
    return decision;
  }

 private:
  std::vector<Effect> described(const Call& call) const {
    return describe(call, scene_, rules_.declarations, *rules_.catalogue);
  }

  Decision decided(const Call& call, std::vector<Effect> effects, Looks* looks) {
    return decide(rules_, call, roots_, std::move(effects), history_,
                  looks == nullptr ? nullptr : &looks->hits, grants_);
  }

  Decision rewritten(const Call& call, Redirection redirected, const Decision& asked, Looks* looks) {
    Call changed = call;
    changed.arguments = std::move(redirected.arguments);
    std::vector<Effect> effects = described(changed);
    auto wrong = misled(rules_, changed, scene_, effects, history_, redirected.changes, roots_);
    auto result_rules = result_rules_for(rules_, changed, effects, roots_);
    Decision decision = decided(changed, std::move(effects), looks);
    decision.result_rules = asked.result_rules;
    for (auto& rule : result_rules)  // the stricter of both holds
      if (std::find(asked.result_rules.begin(), asked.result_rules.end(), rule) == asked.result_rules.end())
        decision.result_rules.push_back(std::move(rule));
    decision.redirected = Redirected{std::move(redirected.changes), base::json::canonical(changed.arguments)};
    add_asked(decision, asked);
    add_rates(rules_, decision, asked);
    if (wrong) refuse(decision, std::move(*wrong));
    return decision;
  }

  const CompiledRules& rules_;
  const KnownLinks links_;
  Scene scene_;
  const History& history_;
  const std::vector<Grant>& grants_;
  Roots roots_;
};

}  // namespace

Decision judge(const CompiledRules& rules, const Call& call, const Scene& scene, const History& history,
               Looks* looks, const std::vector<Grant>& grants) {
  return Judging(rules, scene, history, grants).judge(call, looks);
}

Decision Policy::judge(const Call& call, const Scene& scene, const History& history) const {
  return policy::judge(*rules_, call, scene, history);
}

std::optional<Decision> Policy::judge_granted(const Call& call, const Scene& scene, const History& history,
                                              const std::vector<Grant>& grants) const {
  if (grants.empty()) return std::nullopt;
  Decision decision = policy::judge(*rules_, call, scene, history, nullptr, grants);
  if (decision.tier != Tier::allow) return std::nullopt;
  return decision;
}

const std::vector<Tally>& Policy::tallies() const { return rules_->tallies; }

}  // namespace policy
