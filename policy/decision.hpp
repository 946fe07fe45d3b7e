#pragma once
// A decision: ALLOW, ASK or DENY for one call, with its reasons.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "policy/effect.hpp"

namespace policy {

// Ordered from strict to loose; the zero value is DENY.
enum class Tier { deny, ask, allow };
const char* name(Tier tier);  // `DENY`, `ASK`, `ALLOW`

enum class Layer { built_in, organisation, user, repository, mission };
const char* name(Layer layer);

enum class Severity { low, medium, high, critical };
const char* name(Severity severity);

// An allow that would cover an effect, but for one of its keys.
struct Almost {
  std::string key;   // that does not hold: `after`, `connect`, …; empty: there is no such rule
  std::string text;  // `rule «id» at FILE:LINE would allow it after …`
  explicit operator bool() const { return !key.empty(); }
  bool operator==(const Almost&) const = default;
};

// Why one effect got its tier.
struct Reason {
  std::size_t effect = 0;  // index into Decision::effects
  Tier tier = Tier::deny;
  std::string rule;  // rule id; empty: the default decided
  Layer layer = Layer::built_in;
  std::string place;  // `file:line` of the rule or the default; empty: built in
  std::string why;    // the rule's own words; may be empty
  std::string found;  // of a rule with `content`: what was found and where, never the text; else empty
  Severity severity = Severity::medium;
  std::string violation_class;  // `malicious` where the rule says so; else empty
  std::string history;          // which earlier calls made the rule hold, or used up its rate; else empty
  std::vector<std::uint64_t>
      earlier;              // these calls, by the sequence of their decisions; 0: not on record yet
  std::string remedy;       // what would have to change for it to be allowed; empty for ALLOW
  Almost almost;            // of the default only
  bool may_deny = false;    // ASK: since a deny may match a part of the effect
  bool beyond = false;      // ASK: also by a rule that looks beyond the effect: at content, at earlier calls
  std::uint64_t grant = 0;  // ALLOW: that answers what the rule or default asks; 0: nothing was asked
  bool operator==(const Reason&) const = default;
};

// One argument that a rule rewrites before the call is passed on.
struct Change {
  std::string argument;  // JSON pointer
  std::string was;       // JSON text; empty: it was not there
  std::string value;     // JSON text
  std::string rule;
  Layer layer = Layer::built_in;
  std::string place;  // `file:line` of the rule
  bool operator==(const Change&) const = default;
};

struct Redirected {
  std::vector<Change> changes;  // by pointer, each once
  std::string arguments;        // with all changes, in RFC 8785 form
  bool operator==(const Redirected&) const = default;
};

struct Rule;  // rule/rule.hpp

struct Decision {
  Tier tier = Tier::deny;
  std::vector<Effect> effects;
  std::vector<Reason> reasons;       // one for each effect, in the same order; the deciding rule of each
  std::vector<std::string> tallies;  // what the call is counted for if it passes (Tally), ascending
  // The call is passed on as rewritten here: the effects are those of the rewritten call, after them those of
  // the call as asked that a person must see.
  std::optional<Redirected> redirected = std::nullopt;
  // That its answer is held against. Shared with the policy, which may go before the answer comes.
  std::vector<std::shared_ptr<const Rule>> result_rules = {};
  bool operator==(const Decision&) const = default;
};

// The reason that decided the call: the first with the strictest tier; of an ALLOW the first with a rule. A
// decision without effects is DENY.
const Reason* deciding(const Decision& decision);

// Whether a call that was decided as `before` and is decided as `now` would ask a person nothing that was not
// asked then: the same effects, and none of them asked or denied by another rule.
bool asks_no_more(const Decision& now, const Decision& before);

// One sentence for the agent: what was refused, by which rule, why, and what would be allowed.
std::string explain_to_agent(const Decision& decision);

// For the agent, of a call that was redirected: by which rule, and what is passed on in place of what.
std::string explain_redirect(const Redirected& redirected);

}  // namespace policy
