#include "policy/decide.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "policy/earlier.hpp"
#include "policy/load/built_in.hpp"
#include "policy/rule/almost.hpp"
#include "policy/rule/found_content.hpp"
#include "policy/rule/index.hpp"
#include "proxy/base/text.hpp"

namespace policy {

namespace {

constexpr std::size_t shown_bytes_max = 160;

// The best rule of each tier for one effect.
struct Candidates {
  const Rule* deny = nullptr;
  const Rule* partial = nullptr;  // a deny or ask that may concern a part of the effect
  const Rule* ask = nullptr;
  const Rule* allow = nullptr;
  const Rule* undelegated = nullptr;  // an allow of a layer that may not allow such an effect
  const Rule* used_up = nullptr;      // an allow whose rate is
  bool beyond = false;                // some ask, or a rate, looks at more than the effect
  const Rule* untrusted = nullptr;    // what an untrusted repository asks, for the effect or a part of it
};

// Of two that decide alike, the graver is told, a deny before an ask.
bool graver(const Rule& rule, const Rule* other) {
  if (other == nullptr) return true;
  if (rule.tier != other->tier) return rule.tier < other->tier;
  const bool malicious = !rule.violation_class.empty();
  const bool other_malicious = !other->violation_class.empty();
  return malicious != other_malicious ? malicious : rule.severity > other->severity;
}

// Something below a recursive effect, one of the words of a line that is not understood, or one reading of an
// address: the rest of the effect still needs an allow or gets the default.
bool concerns_part(const Rule& rule, const Subject& subject, Match match) {
  if (match == Match::below) return true;
  const Effect& effect = *subject.effect;
  const bool odd = effect.opaque && effect.kind == EffectKind::connect;
  return rule.tier == Tier::ask && (odd || !effect.command.line.empty()) && rule.condition.names_effects() &&
         !covers_every_reading(rule.condition, subject);
}

void offer(Candidates& candidates, const Rule& rule, bool part, bool counts, const History& history) {
  const Rule** place = nullptr;
  const bool looks_beyond = rule.after.has_value() || !rule.condition.content.empty();
  candidates.beyond = candidates.beyond || (rule.tier == Tier::ask && looks_beyond);
  switch (rule.tier) {
    case Tier::deny: place = part ? &candidates.partial : &candidates.deny; break;
    case Tier::ask: place = part ? &candidates.partial : &candidates.ask; break;
    case Tier::allow: place = used_up(rule, history) ? &candidates.used_up : &candidates.allow; break;
  }
  if (!rule.trusted && place != &candidates.deny) place = &candidates.untrusted;
  if (rule.tier == Tier::allow && !counts) place = &candidates.undelegated;
  if (graver(rule, *place)) *place = &rule;
}

// Whether a rule, and its exception, is for the call at all: asked once for all effects.
class Scopes {
 public:
  Scopes(const CompiledRules& rules, const Call& call) : rules_(rules.rules), call_(call) {}

  bool has(std::size_t place) {
    if (!known_.has(place)) look(place);
    return in_.has(place);
  }
  bool has_except(std::size_t place) const { return in_except_.has(place); }

 private:
  void look(std::size_t place) {
    const Rule& rule = rules_[place];
    known_.add(place);
    if (!scope_matches(rule.condition, call_)) return;
    in_.add(place);
    if (rule.except && scope_matches(*rule.except, call_)) in_except_.add(place);
  }

