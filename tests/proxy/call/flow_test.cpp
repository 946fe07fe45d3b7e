#include "proxy/call/flow.hpp"

#include <vector>

#include "tests/catch.hpp"

using policy::Tier;
using proxy::Action;
using proxy::CallFlow;
using proxy::Ending;
using proxy::Event;
using proxy::EventKind;
using proxy::WhyRefused;

namespace {

struct Step {
  Event event;      // what the step under way ended in
  Action expected;  // what comes next
};

const std::vector<Step> allow_script = {
    {{EventKind::begin}, Action::judge},      {{EventKind::judged, Tier::allow}, Action::record_decision},
    {{EventKind::recorded}, Action::forward}, {{EventKind::answered}, Action::record_outcome},
    {{EventKind::recorded}, Action::done},
};
const std::vector<Step> ask_script = {
    {{EventKind::begin}, Action::judge},
    {{EventKind::judged, Tier::ask}, Action::record_decision},
    {{EventKind::recorded}, Action::hold},
    {{EventKind::allowed}, Action::judge_again},
    {{EventKind::judged, Tier::ask, true}, Action::record_release},
    {{EventKind::recorded}, Action::forward},
    {{EventKind::answered}, Action::record_outcome},
    {{EventKind::recorded}, Action::done},
};
const std::vector<Step> deny_script = {
    {{EventKind::begin}, Action::judge},
    {{EventKind::judged, Tier::deny}, Action::record_decision},
    {{EventKind::recorded}, Action::refuse},
    {{EventKind::told}, Action::done},
};
const std::vector<std::vector<Step>> scripts = {allow_script, ask_script, deny_script};

Action play(CallFlow& flow, const std::vector<Step>& script, std::size_t count) {
  Action action = Action::done;
  for (std::size_t i = 0; i < count; ++i) {
    action = flow.resume(script[i].event);
    REQUIRE(action == script[i].expected);
  }
  return action;
}

const std::vector<EventKind> all_events = {EventKind::judged,   EventKind::recorded,     EventKind::conflict,
                                           EventKind::failed,   EventKind::allowed,      EventKind::denied,
                                           EventKind::expired,  EventKind::client_limit, EventKind::cancelled,
                                           EventKind::answered, EventKind::answer_asks,  EventKind::peer_gone,
                                           EventKind::told};

}  // namespace

TEST_CASE("a call goes its way by its decision") {
  for (const auto& script : scripts) {
    CallFlow flow;
    play(flow, script, script.size());
  }
}

TEST_CASE("each step that fails in turn ends without a later forward, and the requester is told") {
  for (const auto& script : scripts) {
    for (std::size_t failing = 1; failing < script.size(); ++failing) {
      CallFlow flow;
      Action action = play(flow, script, failing);
      INFO("failing in " << name(action));
      const bool forwarded_before = action == Action::forward || action == Action::record_outcome;
      const bool was_refusing = action == Action::refuse;
      action = flow.resume({EventKind::failed});
      CHECK(action != Action::forward);
      if (action == Action::record_outcome) action = flow.resume({EventKind::recorded});
      if (action == Action::refuse) {
        CHECK(flow.why_refused() == (forwarded_before ? WhyRefused::peer_gone : WhyRefused::failed));
        action = flow.resume({EventKind::told});
      } else {
        CHECK((was_refusing || forwarded_before));
      }
      CHECK(action == Action::done);
    }
  }
}

TEST_CASE(
    "forward follows only a recorded ALLOW or a recorded release that nobody cancelled, whatever events "
    "come") {
  // Every sequence of events up to a depth, with a cancellation before any of them or none, by recursion over
  // copies of the machine.
  struct Explorer {
    std::size_t forwards = 0;
    void explore(const CallFlow& flow, Action action, EventKind last, Action before, int depth) {
      if (action == Action::forward) {
        ++forwards;
        CHECK(last == EventKind::recorded);
        CHECK_FALSE(flow.cancelled());
        CHECK((before == Action::record_release ||
               (before == Action::record_decision && flow.tier() == Tier::allow)));
      }
      if (action == Action::done || depth == 0) return;
      if (!flow.cancelled()) {
        CallFlow cancelled = flow;
        cancelled.cancel();
        ask_next(cancelled, action, depth);
      }
      ask_next(flow, action, depth);
    }
    void ask_next(const CallFlow& flow, Action action, int depth) {
      for (const EventKind kind : all_events)
        for (const Tier tier : {Tier::deny, Tier::ask, Tier::allow})
          for (const bool same : {false, true}) {
            if (kind != EventKind::judged && (tier != Tier::deny || same)) continue;
            CallFlow next = flow;
            const Action after = next.resume({kind, tier, same});
            explore(next, after, kind, action, depth - 1);
          }
    }
  };
  CallFlow flow;
  Explorer explorer;
  explorer.explore(flow, flow.resume({EventKind::begin}), EventKind::begin, Action::done, 7);
  CHECK(explorer.forwards > 0);
}

