#include "proxy/suggest/suggest.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "policy/catalogue/catalogue.hpp"
#include "policy/judge.hpp"
#include "policy/load/built_in.hpp"
#include "policy/review/let_pass.hpp"
#include "policy/rule/rule.hpp"
#include "proxy/base/text.hpp"
#include "proxy/setup/toml_text.hpp"

namespace proxy::suggest {
namespace {

using policy::Layer;
using policy::Tier;

constexpr std::size_t siblings_min = 3;

struct Candidate {
  const RecordedCall* call = nullptr;
  std::vector<Entry> entries;
};

bool counts(const policy::Source& source) {
  return source.layer != Layer::built_in && (source.layer != Layer::repository || source.trusted);
}

class Search {
 public:
  Search(const std::vector<RecordedCall>& calls, std::vector<policy::Source> sources,
         const policy::Scene& scene)
      : calls_(calls), sources_(std::move(sources)), scene_(scene) {
    if (!calls.empty()) anchors_ = {calls.front().where.workspace, scene.home};
  }

  base::Result<Suggestions> run() {
    out_.baseline = std::none_of(sources_.begin(), sources_.end(), counts);
    if (out_.baseline) sources_.push_back(baseline());
    const auto gathered = gather();
    if (!gathered) return gathered.error();
    // Each round takes out what did not help, so it ends.
    for (;;) {
      const std::vector<Rule> rules = rules_of(candidates_);
      const auto failed = take_out_failing(rules);
      if (!failed) return failed.error();
      if (*failed) continue;
      const auto wide = take_out_refused(rules);
      if (!wide) return wide.error();
      if (*wide) continue;
      const auto kept = drop_idle(rules);
      if (!kept) return kept.error();
      break;
    }
    for (const Candidate& each : candidates_) out_.helped.push_back(each.call->sequence);
    return std::move(out_);
  }

 private:
  static policy::Source baseline() {
    policy::Source source = policy::baseline_source();
    source.layer = Layer::mission;
    return source;
  }

  base::Result<policy::Policy> load(const std::vector<policy::Source>& sources) const {
    return policy::Policy::load(sources, anchors_.workspace, anchors_.home);
  }

  // Pasted at the end of the last file that counts.
  base::Result<policy::Policy> load_with(const std::vector<Rule>& rules) const {
    std::vector<policy::Source> sources = sources_;
    const auto last = std::find_if(sources.rbegin(), sources.rend(), counts);
    for (const Rule& rule : rules) last->bytes += "\n" + rule_text(rule);
    return load(sources);
  }

  policy::Scene scene_of(const RecordedCall& call) const {
    policy::Scene scene = scene_;
    scene.workspace = call.where.workspace;
    scene.directory = call.where.directory;
    return scene;
  }

  policy::Decision judge(const policy::Policy& policy, const RecordedCall& call) const {
    return policy.judge(call.call, scene_of(call), call.history);
  }

  void refuse(const RecordedCall& call, const policy::Effect& effect, std::string why) {
    out_.refusals.push_back({call.sequence, call.name(), policy::summary(effect), std::move(why)});
  }

  base::Result<void> gather() {
    const auto policy = load(sources_);
    if (!policy) return policy.error();
    // What the baseline asks for or denies by a rule is never proposed, whatever stands in its place.
    std::vector<policy::Source> guarded = sources_;
    guarded.push_back(baseline());
    const auto guard = load(guarded);
    if (!guard) return guard.error();
    for (const RecordedCall& call : calls_) {
      const policy::Decision decision = judge(*policy, call);
      if (decision.tier == Tier::allow)
        out_.passing.push_back(call.sequence);
      else if (call.refused)
        gather_refused(call, decision);
      else
        gather_entries(call, decision, judge(*guard, call), *policy);
    }
    return {};
  }

  void gather_refused(const RecordedCall& call, const policy::Decision& decision) {
    Candidate refused{&call, {}};
    for (const policy::Reason& reason : decision.reasons) {
      if (reason.tier == Tier::allow) continue;
      if (auto entry = pattern_for(call.call, decision.effects[reason.effect], reason, anchors_))
        refused.entries.push_back(std::move(*entry));
    }
    if (const policy::Reason* reason = policy::deciding(decision); reason != nullptr)
      refuse(call, decision.effects[reason->effect], "the operator refused it");
    refused_.push_back(std::move(refused));
  }

