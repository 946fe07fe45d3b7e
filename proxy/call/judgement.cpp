#include "proxy/call/judgement.hpp"

#include <utility>

#include "approvals/effects.hpp"
#include "proxy/base/json.hpp"
#include "proxy/call/records.hpp"

namespace proxy {

Judgement judgement_of(policy::Decision decision, const Judged& judged) {
  Judgement judgement;
  judgement.decision = std::move(decision);
  judgement.effects = approvals::effects_payload(judgement.decision);
  const std::string bound = judged.counts ? approvals::bound_effects(judgement.decision) : std::string();
  const std::string_view arguments = judged.sent.at(judged_part(judged.sent));
  const bool redirected = judgement.decision.redirected.has_value();
  if (redirected) judgement.redirected = arguments;
  // Where links lead now is part of what is asked: an answer to one binding never lets another go.
  const approvals::Binding binding{.mission = judged.call.mission,
                                   .agent = judged.agent,
                                   .server = judged.call.server,
                                   .method = judged.call.method,
                                   .tool = judged.call.tool,
                                   .arguments = arguments,
                                   .beside = judged.message.beside,
                                   .policy = judged.policy,
                                   .effects = judged.counts ? bound : judgement.effects};
  if (judgement.decision.tier != policy::Tier::ask) {
    judgement.digests = {approvals::call_digest(binding), {}};
    return judgement;
  }
  const base::json::Value rewritten =
      redirected ? *base::json::parse(judgement.redirected) : base::json::Value();
  const base::json::Value& tree = redirected ? rewritten : judged.call.arguments;
  judgement.digests = approvals::call_digests(binding, tree);
  judgement.offer.same = approvals::same_call(binding, tree, approvals::effects_alone(judgement.decision));
  return judgement;
}

}  // namespace proxy
