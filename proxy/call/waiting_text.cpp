#include "proxy/call/waiting_text.hpp"

#include "proxy/base/text.hpp"

namespace proxy {

namespace {

std::string waits(std::uint64_t ask, const std::string& what) {
  const std::string number = std::to_string(ask);
  return "approval " + number + " waits: " + what +
         "; answer in `callgate console`, or with `callgate approve " + number + "` or `deny " + number + "`";
}

}  // namespace

std::string waiting_text(std::uint64_t ask, const std::string& called, const policy::Decision& decision) {
  const policy::Reason* asks = policy::deciding(decision);
  return waits(
      ask, base::quoted(called) +
               (asks == nullptr ? "" : " would " + base::quoted(summary(decision.effects[asks->effect]))));
}

std::string answer_waiting_text(std::uint64_t ask, const AnsweredCall& call,
                                const policy::Decision& decision) {
  const policy::Reason* asks = policy::deciding(decision);
  const policy::Reason* let_pass = policy::deciding(call.decision);
  return waits(
      ask, "the answer of " + base::quoted(call.called) + " (call " + std::to_string(call.number) +
               (let_pass == nullptr ? std::string()
                                    : ", " + base::quoted(summary(call.decision.effects[let_pass->effect]))) +
               ")" + (asks == nullptr ? "" : " is asked for by rule " + base::quoted(asks->rule)));
}

}  // namespace proxy
