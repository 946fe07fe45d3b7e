// What the gate does with an answer that a rule asks for: it goes through the gate as a call of its own.

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/this_coro.hpp>
#include <memory>
#include <utility>

#include "proxy/call/answers.hpp"
#include "proxy/call/gate.hpp"
#include "proxy/call/held_answer.hpp"
#include "proxy/call/passage.hpp"
#include "proxy/call/records.hpp"
#include "proxy/call/refusal_text.hpp"
#include "proxy/call/withheld_text.hpp"

namespace proxy {

namespace asio = boost::asio;

// Rules of now beside those that the call was forwarded under: another policy may withhold what is held.
CheckedAnswer CallGate::check_arrived(const Passage& passage) const {
  const Call& call = passage.call;
  auto rules = call.result_rules;
  if (policy().digest() != passage.at.standing.policy)
    if (const auto described = describe(call.message)) {
      const policy::Decision now = policy().judge(*described, parts_.scene, {});
      rules.insert(rules.end(), now.result_rules.begin(), now.result_rules.end());
    }
  return check_answer(call.message, *call.arrived, rules, call.note);
}

asio::awaitable<Event> CallGate::ask_answer(Passage& passage) {
  Call& call = passage.call;
  const CheckedAnswer checked = check_arrived(passage);
  const auto answer = std::make_shared<Call>(co_await asio::this_coro::executor,
                                             answer_message(call.message, checked), call.direction);
  const auto end_with_call = [&call, answer] {
    if (call.peer_gone) answer->peer_gone = true;  // the session ends with it
    if (call.flow.cancelled() || call.requester_gone)
      answer->flow.cancel();
    else if (!call.peer_gone)
      return;
    answer->nudge();
  };
  end_with_call();
  Passage own{.call = *answer, .ends = passage.ends, .at = passage.at};
  own.at.call = answer->number = ++calls_;
  own.answer_to = &passage;
  call.interrupt = end_with_call;
  co_await carry(own);
  call.interrupt = nullptr;
  co_return Event{call.answer ? EventKind::answered : EventKind::cancelled};
}

Event CallGate::judge_answer(Passage& passage, bool again) {
  parts_.mission.refresh();
  const Call& asked = passage.answer_to->call;
  CheckedAnswer checked = check_arrived(*passage.answer_to);
  transports::Message message = answer_message(asked.message, checked);
  const base::Digest now = policy().digest();
  const bool same = again && now == passage.at.standing.policy && message.bytes == passage.call.message.bytes;
  passage.at.standing.policy = now;
  passage.call.message = std::move(message);
  const policy::Call described = answer_call(place_of_calls(), asked.message, checked);
  passage.judgement = judgement_of(answer_decision(asked.message, checked), {.call = described,
                                                                             .message = passage.call.message,
                                                                             .sent = passage.call.message,
                                                                             .agent = agent_key_,
                                                                             .policy = now});
  passage.checked = std::move(checked);
  deny_unattended(passage);
  return {EventKind::judged, passage.judgement.decision.tier, same};
}

// To the requester of the call: its answer, approved.
Event CallGate::pass_answer_on(Passage& passage) {
  Call& asked = passage.answer_to->call;
  CheckedAnswer& checked = passage.checked;
  asked.answer =
      Call::Answer{std::move(checked.result), asked.arrived->bytes.size(),
                   asked.arrived->is_error || asked.arrived->tool_error, false, std::move(checked.findings)};
  passage.ends.answer(checked.line);
  return {EventKind::answered};
}

Event CallGate::withhold_answer(Passage& passage) {
  Call& asked = passage.answer_to->call;
  const CallFlow& flow = passage.call.flow;
  if (flow.cancelled() || asked.requester_gone) return {EventKind::told};
  asked.answer =
      Call::Answer{"", asked.arrived->bytes.size(), asked.arrived->is_error || asked.arrived->tool_error,
                   true, std::move(passage.checked.findings)};
  const WhyRefused why = flow.why_refused();
  passage.ends.answer(call_answer(asked.message, refusal_code(why),
                                  withheld_text(why, passage.judgement.decision, passage.because)));
  return {EventKind::told};
}

}  // namespace proxy
