#include "proxy/call/refusal_text.hpp"

#include "policy/review/explain.hpp"

namespace proxy {

AnswerCode refusal_code(WhyRefused why) {
  switch (why) {
    case WhyRefused::denied:
    case WhyRefused::by_operator: return AnswerCode::denied;
    case WhyRefused::timed_out: return AnswerCode::timed_out;
    case WhyRefused::pending: return AnswerCode::pending;
    case WhyRefused::peer_gone: return AnswerCode::peer_gone;
    case WhyRefused::failed:
    case WhyRefused::none: break;
  }
  return AnswerCode::failed;
}

namespace {

std::string understood(const policy::Decision& decision) {
  const policy::Reason* reason = policy::deciding(decision);
  if (reason == nullptr || reason->effect >= decision.effects.size()) return {};
  const std::string mend = policy::to_understand(decision, *reason);
  return mend.empty() ? mend : "; to have it understood: " + mend;
}

}  // namespace

std::string refusal_text(const RefusedCall& call) {
  const std::string ask = std::to_string(call.ask);
  const std::string peer = peer_name(call.direction);
  switch (call.why) {
    case WhyRefused::denied:
      if (!call.because.empty()) return "callgate refused this call: " + call.because;
      return policy::explain_to_agent(call.decision) + understood(call.decision);
    case WhyRefused::by_operator:
      return "the operator refused this call" + (call.because.empty() ? "" : ": " + call.because) +
             "; it was not executed, and repeating it will not help";
    case WhyRefused::timed_out:
      return "not executed, timed out: this call needs a person's approval (" + ask +
             ") and nobody answered in time; nobody refused it";
    case WhyRefused::pending:
      return "not executed yet: approval " + ask +
             " is still pending; repeat exactly the same call later, or go on with something else";
    case WhyRefused::peer_gone:
      return call.forwarded ? peer + " ended before it answered; whether the call took effect is unknown"
                            : "not executed: " + peer + " has ended";
    case WhyRefused::failed:
    case WhyRefused::none: break;
  }
  if (call.forwarded)
    return "callgate failed after it passed this call on; whether it took effect is unknown";
  return "callgate could not decide or record this call, so it was not passed on; other calls may still work";
}

}  // namespace proxy
