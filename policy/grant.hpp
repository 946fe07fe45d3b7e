#pragma once
// A grant: an allow rule of the operator's, for the rest of a mission, that answers asks beforehand. It never
// meets a deny.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "policy/decision.hpp"
#include "policy/rule/match.hpp"
#include "policy/rule/rule.hpp"
#include "proxy/base/error.hpp"

namespace policy {

struct Grant {
  std::uint64_t id = 0;  // sequence of its record
  std::shared_ptr<const Rule> rule;
};

// The rule of a grant: one `[[allow]]` and nothing else, of one `server` without wildcards; without `opaque`,
// `after`, `rate` and `redirect`. Error: Code::invalid, place `file:line:column`; of one that is too long
// Code::limit.
base::Result<Rule> load_grant(const std::string& file, std::string_view toml, const Anchors& anchors);
inline constexpr std::size_t grant_bytes_max = 8 * 1024;

// Why no grant answers what is asked of an effect: it is not understood, a class malicious stands behind it,
// a deny may match a part of it, a rule asks for what it carries or what came before, an allow is not enough
// for it, or no rule covers it.
enum class EachTime { no, opaque, malicious, may_deny, beyond, caution, uncovered };
// `opaque`, `malicious`, `may-deny`, `beyond`, `caution`, `uncovered`; `` of no
const char* name(EachTime why);
EachTime asked_each_time(const Effect& effect, const Reason& reason);
// Of a whole ASK: the first that is not `no`.
EachTime asked_each_time(const Decision& decision);

// Each effect of an ASK that a grant covers, as an allow rule would, is allowed by it; the tier is ALLOW once
// nothing is left to ask. What guesses ask for is answered, too: the rule is as certain as the ask.
void answer_by_grants(const std::vector<Grant>& grants, const Call& call,
                      const std::vector<Subject>& subjects, Roots& roots, Decision& decision);

}  // namespace policy