TEST_CASE("an answer that is asked for ends the call whatever becomes of it, and is not forwarded again") {
  for (const EventKind kind : all_events) {
    CallFlow flow;
    flow.resume({EventKind::begin});
    flow.resume({EventKind::judged, Tier::allow});
    CHECK(flow.resume({EventKind::recorded}) == Action::forward);
    CHECK(flow.resume({EventKind::answer_asks}) == Action::ask_answer);
    CHECK(flow.resume({kind}) == Action::record_outcome);
    CHECK(flow.ending() == (kind == EventKind::cancelled ? Ending::cancelled : Ending::answered));
    CHECK(flow.resume({EventKind::recorded}) == Action::done);
  }
}

TEST_CASE("a conflict is judged again, but not for ever") {
  CallFlow flow;
  Action action = flow.resume({EventKind::begin});
  int rounds = 0;
  while (action != Action::refuse) {
    REQUIRE(action == Action::judge);
    REQUIRE(flow.resume({EventKind::judged, Tier::allow}) == Action::record_decision);
    action = flow.resume({EventKind::conflict});
    ++rounds;
  }
  CHECK(rounds == CallFlow::conflicts_max + 1);
  CHECK(flow.why_refused() == WhyRefused::failed);
}

TEST_CASE("an approval whose effects changed meanwhile is asked again, or denied") {
  for (const Tier tier : {Tier::deny, Tier::ask, Tier::allow}) {
    CallFlow flow;
    play(flow, ask_script, 4);
    CHECK(flow.resume({EventKind::judged, tier, false}) == Action::record_decision);
    const Action next = flow.resume({EventKind::recorded});
    CHECK(next == (tier == Tier::deny ? Action::refuse : tier == Tier::ask ? Action::hold : Action::forward));
  }
}

TEST_CASE("a cancellation that comes while a record is being written keeps the call from being forwarded") {
  CallFlow allowed;
  play(allowed, allow_script, 2);
  allowed.cancel();
  CHECK(allowed.resume({EventKind::recorded}) == Action::record_outcome);
  CHECK(allowed.ending() == Ending::cancelled);
  CHECK(allowed.resume({EventKind::recorded}) == Action::done);

  CallFlow asked;
  play(asked, ask_script, 2);
  asked.cancel();
  CHECK(asked.resume({EventKind::recorded}) == Action::record_withdrawn);

  CallFlow releasing;
  play(releasing, ask_script, 5);
  releasing.cancel();
  CHECK(releasing.resume({EventKind::recorded}) == Action::record_outcome);
  CHECK(releasing.ending() == Ending::cancelled);
}

TEST_CASE("each end of a hold has its own record and its own words") {
  const struct {
    EventKind kind;
    Action record;
    WhyRefused told;
  } ends[] = {{EventKind::expired, Action::record_expired, WhyRefused::timed_out},
              {EventKind::client_limit, Action::record_detached, WhyRefused::pending}};
  for (const auto& end : ends) {
    CallFlow flow;
    play(flow, ask_script, 3);
    CHECK(flow.resume({end.kind}) == end.record);
    CHECK(flow.resume({EventKind::recorded}) == Action::refuse);
    CHECK(flow.why_refused() == end.told);
  }
  CallFlow denied;
  play(denied, ask_script, 3);
  CHECK(denied.resume({EventKind::denied}) == Action::record_outcome);
  CHECK(denied.ending() == Ending::refused);
  CHECK(denied.resume({EventKind::recorded}) == Action::refuse);
  CHECK(denied.why_refused() == WhyRefused::by_operator);
  CallFlow withdrawn;
  play(withdrawn, ask_script, 3);
  CHECK(withdrawn.resume({EventKind::cancelled}) == Action::record_withdrawn);
  CHECK(withdrawn.resume({EventKind::recorded}) == Action::done);
}

TEST_CASE("an ask that somebody else ended is judged anew") {
  CallFlow flow;
  play(flow, ask_script, 3);
  CHECK(flow.resume({EventKind::conflict}) == Action::judge);
}

TEST_CASE("a peer that ends while the call is held is told to the requester after the ask is withdrawn") {
  CallFlow flow;
  play(flow, ask_script, 3);
  CHECK(flow.resume({EventKind::peer_gone}) == Action::record_withdrawn);
  CHECK(flow.resume({EventKind::recorded}) == Action::refuse);
  CHECK(flow.why_refused() == WhyRefused::peer_gone);
}
