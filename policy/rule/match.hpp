#pragma once
// Whether one condition matches one effect of one call.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/detect/decode.hpp"
#include "policy/effect.hpp"
#include "policy/path/tree.hpp"
#include "policy/rule/rule.hpp"
#include "policy/scene.hpp"
#include "policy/steps.hpp"
#include "proxy/base/by_text.hpp"

namespace policy {

// What one judgement knows: where folders that patterns start in really are, each asked for once; and what it
// may still cost.
class Roots {
 public:
  Roots(const Links& links, const Anchors& anchors) : links_(links), anchors_(anchors), trees_(links) {}
  // The real path of a pattern's root or an anchor. A view into this.
  std::string_view real(std::string_view root);
  // A directory that a command runs in. A view into this, as above.
  const PathResult& directory(const std::string& written);
  Trees& trees() { return trees_; }
  // The content of an effect; that of the last one is kept, since the effects of a call share it. Spends
  // what making it costs.
  const detect::Readings& readings(const std::string& content);
  const Anchors& anchors() const { return anchors_; }
  Steps& steps() { return steps_; }

 private:
  const Links& links_;
  const Anchors& anchors_;
  base::ByText<std::string> known_;
  base::ByText<PathResult> directories_;
  Trees trees_;
  std::optional<detect::Readings> readings_;
  Steps steps_;
};

// An effect, and what is computed once for all rules.
struct Subject {
  explicit Subject(const Effect& described) : effect(&described) {}
  const Effect* effect;
  network::Target target;  // of a connect
};

Subject make_subject(const Effect& effect);

// below: only a part of the effect may match: something in its tree, or a command with words that are not
// known.
enum class Match { none, below, full };

// Of the call: names and arguments.
bool scope_matches(const Condition& condition, const Call& call);
// Of the effect. Under permit never `below`.
Match effect_matches(const Condition& condition, const Subject& subject, Roots& roots);
// Of the effect, by the rule and not by its exception, both in the scope that the call is in.
Match rule_matches(const Rule& rule, const Call& call, const Subject& subject, Roots& roots);
// The same where the scopes have been matched.
Match rule_matches(const Rule& rule, const Subject& subject, bool except_in_scope, Roots& roots);
// Of a connect that a deny or ask matches: whether it does in whatever way the address is read.
bool covers_every_reading(const Condition& condition, const Subject& subject);

}  // namespace policy
