#pragma once
// One call's state on its way through the gate, between the steps. For gate.cpp, asks.cpp and ask_answer.cpp
// alone.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "approvals/asks.hpp"
#include "ledger/record.hpp"
#include "proxy/call/answer_check.hpp"
#include "proxy/call/call.hpp"
#include "proxy/call/gate.hpp"
#include "proxy/call/records.hpp"
#include "transports/message.hpp"

namespace proxy {

struct CallGate::Passage {
  Call& call;
  const Ends& ends;
  CallAt at;
  std::size_t folders = 0;  // how many were known when it was judged
  Judgement judgement;
  std::optional<transports::Message> redirected;  // what is passed on in place of the call's own message
  ledger::Reference own;                          // this call's decision record
  std::uint64_t passed = 0;  // the decision that lets it pass: its own, or that of its ask
  approvals::AskAt ask;      // the ask it waits on: its own, or the one it joined
  bool joined = false;
  bool asked = false;               // its ask is not over yet
  std::int64_t expires = 0;         // UTC ns
  std::uint64_t answer_record = 0;  // sequence of the operator's answer
  std::string because;              // of a refusal, in place of the rule's reason
  Passage* answer_to = nullptr;     // of an answer that is asked for: the way of the call that it answers
  CheckedAnswer checked;            // … and what it came to
  std::optional<base::Digest> looked_at;  // while it is held: the last policy that was asked about it
  std::uint64_t grants_seen = 0;          // the newest grant that was

  const transports::Message& sent() const { return redirected ? *redirected : call.message; }
};

}  // namespace proxy