  const std::vector<Rule>& rules_;
  const Call& call_;
  RuleSet known_{rules_.size()};
  RuleSet in_{rules_.size()};
  RuleSet in_except_{rules_.size()};
};

Reason reason_of(const Rule& rule, Tier tier) {
  Reason reason;
  reason.tier = tier;
  reason.rule = rule.id;
  reason.layer = rule.layer;
  reason.place = rule.place;
  reason.why = rule.why;
  reason.severity = rule.severity;
  reason.violation_class = rule.violation_class;
  return reason;
}

std::string allow_that_covers(const Effect& effect) {
  if (effect.opaque) return "an allow rule with `opaque = true` that names the server and the tool";
  const std::string kind = name(effect.kind);
  switch (effect.kind) {
    case EffectKind::read:
    case EffectKind::write:
    case EffectKind::remove: {
      std::string text =
          "an allow rule whose `" + kind + "` covers " + base::quoted(effect.path.lexical, shown_bytes_max);
      if (effect.path.real != effect.path.lexical)
        text += " and " + base::quoted(effect.path.real, shown_bytes_max);
      return text + (effect.reach.recursive ? " and all below" : "");
    }
    case EffectKind::run:
    case EffectKind::connect:
      return "an allow rule whose `" + kind + "` covers " +
             base::quoted(summary(effect).substr(kind.size() + 1), shown_bytes_max) +
             (effect.command.elsewhere ? " and that names its `cwd`" : "");
    case EffectKind::use: return "an allow rule for this tool, without effect keys";
    case EffectKind::sample:
    case EffectKind::elicit: return "an allow rule for this server and method, without effect keys";
  }
  return {};
}

std::string remedy(const Effect& effect, const Reason& reason) {
  if (!effect.refused.empty()) return "another argument: no rule can allow this one";
  if (reason.tier == Tier::allow) return {};
  if (reason.rule.empty() && effect.caution.empty()) return allow_that_covers(effect);
  if (reason.tier == Tier::ask) return "an operator's approval";
  if (is_unreadable(reason)) return "mending that file, which is for the operator to do";
  return "a change to the deny rule " + base::quoted(reason.rule) +
         (reason.place.empty() ? std::string(", which is built in") : " at " + base::quoted(reason.place));
}

// Of a part of the effect.
Reason partial_reason(const Rule& rule) {
  Reason reason = reason_of(rule, Tier::ask);
  reason.may_deny = rule.tier == Tier::deny;
  if (reason.may_deny)
    reason.why = "something below may be denied" + (reason.why.empty() ? std::string() : ": " + reason.why);
  return reason;
}

Reason judge_effect(const Effect& effect, const Candidates& candidates, const Default& fallback,
                    bool meets_allow) {
  Reason reason;
  const bool denied_anyway = meets_allow && candidates.allow == nullptr && candidates.used_up == nullptr &&
                             fallback.tier == Tier::deny;
  if (!effect.refused.empty()) {
    reason.why = effect.refused + " is refused";
  } else if (candidates.deny != nullptr) {
    reason = reason_of(*candidates.deny, Tier::deny);
  } else if (candidates.ask != nullptr) {
    reason = reason_of(*candidates.ask, Tier::ask);
    reason.may_deny = candidates.partial != nullptr && candidates.partial->tier == Tier::deny;
  } else if (candidates.partial != nullptr && !denied_anyway) {
    reason = partial_reason(*candidates.partial);
  } else if (!meets_allow) {
    reason.tier = Tier::allow;
    reason.why = effect.idle      ? "the shell does it itself, without an effect outside"
                 : effect.guessed ? "a guess that no deny or ask rule covers"
                                  : "no deny or ask rule covers the tool itself; the other effects decide";
  } else if (candidates.allow != nullptr) {
    reason = reason_of(*candidates.allow, Tier::allow);
    if (!effect.caution.empty()) {
      reason.tier = Tier::ask;
      reason.why = effect.caution;
    }
  } else if (candidates.used_up != nullptr) {
    reason = reason_of(*candidates.used_up, Tier::ask);
  } else {
    reason.tier = fallback.tier == Tier::ask ? Tier::ask : Tier::deny;
    reason.layer = fallback.layer;
    reason.place = fallback.place;
    if (effect.opaque) reason.why = "not understood: " + effect.note;
    if (!effect.opaque && effect.command.elsewhere)
      reason.why = "it does what its directory tells it to, and that is another than callgate's own";
    if (candidates.undelegated != nullptr)
      reason.why = "the allow rule " + base::quoted(candidates.undelegated->id) +
                   " does not count: the organisation does not delegate " + base::quoted(name(effect.kind));
  }
  const bool rate = candidates.used_up != nullptr && reason.tier == Tier::ask;
  reason.beyond = reason.tier == Tier::ask && (candidates.beyond || rate);
  reason.remedy = remedy(effect, reason);
  if (reason.rule.empty() && reason.tier != Tier::allow && candidates.undelegated != nullptr)
    reason.remedy += " in the organisation's policy";
  return reason;
}

// What was found in the content of each effect, by the rule that decided. The effects of a call share it.
class FoundContent {
 public:
  explicit FoundContent(Roots& roots) : roots_(roots) {}

