#include "policy/result.hpp"

#include <algorithm>

#include "policy/rule/match.hpp"

namespace policy {

namespace {

std::string mark_of(const Rule& rule) { return "[redacted: " + rule.id + "]"; }

bool any_found(const Rule& rule, const detect::Readings& text) {
  return std::any_of(rule.result.begin(), rule.result.end(),
                     [&](const ContentPattern& pattern) { return pattern.matches(text, Stance::restrict); });
}

bool names_match(const Condition& condition, const Call& call) {
  Condition names;
  names.server = condition.server;
  names.agent = condition.agent;
  names.mission = condition.mission;
  return scope_matches(names, call);
}

struct Cut {
  Stretch stretch;
  const Rule* rule = nullptr;
};

}  // namespace

std::vector<std::shared_ptr<const Rule>> result_rules_for(const CompiledRules& rules, const Call& call,
                                                          const std::vector<Effect>& effects, Roots& roots) {
  std::vector<std::shared_ptr<const Rule>> found;
  if (rules.result_rules.empty()) return found;
  std::vector<Subject> subjects;
  for (const Effect& effect : effects) subjects.push_back(make_subject(effect));
  for (const auto& rule : rules.result_rules) {
    const auto concerns = [&](const Subject& subject) {
      roots.steps().spend(1);
      return roots.steps().spent() || rule_matches(*rule, call, subject, roots) != Match::none;
    };
    const bool task = call.method == "tasks/result";
    if (task ? names_match(rule->condition, call) : std::any_of(subjects.begin(), subjects.end(), concerns))
      found.push_back(rule);
  }
  return found;
}

ResultSearch::ResultSearch(const std::vector<std::shared_ptr<const Rule>>& rules) {
  for (const auto& rule : rules) findings_.push_back({rule.get(), {}});
}

bool ResultSearch::find(Finding& finding, const detect::Readings& text) {
  const std::size_t before = finding.detectors.size();
  bool any = false;
  for (const ContentPattern& pattern : finding.rule->result) {
    steps_.spend(pattern.steps(text));
    if (steps_.spent()) {
      withheld_by_ = finding.rule;
      return true;
    }
    for (std::string& id : pattern.found(text)) {
      any = true;
      finding.detectors.push_back(std::move(id));
    }
  }
  if (finding.detectors.size() == before) return any;
  std::sort(finding.detectors.begin(), finding.detectors.end());
  finding.detectors.erase(std::unique(finding.detectors.begin(), finding.detectors.end()),
                          finding.detectors.end());
  return true;
}

std::optional<std::string> ResultSearch::look(std::string_view text, bool fixed) {
  std::vector<const Rule*> cutting;
  if (findings_.empty()) return std::nullopt;
  const detect::Readings whole = detect::readings(text);
  steps_.spend(reading_steps(whole.bytes));
  for (Finding& finding : findings_) {
    if (!find(finding, whole)) continue;
    if (finding.rule->tier == Tier::ask) {
      asks_ = true;
      continue;
    }
    if (!finding.rule->redact || fixed) withheld_by_ = finding.rule;
    cutting.push_back(finding.rule);
  }
  if (cutting.empty() || withheld_by_ != nullptr) return std::nullopt;
  detect::Readings left = detect::readings(cut(text, cutting));
  const auto finds = [&](const Rule* rule) { return any_found(*rule, left); };
  if (std::none_of(cutting.begin(), cutting.end(), finds)) return left.text;
  // What has no place in the text, encoded or spread over it, goes with all of the text.
  left = detect::readings(mark_of(*cutting.front()));
  if (std::any_of(cutting.begin(), cutting.end(), finds)) withheld_by_ = cutting.front();
  return left.text;
}

std::string ResultSearch::cut(std::string_view text, const std::vector<const Rule*>& found) const {
  std::vector<Cut> cuts;
  for (const Rule* rule : found)
    for (const ContentPattern& pattern : rule->result)
      for (const Stretch& stretch : pattern.stretches(text)) cuts.push_back({stretch, rule});
  std::stable_sort(cuts.begin(), cuts.end(),
                   [](const Cut& a, const Cut& b) { return a.stretch.offset < b.stretch.offset; });
  std::string left;
  std::size_t at = 0;
  for (const Cut& each : cuts) {
    const std::size_t end = each.stretch.offset + each.stretch.size;
    if (end <= at) continue;
    if (each.stretch.offset >= at) {
      left += text.substr(at, each.stretch.offset - at);
      left += mark_of(*each.rule);
    }
    at = end;
  }
  return left.append(text.substr(at));
}

}  // namespace policy
