#include "proxy/call/withheld_text.hpp"

#include "tests/catch.hpp"

using namespace proxy;

namespace {

policy::Decision denied() {
  policy::Decision decision;
  policy::Reason reason;
  reason.rule = "look";
  reason.layer = policy::Layer::user;
  reason.why = "why of look";
  decision.reasons.push_back(reason);
  decision.effects.emplace_back();
  return decision;
}

}  // namespace

TEST_CASE("the requester of a call whose answer is withheld learns that the call was executed") {
  const policy::Decision decision = denied();
  const std::string executed = "this call was executed, and its result is withheld";
  CHECK(withheld_text(WhyRefused::by_operator, decision, "not today") ==
        executed + ": the operator refused it: not today");
  CHECK(withheld_text(WhyRefused::denied, decision, "") == executed + " by rule `look` (user): why of look");
  CHECK(withheld_text(WhyRefused::denied, decision, "nobody is there") == executed + ": nobody is there");
  for (const WhyRefused why : {WhyRefused::timed_out, WhyRefused::failed, WhyRefused::pending,
                               WhyRefused::none, WhyRefused::peer_gone, WhyRefused::denied})
    CHECK(withheld_text(why, {}, "").starts_with(executed));
}
