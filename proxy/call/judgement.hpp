#pragma once
// What one look at a call came to: the decision, what goes on record of it, and what it is known by. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "approvals/binding.hpp"
#include "policy/decision.hpp"
#include "policy/scene.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/mission/grant_offer.hpp"
#include "transports/message.hpp"

namespace proxy {

struct Judgement {
  policy::Decision decision;
  std::string effects;     // the payload (approvals/effects.hpp)
  std::string folders;     // the payload, where they are others than of the session (recorded_scene)
  std::string seen;        // the payload (policy/path/seen.hpp)
  std::string redirected;  // the payload: the arguments as they are passed on; empty: as they came
  std::optional<std::uint64_t> history_to;  // the last record of the history that it was judged with
  approvals::CallDigests digests;  // of the call, its policy and its effects; `repeat` of an ASK only
  GrantOffer offer;                // of an ASK: what may be granted of it
};

// What was judged.
struct Judged {
  const policy::Call& call;
  const transports::Message& message;  // as it came
  const transports::Message& sent;     // as it is passed on
  std::string_view agent;              // its process
  const base::Digest& policy;
  bool counts =
      false;  // earlier calls; then the call is known without them, since others pass while one waits
};

// All but `folders`, `seen` and `history_to`; of `offer` only what the call is known by.
Judgement judgement_of(policy::Decision decision, const Judged& judged);

}  // namespace proxy
