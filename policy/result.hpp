#pragma once
// What rules with `result` find in an answer. Pure; fails closed: what cannot be searched or cut out is
// withheld.

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/rule/match.hpp"
#include "policy/rule/rule.hpp"
#include "policy/steps.hpp"

namespace policy {

// Those that the answer to this call is held against: rules whose other keys match the call and one of its
// effects. What a task comes to is asked for by another request, so there they match by server, agent and
// mission alone.
std::vector<std::shared_ptr<const Rule>> result_rules_for(const CompiledRules& rules, const Call& call,
                                                          const std::vector<Effect>& effects, Roots& roots);

struct Finding {
  const Rule* rule = nullptr;
  std::vector<std::string> detectors;  // ids, or `expression`; sorted, each once
};

// One answer, string by string.
class ResultSearch {
 public:
  explicit ResultSearch(const std::vector<std::shared_ptr<const Rule>>& rules);  // which live on

  // Looks at one decoded string. Not nullopt: what stands in its place. `fixed`: it cannot be changed, so
  // that what is found in it withholds the answer.
  std::optional<std::string> look(std::string_view text, bool fixed);

  // The rule that withholds the answer as a whole; nullptr: it may pass.
  const Rule* withheld_by() const { return withheld_by_; }
  // Of an answer that may pass: whether an ask rule found something, so that a person says first.
  bool asks() const { return asks_; }
  const std::vector<Finding>& findings() const { return findings_; }

 private:
  bool find(Finding& finding, const detect::Readings& text);
  std::string cut(std::string_view text, const std::vector<const Rule*>& found) const;

  std::vector<Finding> findings_;  // one a rule; after the search those that found nothing are empty
  const Rule* withheld_by_ = nullptr;
  bool asks_ = false;
  Steps steps_;
};

}  // namespace policy
