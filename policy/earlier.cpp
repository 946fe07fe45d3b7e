#include "policy/earlier.hpp"

#include <algorithm>
#include <set>

#include "policy/rule/show_condition.hpp"
#include "proxy/base/sha256.hpp"

namespace policy {
namespace {

constexpr std::size_t tally_digits = 16;
constexpr std::size_t named_max = 3;

// The same text in every process that judges by the same rule in the same place.
std::string tally_id(const CompiledRules& rules, std::string_view kind, const std::string& text) {
  base::Sha256 hash;
  hash.update("callgate tally 1\n");
  for (const std::string_view part : {kind, std::string_view(rules.anchors.workspace),
                                      std::string_view(rules.anchors.home), std::string_view(text)}) {
    hash.update(std::to_string(part.size()) + "\n");
    hash.update(part);
  }
  return base::hex(hash.finish()).substr(0, tally_digits);
}

std::string after_id(const CompiledRules& rules, const Condition& effects) {
  const bool certain = effects.stance == Stance::permit;
  const char* kind = certain ? "certainly" : effects.leaves_bare_words ? "maybe, no bare words" : "maybe";
  return tally_id(rules, kind, show_condition(effects));
}

std::string rate_id(const CompiledRules& rules, const Rule& rule) {
  std::string text = std::string(name(rule.layer)) + "\n" + rule.id + "\n" + show_condition(rule.condition);
  if (rule.except) text += "\nexcept " + show_condition(*rule.except);
  if (rule.after) text += "\nafter " + rule.after->text + " " + show_condition(rule.after->effects);
  return tally_id(rules, "rate", text);
}

void list(CompiledRules& rules, Tally tally) {
  const auto same = std::find_if(rules.tallies.begin(), rules.tallies.end(),
                                 [&](const Tally& each) { return each.id == tally.id; });
  if (same == rules.tallies.end())
    rules.tallies.push_back(std::move(tally));
  else
    same->keep = std::max(same->keep, tally.keep);
}

bool has_effect(const After& after, const std::vector<Subject>& subjects,
                const std::vector<bool>& meets_allow, Roots& roots) {
  const bool certain = after.effects.stance == Stance::permit;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    if (certain && !meets_allow[i]) continue;
    roots.steps().spend(1);
    if (effect_matches(after.effects, subjects[i], roots) != Match::none) return true;
  }
  return false;
}

// Whether an allow with a rate covers one of the effects.
bool covers_effect(const Rule& rule, const Call& call, const std::vector<Subject>& subjects,
                   const std::vector<bool>& meets_allow, Roots& roots) {
  if (!scope_matches(rule.condition, call)) return false;
  const bool except_in_scope = rule.except && scope_matches(*rule.except, call);
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    if (!meets_allow[i]) continue;
    roots.steps().spend(1);
    if (effect_matches(rule.condition, subjects[i], roots) == Match::none) continue;
    if (!except_in_scope || effect_matches(*rule.except, subjects[i], roots) == Match::none) return true;
  }
  return false;
}

// The latest first: `calls 30, 12 and 3 others`.
std::string numbers(const std::vector<Passed>& calls) {
  std::vector<std::string> named;
  for (auto each = calls.rbegin(); each != calls.rend() && named.size() < named_max; ++each)
    if (each->call != 0) named.push_back(std::to_string(each->call));
  std::string text;
  for (const std::string& each : named) text += (text.empty() ? "" : ", ") + each;
  const std::size_t others = calls.size() - named.size();
  if (named.empty()) return std::to_string(others) + " under way";
  text = (named.size() == 1 ? "call " : "calls ") + text;
  return others == 0 ? text : text + " and " + std::to_string(others) + (others == 1 ? " other" : " others");
}