  std::string of(const Effect& effect, const Reason& reason, const Candidates& candidates) {
    if (reason.rule.empty() || !effect.content) return {};
    for (const Rule* rule : {candidates.deny, candidates.ask, candidates.partial, candidates.untrusted}) {
      if (rule == nullptr || rule->condition.content.empty()) continue;
      if (rule->id != reason.rule || rule->layer != reason.layer) continue;
      Known& known = known_[rule];
      if (known.text.empty() || known.content != *effect.content)
        known = {*effect.content, found_content(rule->condition, effect, roots_.readings(*effect.content))};
      return known.text;
    }
    return {};
  }

 private:
  struct Known {
    std::string_view content;
    std::string text;
  };
  Roots& roots_;
  std::map<const Rule*, Known> known_;
};

void name_content(const std::vector<Candidates>& candidates, Roots& roots, Decision& decision) {
  const Steps left = std::exchange(roots.steps(), Steps());
  FoundContent found(roots);
  for (Reason& reason : decision.reasons)
    reason.found = found.of(decision.effects[reason.effect], reason, candidates[reason.effect]);
  roots.steps() = left;
}

// Whether nothing but an allow was missing.
bool by_default(const Reason& reason, const Subject& subject) {
  return reason.rule.empty() && reason.tier != Tier::allow && subject.effect->refused.empty();
}

// Of a call that all else allows.
void ask_for_repository(const std::vector<Candidates>& candidates, Decision& decision) {
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].untrusted == nullptr) continue;
    decision.reasons[i] = partial_reason(*candidates[i].untrusted);
    decision.reasons[i].beyond = candidates[i].beyond;
    decision.reasons[i].effect = i;
    decision.reasons[i].remedy = remedy(decision.effects[i], decision.reasons[i]);
    decision.tier = Tier::ask;
  }
}

// Drops guesses that decided nothing, past a handful: they are shown to people.
void keep_few_guesses(Decision& decision) {
  std::size_t idle = 0;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < decision.effects.size(); ++i) {
    const bool nothing = decision.effects[i].guessed && decision.reasons[i].tier == Tier::allow &&
                         decision.reasons[i].grant == 0;
    if (nothing && ++idle > idle_guesses_max) continue;
    if (kept != i) {
      decision.effects[kept] = std::move(decision.effects[i]);
      decision.reasons[kept] = std::move(decision.reasons[i]);
    }
    decision.reasons[kept].effect = kept;
    ++kept;
  }
  decision.effects.resize(kept);
  decision.reasons.resize(kept);
}

// In place of effects that take too long to judge.
Decision refuse_costly(const Effect& first) {
  Effect effect;
  effect.name = first.name;
  effect.refused = "a call that takes too long to judge";
  Decision decision;
  decision.reasons.push_back(judge_effect(effect, {}, {}, true));
  decision.effects.push_back(std::move(effect));
  return decision;
}

// Whether some rule would let a command of this call run: only then the shell may do what it does itself.
bool lets_run(const CompiledRules& rules, const Call& call, const History& history) {
  return std::any_of(rules.rules.begin(), rules.rules.end(), [&](const Rule& rule) {
    return rule.tier == Tier::allow && (!rule.condition.run.empty() || !rule.condition.names_effects()) &&
           (rule.counts_for & kind_bit(EffectKind::run)) != 0 && scope_matches(rule.condition, call) &&
           holds(rule, history);
  });
}

