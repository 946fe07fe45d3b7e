#include "proxy/mission/history.hpp"

#include "policy/effect.hpp"
#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"

using namespace proxy;
using policy::TallyKind;
using policy::Tier;

namespace {

constexpr const char* id = "0000000000000001";
constexpr unsigned reads = 1u << static_cast<unsigned>(policy::EffectKind::read);

struct Bench {
  Bench() {
    writer = ledger::Writer::open(folder.place(), scratch::options()).value();
    start = writer->append_now(scratch::one(scratch::mission_start("m", 1))).value().records.front().sequence;
    ledger::Record loaded;
    loaded.type = ledger::Type::policy_loaded;
    loaded.mission = "m";
    loaded.policy = base::sha256("p");
    loaded.details["tallies"] = id;
    writer->append_now(scratch::one(loaded)).value();
    history =
        std::make_unique<MissionHistory>(folder.place(), "m", start, writer->id(),
                                         std::vector<policy::Tally>{{id, TallyKind::possible, reads, 100}});
  }
  std::uint64_t record(std::uint64_t call) {
    ledger::Record record = scratch::decision("m", "ALLOW");
    record.call = call;
    record.policy = base::sha256("p");
    record.details["tallies"] = id;
    return writer->append_now(scratch::one(record)).value().records.front().sequence;
  }
  Log log() {
    return [this](std::string_view text) { logged.emplace_back(text); };
  }
  std::size_t count(std::uint64_t call) { return history->before(call, log()).count(id, std::nullopt); }
  static policy::Decision allowed() {
    policy::Decision decision;
    decision.tier = Tier::allow;
    decision.tallies = {id};
    return decision;
  }

  scratch::Folder folder;
  std::unique_ptr<ledger::Writer> writer;
  std::uint64_t start = 0;
  std::unique_ptr<MissionHistory> history;
  std::vector<std::string> logged;
};

}  // namespace

TEST_CASE("what was recorded since is read with each question") {
  Bench bench;
  CHECK(bench.count(1) == 0);
  const std::uint64_t first = bench.record(1);
  CHECK(bench.count(2) == 1);
  CHECK(bench.history->judged(2, {}, false) == first);
  bench.record(2);
  bench.record(3);
  CHECK(bench.count(4) == 3);
  CHECK(bench.history->before(4, bench.log()).knows(std::nullopt));
  CHECK(bench.logged.empty());
}

TEST_CASE("a call under way counts for others until it is seen on record, and once") {
  Bench bench;
  CHECK(bench.count(1) == 0);
  bench.history->judged(1, Bench::allowed(), false);
  CHECK(bench.count(2) == 1);
  CHECK(bench.count(1) == 0);  // judged anew: not for itself
  bench.history->judged(1, Bench::allowed(), false);
  bench.record(1);
  CHECK(bench.count(2) == 1);
  bench.history->judged(2, Bench::allowed(), false);
  CHECK(bench.count(3) == 2);
  bench.history->over(2);
  CHECK(bench.count(3) == 1);
}

TEST_CASE("a call that waits for a person does not count, one that is about to be released does") {
  Bench bench;
  policy::Decision asked = Bench::allowed();
  asked.tier = Tier::ask;
  bench.count(1);
  bench.history->judged(1, asked, false);
  CHECK(bench.count(2) == 0);
  bench.history->judged(1, asked, true);
  CHECK(bench.count(2) == 1);
}

TEST_CASE(
    "by another policy's tallies all is counted anew, and a call under way stays counted until it is over") {
  Bench bench;
  bench.record(1);
  CHECK(bench.count(2) == 1);
  bench.history->judged(2, Bench::allowed(), false);
  bench.history->count({{id, TallyKind::possible, reads, 50}});
  CHECK(bench.count(3) == 2);
  bench.history->count({});
  CHECK_FALSE(bench.history->counts());
  bench.history->count({{id, TallyKind::possible, reads, 100}});
  CHECK(bench.count(3) == 2);
  bench.record(2);
  CHECK(bench.count(3) == 2);
  bench.history->judged(3, Bench::allowed(), false);
  bench.history->over(3);
  CHECK(bench.count(4) == 2);
}

TEST_CASE("where the ledger cannot be read nothing is known, and the log says so") {
  Bench bench;
  bench.record(1);
  MissionHistory elsewhere({bench.folder / "none"}, "m", 0, "", {{id, TallyKind::possible, reads, 1}});
  const policy::History& history = elsewhere.before(1, bench.log());
  CHECK_FALSE(history.knows(std::chrono::seconds(1)));
  CHECK_FALSE(elsewhere.judged(1, {}, false).has_value());
  REQUIRE(bench.logged.size() == 1);
  CHECK(bench.logged[0].find("what passed before in the mission cannot be read") == 0);
}
