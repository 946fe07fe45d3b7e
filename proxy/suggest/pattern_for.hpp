#pragma once
// The smallest pattern that would have allowed one effect, or why none is proposed. Pure.

#include <string>

#include "policy/decision.hpp"
#include "policy/pattern/pattern.hpp"
#include "policy/scene.hpp"
#include "proxy/base/error.hpp"

namespace proxy::suggest {

// One entry of an allow rule.
struct Entry {
  std::string key;      // `read`, `write`, `delete`, `run`, `connect`; `tool`
  std::string pattern;  // matches what it was made from, and as little else as a pattern can
  auto operator<=>(const Entry&) const = default;
};

// For an effect that no rule covers. Error: what a person must decide by other means, as a clause. Never
// proposed: what is not understood, what a rule asks for or denies, writing outside the workspace, programs
// that run others (shells, interpreters, wrappers), and whole trees but for reading.
base::Result<Entry> pattern_for(const policy::Call& call, const policy::Effect& effect,
                                const policy::Reason& reason, const policy::Anchors& anchors);

}  // namespace proxy::suggest
