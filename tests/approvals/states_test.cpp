// approvals/STATES.md as a test: each row on a fold, and each row refused where it does not belong.

#include "approvals/asks.hpp"
#include "ledger/fold.hpp"
#include "tests/approvals/samples.hpp"
#include "tests/catch.hpp"

using namespace approvals;
using namespace approvals::samples;
using ledger::AskState;

namespace {

const base::Digest policy = base::sha256("policy");
const Standing standing{"m-1", policy};
const base::Digest repeat = base::sha256("the same in any spelling");

struct Ledger {
  ledger::Fold fold;
  ledger::StoredRecord decision = ask(7);
  std::uint64_t next = 8;

  Ledger() {
    ledger::Record start;
    start.type = ledger::Type::mission_start;
    start.mission = "m-1";
    start.policy = policy;
    start.details["key"] = base::hex(base::sha256("agent"));
    add(start, 1);
    fold.apply(decision.record, decision.leaf);
  }
  void add(ledger::Record record, std::uint64_t sequence) {
    const auto made = stored(std::move(record), sequence);
    fold.apply(made.record, made.leaf);
  }
  // Applies the append when its preconditions hold at this time.
  bool append(const ledger::Append& append, std::chrono::nanoseconds since) {
    if (ledger::failing(append.preconditions, fold, at(since).time_since_epoch().count())) return false;
    for (const auto& draft : append.drafts) add(draft.record, next++);
    return true;
  }
  bool answer(Verdict verdict, std::chrono::nanoseconds since) {
    return append(
        make_answer(decision.record, decision.leaf, verdict, "", at(since), key(), std::string(16, 'n')),
        since);
  }
  AskAt where() const { return {{7, decision.leaf}, "m-1", "files", 1}; }
  const ledger::Ask* ask7() const { return fold.ask(7); }
  const ledger::Ask* standing_at(std::chrono::nanoseconds since) const {
    return standing_at(since, {decision.record.capability->call, {}});
  }
  const ledger::Ask* standing_at(std::chrono::nanoseconds since, const CallDigests& call) const {
    return standing_ask(fold, "m-1", call, at(since));
  }
};

}  // namespace

TEST_CASE("an answer in time is taken once, and the first one wins") {
  Ledger ledger;
  REQUIRE(ledger.answer(Verdict::allow, 5s));
  CHECK(ledger.ask7()->state == AskState::allowed);
  CHECK_FALSE(ledger.answer(Verdict::deny, 6s));
  CHECK_FALSE(ledger.append(detached(ledger.where(), 55s, repeat), 6s));
}

TEST_CASE("an answer after the ask's time is refused even where nobody wrote that it expired") {
  Ledger ledger;
  CHECK_FALSE(ledger.answer(Verdict::allow, ask_lasts));
  CHECK(ledger.answer(Verdict::allow, ask_lasts - 1ns));
}

TEST_CASE("an allowed call is released once") {
  Ledger ledger;
  CHECK_FALSE(ledger.append(released(ledger.where(), 8, standing), 1s));
  REQUIRE(ledger.answer(Verdict::allow, 5s));
  REQUIRE(ledger.append(released(ledger.where(), 8, standing), 6s));
  CHECK(ledger.ask7() == nullptr);
  CHECK_FALSE(ledger.append(released(ledger.where(), 8, standing), 7s));
}

TEST_CASE("a denied call is not released") {
  Ledger ledger;
  REQUIRE(ledger.answer(Verdict::deny, 5s));
  CHECK_FALSE(ledger.append(released(ledger.where(), 8, standing), 6s));
}

TEST_CASE("a release fails in a paused mission and under another policy") {
  Ledger ledger;
  REQUIRE(ledger.answer(Verdict::allow, 5s));
  CHECK_FALSE(ledger.append(released(ledger.where(), 8, {"m-1", base::sha256("another")}), 6s));
  ledger::Record pause;
  pause.type = ledger::Type::mission_pause;
  pause.mission = "m-1";
  ledger.add(pause, 20);
  CHECK_FALSE(ledger.append(released(ledger.where(), 8, standing), 6s));
}