  void gather_entries(const RecordedCall& call, const policy::Decision& decision,
                      const policy::Decision& guard, const policy::Policy& policy) {
    Candidate candidate{&call, {}};
    for (const policy::Reason& reason : decision.reasons) {
      if (reason.tier == Tier::allow) continue;
      const policy::Effect& effect = decision.effects[reason.effect];
      auto entry = pattern_for(call.call, effect, reason, anchors_);
      if (entry && entry->key == "tool" && !declared(policy, call.call))
        entry =
            base::Error(base::Code::refused, "what the tool's arguments mean is not declared in `[tools]`");
      if (entry)
        if (const std::string rule = guarded_by(effect, guard); !rule.empty())
          entry = base::Error(base::Code::refused, "the baseline warns of it by " + base::quoted(rule));
      if (!entry) return refuse(call, effect, entry.error().message() + to_let_pass(policy, call, effect));
      candidate.entries.push_back(std::move(*entry));
    }
    candidates_.push_back(std::move(candidate));
  }

  // Of an effect that an allow covers and a rule asks for; empty: it is no such effect.
  std::string to_let_pass(const policy::Policy& policy, const RecordedCall& call,
                          const policy::Effect& effect) const {
    policy::Looks looks;
    const policy::Decision decision =
        policy::judge(policy.rules(), call.call, scene_of(call), call.history, &looks);
    for (const policy::Reason& reason : decision.reasons)
      if (decision.effects[reason.effect] == effect)
        if (const std::string text = policy::to_let_pass(decision, reason, looks.hits); !text.empty())
          return "; an allow covers it, so to let it pass: " + text;
    return {};
  }

  static std::string guarded_by(const policy::Effect& effect, const policy::Decision& guard) {
    for (const policy::Reason& reason : guard.reasons)
      if (reason.tier != Tier::allow && guard.effects[reason.effect] == effect) return reason.rule;
    return {};
  }

  static bool declared(const policy::Policy& policy, const policy::Call& call) {
    const policy::CatalogueEntry* entry = policy.catalogue().server(call.catalogue_entry);
    if (entry != nullptr && entry->tools.contains(call.tool)) return true;
    const auto& list = policy.rules().declarations;
    return std::any_of(list.begin(), list.end(), [&](const policy::ToolDeclaration& each) {
      return !each.adds_only && each.server.matches(call.server) && each.tool.matches(call.tool);
    });
  }

  // One rule for each server and key, so that a person reads few.
  std::vector<Rule> rules_of(const std::vector<Candidate>& candidates) const {
    std::map<std::pair<std::string, std::string>, Rule> rules;
    for (const Candidate& candidate : candidates)
      for (const Entry& entry : candidate.entries) {
        const policy::Call& call = candidate.call->call;
        Rule& rule = rules[{call.server, entry.key}];
        rule.server = call.server;
        rule.key = entry.key;
        rule.patterns.push_back(entry.pattern);
        if (rule.calls.empty() || rule.calls.back() != candidate.call->sequence)
          rule.calls.push_back(candidate.call->sequence);
        if ((", " + rule.tools + ",").find(", " + call.tool + ",") == std::string::npos)
          rule.tools += (rule.tools.empty() ? "" : ", ") + call.tool;
      }
    std::vector<Rule> all;
    for (auto& [key, rule] : rules) {
      join_siblings(rule, joins_siblings_);
      rule.id = prefix() + std::to_string(all.size() + 1);
      all.push_back(std::move(rule));
    }
    return all;
  }

  static void join_siblings(Rule& rule, bool join) {
    std::set<std::string> patterns(rule.patterns.begin(), rule.patterns.end());
    std::map<std::string, std::vector<std::string>> folders;
    if (join && (rule.key == "read" || rule.key == "write"))
      for (const std::string& each : patterns)
        if (const std::size_t slash = each.rfind('/');
            slash != std::string::npos && slash > 0 && !each.starts_with('/') && slash + 1 < each.size())
          folders[each.substr(0, slash)].push_back(each);
    for (const auto& [folder, files] : folders) {
      if (files.size() < siblings_min) continue;
      for (const std::string& file : files) patterns.erase(file);
      patterns.insert(folder + "/*");
    }
    rule.patterns.assign(patterns.begin(), patterns.end());
  }

  // Ids of an earlier paste stand already.
  std::string prefix() const {
    for (int round = 1;; ++round) {
      const std::string text = "suggested" + (round == 1 ? std::string() : "-" + std::to_string(round)) + "/";
      const bool taken = std::any_of(sources_.begin(), sources_.end(), [&](const policy::Source& source) {
        return source.bytes.find(text) != std::string::npos;
      });
      if (!taken) return text;
    }
  }

