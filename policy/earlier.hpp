#pragma once
// What rules with `after` or `rate` make of a mission's history.

#include <string>
#include <vector>

#include "policy/decision.hpp"
#include "policy/history.hpp"
#include "policy/rule/match.hpp"
#include "policy/rule/rule.hpp"

namespace policy {

// Whether the rule holds as far as its `after` goes. What is not known: of a deny or ask it does, of an allow
// it does not.
bool holds(const Rule& rule, const History& history);
// The same for one of a call's effects: a deny or ask holds, too, if it would once what else the call itself
// does has passed, since in what order a call does things is not known.
bool holds_for(const Rule& rule, const History& history, const std::vector<Subject>& subjects,
               std::size_t effect, Roots& roots);
// Whether an allow has let pass as many as its `rate` says, or may have.
bool used_up(const Rule& rule, const History& history);

// The ids of the tallies that the call adds to if it passes, ascending. `meets_allow`: as decide() has it.
std::vector<std::string> tallies_of(const CompiledRules& rules, const Call& call,
                                    const std::vector<Subject>& subjects,
                                    const std::vector<bool>& meets_allow, const History& history,
                                    Roots& roots);

// Says of each reason which earlier calls made its rule hold, or used up its rate.
void name_earlier_calls(const CompiledRules& rules, const History& history, Decision& decision);

// Gives every `after` and `rate` its tally and lists them, each once. Of compiled rules, once.
void list_tallies(CompiledRules& rules);

}  // namespace policy
