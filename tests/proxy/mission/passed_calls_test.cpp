#include "proxy/mission/passed_calls.hpp"

#include "policy/effect.hpp"
#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"

using namespace proxy;
using ledger::Record;
using ledger::Type;
using policy::History;
using policy::TallyKind;

namespace {

constexpr const char* maybe = "0000000000000001";
constexpr const char* certain = "0000000000000002";
constexpr const char* rate = "0000000000000003";
constexpr unsigned reads = 1u << static_cast<unsigned>(policy::EffectKind::read);
constexpr unsigned runs = 1u << static_cast<unsigned>(policy::EffectKind::run);

// Records of mission `m`, numbered as they come, a second apart.
class Story {
 public:
  Story()
      : calls("m", {{maybe, TallyKind::possible, reads, 5},
                    {certain, TallyKind::certain, reads, 5},
                    {rate, TallyKind::rate, reads, 5}}) {}

  std::uint64_t apply(Record record) {
    record.sequence = ++sequence_;
    record.time = static_cast<std::int64_t>(sequence_) * 1'000'000'000;
    calls.apply(record);
    calls.history().set_now(record.time);
    return record.sequence;
  }
  void load(const std::string& policy, const std::string& tallies) {
    Record record;
    record.type = Type::policy_loaded;
    record.mission = "m";
    record.policy = base::sha256(policy);
    if (!tallies.empty()) record.details["tallies"] = tallies;
    apply(record);
  }
  std::uint64_t decide(const std::string& tier, const std::string& tallies, const std::string& policy = "p",
                       const std::string& mission = "m") {
    Record record = scratch::decision(mission, tier);
    record.policy = base::sha256(policy);
    if (!tallies.empty()) record.details["tallies"] = tallies;
    return apply(record);
  }
  std::uint64_t answer(Type type, std::uint64_t decision) {
    Record record = scratch::answering(type, {decision, {}});
    record.mission = "m";
    return apply(record);
  }
  std::size_t count(const char* tally) { return calls.history().count(tally, std::nullopt); }

  PassedCalls calls;

 private:
  std::uint64_t sequence_ = 0;
};

const std::string all = std::string(maybe) + " " + certain + " " + rate;

}  // namespace

TEST_CASE("an allowed call counts for what its record says") {
  Story story;
  story.load("p", all);
  const std::uint64_t first = story.decide("ALLOW", std::string(maybe) + " " + rate);
  CHECK(story.count(maybe) == 1);
  CHECK(story.count(rate) == 1);
  CHECK(story.calls.history().latest(maybe, std::nullopt, 5) ==
        std::vector<policy::Passed>{{first, static_cast<std::int64_t>(first) * 1'000'000'000, true}});
  story.decide("ALLOW", "");
  story.decide("ALLOW", all, "p", "another");
  story.decide("DENY", all);
  CHECK(story.count(maybe) == 1);
}

TEST_CASE("an asked call counts when it is released, at that time, and else never") {
  Story story;
  story.load("p", all);
  const std::uint64_t ask = story.decide("ASK", maybe);
  const std::uint64_t other = story.decide("ASK", maybe);
  CHECK(story.count(maybe) == 0);
  story.answer(Type::answer, ask);
  CHECK(story.count(maybe) == 0);
  const std::uint64_t released = story.answer(Type::released, ask);
  CHECK(story.calls.history().latest(maybe, std::nullopt, 5) ==
        std::vector<policy::Passed>{{ask, static_cast<std::int64_t>(released) * 1'000'000'000, true}});
  story.answer(Type::expired, other);
  story.answer(Type::released, other);
  CHECK(story.count(maybe) == 1);
}

TEST_CASE("for an allow a call counts once it was answered without an error") {
  Story story;
  story.load("p", all);
  const std::uint64_t first = story.decide("ALLOW", certain);
  CHECK(story.count(certain) == 0);
  story.answer(Type::outcome, first);
  CHECK(story.count(certain) == 1);
  story.answer(Type::outcome, first);
  CHECK(story.count(certain) == 1);
  const std::uint64_t failed = story.decide("ALLOW", certain);
  Record outcome = scratch::answering(Type::outcome, {failed, {}});
  outcome.mission = "m";
  outcome.outcome->is_error = true;
  story.apply(outcome);
  story.answer(Type::outcome, failed);
  CHECK(story.count(certain) == 1);
  Record cancelled = scratch::answering(Type::outcome, {story.decide("ALLOW", certain), {}});
  cancelled.mission = "m";
  cancelled.outcome->status = "cancelled";
  story.apply(cancelled);
  CHECK(story.count(certain) == 1);
}

TEST_CASE("an answer of our own counts before it is on record, once") {
  Story story;
  story.load("p", all);
  const std::uint64_t first = story.decide("ALLOW", certain);
  story.calls.answered(first);
  CHECK(story.count(certain) == 1);
  story.answer(Type::outcome, first);
  CHECK(story.count(certain) == 1);
  story.calls.answered(first + 3);  // read later than it was answered
  story.decide("ALLOW", "");
  const std::uint64_t second = story.decide("ALLOW", certain);
  REQUIRE(second == first + 3);
  CHECK(story.count(certain) == 2);
}

TEST_CASE("a call that joined an ask is answered for it") {
  Story story;
  story.load("p", all);
  const std::uint64_t ask = story.decide("ASK", certain);
  Record joining = scratch::decision("m", "ASK");
  joining.policy = base::sha256("p");
  joining.details = {{"joins", std::to_string(ask)}, {"tallies", certain}};
  const std::uint64_t joined = story.apply(joining);
  story.answer(Type::released, ask);
  CHECK(story.count(certain) == 0);
  story.answer(Type::outcome, joined);
  CHECK(story.count(certain) == 1);
}

TEST_CASE("what another policy did not watch for may have been, if the kind of effect fits") {
  Story story;
  story.load("p", "");
  story.decide("ALLOW", "", "p");
  CHECK(story.count(maybe) == 1);
  CHECK(story.calls.history().latest(maybe, std::nullopt, 1).front().certain == false);
  CHECK(story.count(rate) == 0);  // not its rule: it allowed nothing
  story.decide("ALLOW", "", "never loaded");
  CHECK(story.count(maybe) == 2);
  CHECK(story.count(rate) == 1);
  CHECK(story.count(certain) == 0);
  PassedCalls other("m", {{maybe, TallyKind::possible, runs, 5}});
  other.apply(scratch::decision("m", "ALLOW"));
  CHECK(other.history().count(maybe, std::nullopt) == 0);
}

TEST_CASE("lists of tallies are read as they are written") {
  CHECK(tallies_text({"a", "b"}) == "a b");
  CHECK(tallies_text({}).empty());
  CHECK(tallies_from_text("a b") == std::set<std::string>{"a", "b"});
  CHECK(tallies_from_text(" a  b ") == std::set<std::string>{"a", "b"});
  CHECK(tallies_from_text("").empty());
}