  // Whether some call did not pass with the rules: it is refused, and gives no patterns any more.
  base::Result<bool> take_out_failing(const std::vector<Rule>& rules) {
    const auto policy = load_with(rules);
    if (!policy) return policy.error();
    const std::size_t before = candidates_.size();
    std::vector<Candidate> passing;
    for (Candidate& each : candidates_) {
      const policy::Decision decision = judge(*policy, *each.call);
      const policy::Reason* reason = policy::deciding(decision);
      if (decision.tier == Tier::allow)
        passing.push_back(std::move(each));
      else if (reason != nullptr)
        refuse(*each.call, decision.effects[reason->effect], "a rule for it was tried and did not help");
    }
    candidates_ = std::move(passing);
    return candidates_.size() != before;
  }

  // Whether what the operator refused would pass with the rules: then what they are made from is refused,
  // too.
  base::Result<bool> take_out_refused(const std::vector<Rule>& rules) {
    const auto policy = load_with(rules);
    if (!policy) return policy.error();
    for (const Candidate& no : refused_) {
      if (judge(*policy, *no.call).tier != Tier::allow) continue;
      if (joins_siblings_) {
        joins_siblings_ = false;
        return true;
      }
      const auto shares = [&](const Candidate& each) {
        return each.call->call.server == no.call->call.server &&
               std::any_of(each.entries.begin(), each.entries.end(), [&](const Entry& entry) {
                 return std::find(no.entries.begin(), no.entries.end(), entry) != no.entries.end();
               });
      };
      std::vector<Candidate> kept;
      for (Candidate& each : candidates_) {
        if (no.entries.empty() || shares(each))
          refuse_after(each, no.call->sequence);
        else
          kept.push_back(std::move(each));
      }
      const bool fewer = kept.size() < candidates_.size();
      candidates_ = std::move(kept);
      if (!fewer) {  // what lets it pass is not known: none is proposed
        for (const Candidate& each : candidates_) refuse_after(each, no.call->sequence);
        candidates_.clear();
      }
      return true;
    }
    return false;
  }

  void refuse_after(const Candidate& candidate, std::uint64_t refused) {
    const policy::Policy policy = load(sources_).value();
    const policy::Decision decision = judge(policy, *candidate.call);
    if (const policy::Reason* reason = policy::deciding(decision); reason != nullptr)
      refuse(*candidate.call, decision.effects[reason->effect],
             "a rule for it would let call " + std::to_string(refused) + " pass, which the operator refused");
  }

  base::Result<void> drop_idle(const std::vector<Rule>& rules) {
    std::vector<Rule> kept = rules;
    for (const Rule& rule : rules) {
      std::vector<Rule> without;
      for (const Rule& each : kept)
        if (each.id != rule.id) without.push_back(each);
      const auto policy = load_with(without);
      if (!policy) return policy.error();
      const bool idle = std::all_of(candidates_.begin(), candidates_.end(), [&](const Candidate& each) {
        return judge(*policy, *each.call).tier == Tier::allow;
      });
      if (idle) kept = std::move(without);
    }
    out_.rules = std::move(kept);
    return {};
  }

  const std::vector<RecordedCall>& calls_;
  std::vector<policy::Source> sources_;
  const policy::Scene& scene_;
  policy::Anchors anchors_;
  std::vector<Candidate> candidates_;
  std::vector<Candidate> refused_;  // by the operator
  bool joins_siblings_ = true;
  Suggestions out_;
};

}  // namespace

std::string rule_text(const Rule& rule) {
  std::string text = rule.calls.size() == 1 ? "# call " : "# calls ";
  for (std::size_t i = 0; i < rule.calls.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(rule.calls[i]);
  text += ": " + in_comment(rule.tools) + "\n[[allow]]\nid = " + toml_string(rule.id) +
          "\nserver = " + toml_string(rule.server) + "\n";
  if (rule.key == "tool") text += "method = \"tools/call\"\n";
  return text + toml_list(rule.key, rule.patterns);
}

base::Result<Suggestions> suggest(const std::vector<RecordedCall>& calls, std::vector<policy::Source> sources,
                                  const policy::Scene& scene) {
  return Search(calls, std::move(sources), scene).run();
}

}  // namespace proxy::suggest
