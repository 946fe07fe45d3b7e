#pragma once
// From what the operator asks for to the terms of a grant. Pure.

#include <string>

#include "approvals/ask.hpp"
#include "approvals/grant.hpp"
#include "policy/grant.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/error.hpp"

namespace proxy::commands {

// As typed; empty: not given.
struct GrantWanted {
  std::string scope;    // call, effects, tool
  std::string rule;     // keys of an allow rule, instead of a scope
  std::string expires;  // a duration
  std::string reason;

  bool given() const { return !scope.empty() || !rule.empty() || !expires.empty(); }
};

// Code::invalid: what was typed. Code::refused: this ask, or this scope of it, is never granted, and why.
base::Result<approvals::GrantTerms> grant_terms(const approvals::AskView& ask, const GrantWanted& wanted,
                                                base::WallTime now);

// The rule of a grant, as grant_terms() gives it. Errors have their places in what the operator wrote.
base::Result<policy::Rule> grant_rule(const std::string& rule, const policy::Anchors& anchors);

// A sentence for what stands beside it: the rule, or of scope `call` the call, whose rule does not say it
// all.
std::string granted_text(const approvals::GrantTerms& terms);

}  // namespace proxy::commands
