#include "proxy/commands/grant_terms.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "ledger/redact.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/base/text.hpp"
#include "proxy/mission/grant_offer.hpp"

namespace proxy::commands {
namespace {

using approvals::GrantScope;

// By the word that stands in `each_time` (policy/grant.hpp).
std::string why_never(const std::string& word) {
  if (word == "opaque") return "not all of what it does is understood";
  if (word == "malicious") return "a rule of class malicious stands behind it";
  if (word == "may-deny") return "something of what it reaches may be denied";
  if (word == "beyond") return "a rule asks for what it carries, or for what came before";
  if (word == "caution") return "it is asked for even where a rule allows it";
  return "no rule can cover it";
}

base::Result<base::WallTime> until(const std::string& expires, base::WallTime now) {
  if (expires.empty()) return now + approvals::grant_lasts_max;
  const auto span = base::duration_from_text(expires);
  if (!span || span->count() == 0)
    return base::Error(base::Code::invalid,
                       "--expires is a duration such as `30m` or `2h`, not " + base::quoted(expires));
  if (*span > approvals::grant_lasts_max)
    return base::Error(
        base::Code::invalid,
        "a grant lasts " + std::to_string(approvals::grant_lasts_max.count()) + " hours at most");
  return now + *span;
}

base::Result<std::string> rule_for(GrantScope scope, const approvals::AskView& ask, const std::string& rule) {
  const ledger::Record& record = ask.decision.record;
  std::string text = rule_for_tool(record.server, record.capability->method, record.capability->tool);
  if (scope == GrantScope::rule) return rule_head(record.server) + rule + "\n";
  if (scope == GrantScope::effects) text = ask.grantable.value_or("");
  if (text.empty())
    return base::Error(base::Code::refused,
                       scope == GrantScope::effects
                           ? "one rule cannot say exactly what this call asks for: `--scope call` or `tool`, "
                             "or `--rule`"
                           : "the tool's name cannot stand in a rule as it is");
  return text;
}

}  // namespace

base::Result<approvals::GrantTerms> grant_terms(const approvals::AskView& ask, const GrantWanted& wanted,
                                                base::WallTime now) {
  const ledger::Record& record = ask.decision.record;
  auto scope = approvals::scope_from_name(wanted.scope.empty() ? "call" : wanted.scope);
  if (!scope || *scope == GrantScope::rule)
    return base::Error(base::Code::invalid,
                       "the scope is `call`, `effects` or `tool`, not " + base::quoted(wanted.scope));
  if (!wanted.rule.empty() && !wanted.scope.empty())
    return base::Error(base::Code::invalid, "`--rule` stands in place of `--scope`");
  if (!wanted.rule.empty()) scope = GrantScope::rule;
  const auto same = base::digest_from_hex(record.detail("same"));
  if (!same || !record.capability)
    return base::Error(base::Code::refused, "it cannot be allowed for the mission, only once: " +
                                                why_never(record.detail("each_time")));
  const auto end = until(wanted.expires, now);
  if (!end) return end.error();
  auto rule = rule_for(*scope, ask, wanted.rule);
  if (!rule) return rule.error();
  // What the ledger takes out of it nobody could read back.
  if (rule->find("<redacted:") != std::string::npos || !ledger::Redactor({}).redact(*rule).counts.empty())
    return base::Error(base::Code::refused,
                       "the rule holds what may be a secret, which is not kept on record: `--scope call`");
  approvals::GrantTerms terms;
  terms.scope = *scope;
  terms.rule = std::move(*rule);
  if (*scope == GrantScope::call) terms.same = same;
  terms.until = *end;
  terms.rationale = wanted.reason;
  return terms;
}

base::Result<policy::Rule> grant_rule(const std::string& rule, const policy::Anchors& anchors) {
  const std::string option = "--rule";
  auto loaded = policy::load_grant(option, rule, anchors);
  if (loaded) return loaded;
  const base::Error& error = loaded.error();
  constexpr std::size_t head_lines = 3;  // of rule_head()
  const std::size_t at = option.size() + 1;
  const std::size_t colon = error.place().find(':', std::min(at, error.place().size()));
  if (colon == std::string::npos) return error;
  const std::size_t line = std::strtoul(error.place().substr(at).c_str(), nullptr, 10);
  return base::Error(error.code(), error.message(),
                     line <= head_lines
                         ? option
                         : option + ":" + std::to_string(line - head_lines) + error.place().substr(colon));
}

std::string granted_text(const approvals::GrantTerms& terms) {
  return "until " + base::utc_text(terms.until) +
         ", or the end of the mission, every ask is allowed beforehand that is " +
         (terms.scope == approvals::GrantScope::call ? "this very call again, with the same arguments"
                                                     : "covered by this rule:");
}

}  // namespace proxy::commands