void name_calls(const Rule& rule, const History& history, Reason& reason) {
  const bool rate =
      rule.tier == Tier::allow && reason.tier == Tier::ask && rule.rate && used_up(rule, history);
  if (!rate && !rule.after) return;
  const std::string& tally = rate ? rule.rate->tally : rule.after->tally;
  const std::size_t count = rate ? rule.rate->count : rule.after->count;
  const History::Span span = rate ? History::Span(rule.rate->span) : rule.after->within;
  const std::vector<Passed> calls = history.latest(tally, span, count);
  const bool enough = calls.size() >= count;
  if (rate) reason.history = "its rate of " + rule.rate->text + " ";
  if (!enough) {
    reason.history += rate                  ? "counts as used up, since not all that passed before is known"
                      : history.knows(span) ? "after what else this call does"
                                            : "not all that passed before is known";
    return;
  }
  for (const Passed& each : calls) reason.earlier.push_back(each.call);
  const bool certain =
      std::all_of(calls.begin(), calls.end(), [](const Passed& each) { return each.certain; });
  reason.history += rate ? "is used up by " + numbers(calls) : "after " + numbers(calls);
  if (!certain) reason.history += ", of which not all is known";
}

}  // namespace

bool holds(const Rule& rule, const History& history) {
  if (!rule.after) return true;
  const After& after = *rule.after;
  if (after.effects.stance == Stance::permit)
    return history.count_certain(after.tally, after.within) >= after.count;
  return !history.knows(after.within) || history.count(after.tally, after.within) >= after.count;
}

bool holds_for(const Rule& rule, const History& history, const std::vector<Subject>& subjects,
               std::size_t effect, Roots& roots) {
  if (holds(rule, history)) return true;
  if (rule.after->effects.stance == Stance::permit) return false;
  const After& after = *rule.after;
  if (history.count(after.tally, after.within) + 1 < after.count) return false;
  const Effect& judged = *subjects[effect].effect;
  return std::any_of(subjects.begin(), subjects.end(), [&](const Subject& other) {
    const bool same = other.effect->kind == judged.kind &&
                      other.effect->path.written == judged.path.written &&
                      other.effect->destination == judged.destination &&
                      other.effect->command.words == judged.command.words;
    if (same) return false;  // another reading of it
    roots.steps().spend(1);
    return effect_matches(after.effects, other, roots) != Match::none;
  });
}

bool used_up(const Rule& rule, const History& history) {
  if (!rule.rate) return false;
  const Rate& rate = *rule.rate;
  return !history.knows(rate.span) || history.count(rate.tally, rate.span) >= rate.count;
}

std::vector<std::string> tallies_of(const CompiledRules& rules, const Call& call,
                                    const std::vector<Subject>& subjects,
                                    const std::vector<bool>& meets_allow, const History& history,
                                    Roots& roots) {
  std::set<std::string> met;
  if (rules.tallies.empty()) return {};
  for (const Rule& rule : rules.rules) {
    if (rule.after && !met.contains(rule.after->tally) &&
        has_effect(*rule.after, subjects, meets_allow, roots))
      met.insert(rule.after->tally);
    // An approval beyond the rate is a person's, not the rule's.
    if (rule.rate && holds(rule, history) && !used_up(rule, history) &&
        covers_effect(rule, call, subjects, meets_allow, roots))
      met.insert(rule.rate->tally);
    if (roots.steps().spent()) break;
  }
  return {met.begin(), met.end()};
}

void name_earlier_calls(const CompiledRules& rules, const History& history, Decision& decision) {
  if (rules.tallies.empty()) return;
  for (Reason& reason : decision.reasons)
    for (const Rule& rule : rules.rules)
      if ((rule.after || rule.rate) && rule.id == reason.rule && rule.layer == reason.layer)
        name_calls(rule, history, reason);
}

void list_tallies(CompiledRules& rules) {
  for (Rule& rule : rules.rules) {
    if (rule.after) {
      rule.after->tally = after_id(rules, rule.after->effects);
      const bool certain = rule.after->effects.stance == Stance::permit;
      list(rules, {rule.after->tally, certain ? TallyKind::certain : TallyKind::possible,
                   kinds_of(rule.after->effects), rule.after->count});
    }
    if (rule.rate) {
      rule.rate->tally = rate_id(rules, rule);
      list(rules, {rule.rate->tally, TallyKind::rate, kinds_of(rule.condition), rule.rate->count});
    }
  }
}

}  // namespace policy
