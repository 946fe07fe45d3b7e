#include "approvals/hold.hpp"

#include "approvals/asks.hpp"
#include "approvals/clients.hpp"
#include "approvals/operator_key.hpp"
#include "tests/approvals/samples.hpp"
#include "tests/catch.hpp"

using namespace approvals;
using namespace approvals::samples;

namespace {

struct Hold {
  ledger::StoredRecord decision = ask(7);
  HoldState state;

  explicit Hold(bool progress = false, std::chrono::nanoseconds limit = 24h)
      : state(HoldTerms{{7, ask(7).leaf}, at(ask_lasts), limit, progress}) {
    state.begin(decision, public_text(key()));
  }
  HoldAction step(std::chrono::nanoseconds since) { return state.step(at(since), since); }
  ledger::StoredRecord record(ledger::Type type, std::uint64_t sequence = 9) const {
    ledger::Record made;
    made.type = type;
    made.mission = "m-1";
    made.answers = ledger::Reference{7, decision.leaf};
    return stored(made, sequence);
  }
  Fate fate(std::chrono::nanoseconds since) {
    REQUIRE(step(since).step == HoldStep::done);
    return state.resolution().fate;
  }
};

}  // namespace

TEST_CASE("a hold ends allowed or denied by a genuine answer, which it hands on") {
  for (const Verdict verdict : {Verdict::allow, Verdict::deny}) {
    Hold hold;
    CHECK(hold.step(0s).step == HoldStep::wait);
    CHECK(hold.state.observe(answer_to(hold.decision, verdict, "")));
    CHECK(hold.fate(1s) == (verdict == Verdict::allow ? Fate::allowed : Fate::denied));
    REQUIRE(hold.state.resolution().answer);
    CHECK(hold.state.resolution().answer->record.sequence == 8);
  }
}

TEST_CASE("a forged answer is reported and leaves the ask open") {
  Hold hold;
  auto forged = answer_to(hold.decision, Verdict::deny, "");
  forged.record.operator_->answer = "allow";
  CHECK_FALSE(hold.state.observe(forged));
  CHECK(hold.step(1s).step == HoldStep::wait);
  CHECK(hold.state.observe(answer_to(hold.decision, Verdict::allow, "")));
  CHECK(hold.fate(2s) == Fate::allowed);
}

TEST_CASE("an answer to another ask changes nothing") {
  Hold hold;
  CHECK(hold.state.observe(answer_to(ask(6), Verdict::allow, "")));
  CHECK(hold.step(1s).step == HoldStep::wait);
}

TEST_CASE("the first answer counts") {
  Hold hold;
  CHECK(hold.state.observe(answer_to(hold.decision, Verdict::deny, "")));
  CHECK(hold.state.observe(answer_to(hold.decision, Verdict::allow, "")));
  CHECK(hold.fate(1s) == Fate::denied);
}

TEST_CASE("an answer that has run out allows nothing") {
  Hold hold;
  CHECK(hold.state.observe(answer_to(hold.decision, Verdict::allow, "", at(-10min))));
  CHECK(hold.fate(0s) == Fate::expired);
  CHECK_FALSE(hold.state.resolution().answer);
}

TEST_CASE("a hold reads once more before it says that nobody answered") {
  Hold late;
  CHECK(late.step(ask_lasts).step == HoldStep::read);
  CHECK(late.step(ask_lasts).step == HoldStep::read);
  late.state.have_read();
  CHECK(late.fate(ask_lasts) == Fate::expired);
  Hold in_time;
  CHECK(in_time.step(ask_lasts).step == HoldStep::read);
  in_time.state.observe(answer_to(in_time.decision, Verdict::allow, "", at(ask_lasts - 1s)));
  in_time.state.have_read();
  CHECK(in_time.fate(ask_lasts) == Fate::allowed);
}

TEST_CASE("a reading before the ask's time does not count as the last one") {
  Hold hold;
  hold.state.have_read();
  CHECK(hold.step(ask_lasts).step == HoldStep::read);
}

