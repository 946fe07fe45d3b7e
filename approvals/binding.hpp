#pragma once
// What an approval is bound to: one digest over everything that makes a call this call (STATES.md).

#include <string_view>

#include "proxy/base/json.hpp"
#include "proxy/base/sha256.hpp"

namespace approvals {

struct Binding {
  std::string_view mission;
  std::string_view agent;  // its process; agents that share a mission are asked for apart
  std::string_view server;
  std::string_view method;     // `tools/call`, `resources/read`, …
  std::string_view tool;       // empty for other methods
  base::Digest definition{};   // of the tool's pinned definition; zeros when there is none
  std::string_view arguments;  // the exact bytes: the value of `arguments`, or `params` for other methods
  std::string_view beside;     // the other members of a tool call's `params`, `_meta` aside (Message::beside)
  base::Digest policy{};       // in force
  std::string_view effects;    // bound_effects(): what the call would do, with links resolved
};

// SHA-256 over the parts, each preceded by its length as eight bytes, so that no text can pass from one part
// to the next.
base::Digest call_digest(const Binding& binding);

struct CallDigests {
  base::Digest exact{};   // over the arguments' bytes
  base::Digest repeat{};  // over their RFC 8785 form: an agent that is told to repeat a call writes it anew
};
// `arguments`: the tree of binding.arguments.
CallDigests call_digests(const Binding& binding, const base::json::Value& arguments);

// What a grant knows the same call by (STATES.md, «Grants»): as `repeat`, whatever the policy, with the
// effects alone (effects.hpp).
base::Digest same_call(const Binding& binding, const base::json::Value& arguments,
                       std::string_view effects_alone);

}  // namespace approvals
