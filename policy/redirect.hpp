#pragma once
// What the redirects of rules make of one call. Every allow and ask that matches the call and has a redirect
// counts, whichever rule decides: so neither order nor another rule that allows the same changes what is
// passed on. Pure; fails closed: a redirect that cannot be carried out denies the call.

#include <optional>
#include <string>
#include <vector>

#include "policy/decision.hpp"
#include "policy/rule/match.hpp"
#include "policy/rule/rule.hpp"
#include "policy/scene.hpp"

namespace policy {

// A redirect that concerns the call and does not apply.
struct RedirectRefused {
  Effect effect;
  const Rule* rule = nullptr;
  std::string why;
};

struct Redirection {
  std::vector<Change> changes;  // by pointer; none: nothing is redirected
  base::json::Value arguments;  // with the changes
  std::optional<RedirectRefused> refused;

  bool none() const { return changes.empty() && !refused; }
};

// `effects`: all that describe() says of the call. Refused are: other requests than tool calls; a path or
// address that is no declared argument (in a shell line, guessed, not understood), that links lead elsewhere
// or that can be read in several ways; a whole tree that holds the path; an argument that is not declared, or
// is a command; changes that conflict.
Redirection redirection(const CompiledRules& rules, const Call& call, const Scene& scene,
                        const std::vector<Effect>& effects, const History& history, Roots& roots);

// Of the rewritten call: why it is not what the redirect promised. It would be redirected again, or links
// lead elsewhere.
std::optional<RedirectRefused> misled(const CompiledRules& rules, const Call& rewritten, const Scene& scene,
                                      const std::vector<Effect>& effects, const History& history,
                                      const std::vector<Change>& changes, Roots& roots);

}  // namespace policy