TEST_CASE("a hold ends with what others record about the ask") {
  const std::pair<ledger::Type, Fate> ends[] = {{ledger::Type::released, Fate::taken},
                                                {ledger::Type::expired, Fate::expired},
                                                {ledger::Type::withdrawn, Fate::withdrawn}};
  for (const auto& [type, fate] : ends) {
    for (const bool allowed_before : {false, true}) {
      Hold hold;
      if (allowed_before) hold.state.observe(answer_to(hold.decision, Verdict::allow, ""));
      hold.state.observe(hold.record(type));
      CHECK(hold.fate(1s) == fate);
      CHECK_FALSE(hold.state.resolution().answer);
    }
  }
  Hold hold;
  hold.state.observe(hold.record(ledger::Type::detached));
  CHECK(hold.step(1s).step == HoldStep::wait);
}

TEST_CASE("a cancelled or unreadable hold never becomes allowed") {
  Hold cancelled;
  cancelled.state.cancel();
  cancelled.state.observe(answer_to(cancelled.decision, Verdict::allow, ""));
  CHECK(cancelled.fate(1s) == Fate::cancelled);
  Hold raced;
  raced.state.observe(answer_to(raced.decision, Verdict::allow, ""));
  raced.state.cancel();
  CHECK(raced.fate(1s) == Fate::cancelled);
  Hold unreadable;
  unreadable.state.unreadable("disk");
  unreadable.state.observe(answer_to(unreadable.decision, Verdict::allow, ""));
  CHECK(unreadable.fate(1s) == Fate::unreadable);
  CHECK(unreadable.state.resolution().why == "disk");
}

TEST_CASE("a hold that is overtaken ends so, and an answer that came before allows nothing") {
  Hold hold;
  hold.state.observe(answer_to(hold.decision, Verdict::allow, ""));
  hold.state.overtake();
  CHECK(hold.fate(1s) == Fate::overtaken);
  CHECK_FALSE(hold.state.resolution().answer);
}

TEST_CASE("a hold on a record that is not its ask ends as unreadable") {
  const auto fate_of = [](const ledger::StoredRecord& decision) {
    HoldState state(HoldTerms{{7, ask(7).leaf}, at(ask_lasts), 24h, false});
    state.begin(decision, public_text(key()));
    CHECK(state.step(at(0s), 0s).step == HoldStep::done);
    return state.resolution().fate;
  };
  auto other = ask(8);
  CHECK(fate_of(other) == Fate::unreadable);
  auto altered = ask(7);
  altered.leaf[0] ^= 1;
  CHECK(fate_of(altered) == Fate::unreadable);
  auto allow = ask(7);
  allow.record.decision = "ALLOW";
  CHECK(fate_of(allow) == Fate::unreadable);
  auto joined = ask(7);
  joined.record.details["joins"] = "3";
  CHECK(fate_of(joined) == Fate::unreadable);
}

TEST_CASE("a hold gives way before the client does") {
  Hold hold(false, 55s);
  CHECK(hold.step(54s).wait == 1s);
  CHECK(hold.fate(55s) == Fate::client_limit);
}

TEST_CASE("progress goes out at once and every ten seconds, and only with a token") {
  Hold hold(true);
  CHECK(hold.step(0s).step == HoldStep::progress);
  CHECK(hold.state.progress_sent() == 1);
  CHECK(hold.step(0s).step == HoldStep::wait);
  CHECK(hold.step(4s).wait == 6s);
  CHECK(hold.step(10s).step == HoldStep::progress);
  CHECK(hold.state.progress_sent() == 2);
  Hold silent(false);
  CHECK(silent.step(0s).step == HoldStep::wait);
  CHECK(silent.step(60s).step == HoldStep::wait);
}

TEST_CASE("each client is given up on before its limit, and only one that heeds progress is held long") {
  CHECK(hold_limit("opencode", true, {}) == longest_hold);
  CHECK(hold_limit("opencode", false, {}) == 55s);
  CHECK(hold_limit("codex-mcp-client", true, {}) == 295s);
  CHECK(hold_limit("gemini-cli-mcp-client", true, {}) == 595s);
  CHECK(hold_limit("claude-code", true, {}) == longest_hold);
  CHECK(hold_limit("never heard of", true, {}) == 55s);
  CHECK(hold_limit("", false, {}) == 55s);
  CHECK(hold_limit("opencode", true, {{"opencode", 10s}}) == 7500ms);
  CHECK(hold_limit("mine", true, {{"mine", 0ms}}) == 0ms);
}