TEST_CASE("a detached ask, allowed later, stands for ten minutes for one repeat") {
  Ledger ledger;
  REQUIRE(ledger.append(detached(ledger.where(), 55s, repeat), 55s));
  CHECK(ledger.ask7()->state == AskState::detached);
  REQUIRE(ledger.answer(Verdict::allow, 9min));
  REQUIRE(ledger.standing_at(18min) != nullptr);
  CHECK(ledger.standing_at(18min)->detached());
  CHECK(ledger.standing_at(19min) == nullptr);
  CHECK_FALSE(ledger.append(released(ledger.where(), 8, standing), 19min));
  REQUIRE(ledger.append(released(ledger.where(), 8, standing), 19min - 1s));
  CHECK(ledger.standing_at(18min) == nullptr);
}

TEST_CASE("a call in another spelling takes up a detached ask, and no held one") {
  Ledger ledger;
  const CallDigests rewritten{base::sha256("other bytes"), repeat};
  CHECK(ledger.standing_at(1s, rewritten) == nullptr);
  REQUIRE(ledger.append(detached(ledger.where(), 55s, repeat), 55s));
  CHECK(ledger.standing_at(1min, rewritten) == ledger.ask7());
  REQUIRE(ledger.answer(Verdict::allow, 2min));
  CHECK(ledger.standing_at(3min, rewritten) == ledger.ask7());
  CHECK(ledger.standing_at(3min, {base::sha256("other bytes"), base::sha256("says something else")}) ==
        nullptr);
}

TEST_CASE("a detached ask, denied later, keeps its denial for the repeat") {
  Ledger ledger;
  REQUIRE(ledger.append(detached(ledger.where(), 55s, repeat), 55s));
  REQUIRE(ledger.answer(Verdict::deny, 60s));
  ledger::Record outcome;
  outcome.type = ledger::Type::outcome;
  outcome.mission = "m-1";
  outcome.answers = ledger.where().ask;
  ledger.add(outcome, 20);
  REQUIRE(ledger.standing_at(2min) != nullptr);
  CHECK(ledger.standing_at(2min)->state == AskState::denied);
  CHECK(overdue(ledger.fold, at(10min)).empty());
  REQUIRE(overdue(ledger.fold, at(11min)).size() == 1);
  REQUIRE(ledger.append(expired(ledger.where()), 11min));
  CHECK(ledger.ask7() == nullptr);
}

TEST_CASE("an ask that is withdrawn or expired takes no more records") {
  for (const bool withdraw : {true, false}) {
    Ledger ledger;
    REQUIRE(ledger.append(
        withdraw ? withdrawn(ledger.where(), Withdrawal::cancelled) : expired(ledger.where()), 1s));
    CHECK_FALSE(ledger.answer(Verdict::allow, 2s));
    CHECK_FALSE(ledger.append(expired(ledger.where()), 2s));
    CHECK_FALSE(ledger.append(withdrawn(ledger.where(), Withdrawal::closed), 2s));
    CHECK_FALSE(ledger.append(detached(ledger.where(), 55s, repeat), 2s));
    CHECK_FALSE(ledger.append(released(ledger.where(), 8, standing), 2s));
  }
}

TEST_CASE("an identical call joins an ask that stands instead of opening another") {
  Ledger ledger;
  const auto call = ledger.decision.record.capability->call;
  const auto now = at(1s).time_since_epoch().count();
  CHECK(ledger::failing(opening(standing, call), ledger.fold, now));
  CHECK_FALSE(ledger::failing(opening(standing, base::sha256("another call")), ledger.fold, now));
  CHECK_FALSE(ledger::failing(joining(standing, 7), ledger.fold, now));
  auto joined = ask(9);
  joined.record.details = {{"joins", "7"}};
  ledger.fold.apply(joined.record, joined.leaf);
  CHECK(ledger.fold.asks().size() == 1);
  REQUIRE(ledger.append(expired(ledger.where()), 1s));
  CHECK(ledger::failing(joining(standing, 7), ledger.fold, now));
  CHECK_FALSE(ledger::failing(opening(standing, call), ledger.fold, now));
}