std::vector<const Rule*> allows_for(RuleFinder& finder, const CompiledRules& rules, const Subject& subject) {
  std::vector<const Rule*> allows;
  finder.find(subject).each([&](std::size_t place) {
    const Rule& rule = rules.rules[place];
    if (rule.tier == Tier::allow && allows.size() < almost_rules_max) allows.push_back(&rule);
  });
  return allows;
}

}  // namespace

Decision decide(const CompiledRules& rules, const Call& call, Roots& roots, std::vector<Effect> effects,
                const History& history, std::vector<Hit>* hits, const std::vector<Grant>& grants) {
  const bool more_than_use = std::any_of(effects.begin(), effects.end(), [](const Effect& effect) {
    return effect.kind != EffectKind::use && (!effect.guessed || effect.idle);
  });
  const bool idle =
      std::any_of(effects.begin(), effects.end(), [](const Effect& effect) { return effect.idle; }) &&
      lets_run(rules, call, history);
  std::vector<Subject> subjects;
  std::vector<bool> meets_allow;  // false for guesses, and for a `use` beside other effects
  subjects.reserve(effects.size());
  for (const Effect& effect : effects) {
    subjects.push_back(make_subject(effect));
    const bool beside = effect.kind == EffectKind::use && !effect.opaque && more_than_use;
    meets_allow.push_back((effect.idle ? !idle : !effect.guessed) && !beside);
  }
  std::vector<Candidates> candidates(effects.size());
  Scopes scopes(rules, call);
  RuleFinder finder(rules, roots);
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    finder.find(subjects[i]).each([&](std::size_t place) {
      const Rule& rule = rules.rules[place];
      roots.steps().spend(1);
      if (roots.steps().spent()) return;
      if (!scopes.has(place) || (rule.tier == Tier::allow && !meets_allow[i])) return;
      if (!holds_for(rule, history, subjects, i, roots)) return;
      const Match match = rule_matches(rule, subjects[i], scopes.has_except(place), roots);
      if (match == Match::none) return;
      const bool counts = (rule.counts_for & kind_bit(effects[i].kind)) != 0;
      offer(candidates[i], rule, concerns_part(rule, subjects[i], match), counts, history);
      if (hits != nullptr) hits->push_back({i, &rule, match, counts});
    });
  }
  if (hits != nullptr)  // as the rules stand
    std::stable_sort(hits->begin(), hits->end(), [](const Hit& a, const Hit& b) { return a.rule < b.rule; });
  Decision decision;
  decision.tallies = tallies_of(rules, call, subjects, meets_allow, history, roots);
  if (roots.steps().spent()) {
    if (hits != nullptr) hits->clear();
    return refuse_costly(effects.front());
  }
  const Steps left = std::exchange(roots.steps(), Steps());  // what it costs to say why does not decide
  decision.tier = effects.empty() ? Tier::deny : Tier::allow;
  decision.reasons.reserve(effects.size());
  for (std::size_t i = 0; i < effects.size(); ++i) {
    decision.reasons.push_back(
        judge_effect(effects[i], candidates[i], rules.default_for(effects[i].kind), meets_allow[i]));
    decision.reasons.back().effect = i;
    if (by_default(decision.reasons.back(), subjects[i]))
      decision.reasons.back().almost =
          almost_allowed(allows_for(finder, rules, subjects[i]), call, subjects[i], history, roots);
    decision.tier = std::min(decision.tier, decision.reasons.back().tier);
  }
  roots.steps() = left;
  decision.effects = std::move(effects);  // where they are: the subjects point at them
  answer_by_grants(grants, call, subjects, roots, decision);
  if (decision.tier == Tier::allow) {
    ask_for_repository(candidates, decision);
    answer_by_grants(grants, call, subjects, roots, decision);
  }
  name_earlier_calls(rules, history, decision);
  name_content(candidates, roots, decision);
  if (hits == nullptr) keep_few_guesses(decision);
  return decision;
}

}  // namespace policy
