// One call between two ends, on a real ledger. What the router adds is in router_calls_test.cpp.

#include "proxy/call/gate.hpp"

#include <algorithm>

#include "proxy/base/json.hpp"
#include "tests/catch.hpp"
#include "tests/proxy/call/way.hpp"

using namespace std::chrono_literals;
using gate_tests::GateBench;
using gate_tests::Lines;
using gate_tests::OnLedger;
using gate_tests::Way;
using gate_tests::write_call;
using proxy::Call;

namespace {

constexpr const char* read_call =
    R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_text_file","arguments":{"path":"/w/a"}}})";

std::vector<ledger::Type> story(const GateBench& bench) {
  std::vector<ledger::Type> types;
  for (const auto& stored : bench.records())
    if (stored.record.call != 0 || stored.record.type == ledger::Type::answer)
      types.push_back(stored.record.type);
  return types;
}

constexpr auto still_open = ledger::AskState::open;

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("without a ledger nothing passes the gate, whatever the policy says") {
  GateBench bench(OnLedger::no);
  Way way(bench, read_call);
  CHECK(way.ends());
  CHECK(way.forwarded.empty());
  CHECK(contains(way.text(), "could not decide or record"));
}

TEST_CASE("an approved call is on record as decided, answered, released and forwarded, in this order") {
  GateBench bench(OnLedger::yes);
  Way way(bench);
  REQUIRE(way.held());
  CHECK(way.forwarded.empty());
  bench.decide(approvals::Verdict::allow);
  REQUIRE(bench.until([&] { return !way.forwarded.empty(); }));
  CHECK(story(bench) ==
        std::vector<ledger::Type>{ledger::Type::decision, ledger::Type::answer, ledger::Type::released});
  CHECK(way.forwarded == Lines{way.call->message.bytes});
  way.call->answer = Call::Answer{"{}", 2, false};
  way.call->nudge();
  CHECK(way.ends());
  bench.writer.reset();
  CHECK(story(bench).back() == ledger::Type::outcome);
  CHECK(way.told.empty());
}

TEST_CASE("an operator's reason reaches the agent") {
  GateBench bench(OnLedger::yes);
  Way way(bench);
  REQUIRE(way.held());
  bench.decide(approvals::Verdict::deny, "use the test database");
  CHECK(way.ends());
  CHECK(contains(way.text(), "refused this call: use the test database"));
  CHECK(way.forwarded.empty());
}

TEST_CASE("where nobody is there to answer, ASK is DENY and says so") {
  GateBench bench(OnLedger::yes);
  bench.config.unattended = true;
  Way way(bench);
  CHECK(way.ends());
  CHECK(contains(way.text(), "unattended"));
  CHECK(bench.writer->state().asks().empty());
}

TEST_CASE("an ask whose time has passed is closed, and the agent is told that nobody refused it") {
  GateBench bench(OnLedger::yes);
  bench.config.ask_timeout = 1ms;
  Way way(bench);
  CHECK(way.ends());
  CHECK(contains(way.text(), "timed out"));
  CHECK(story(bench) == std::vector<ledger::Type>{ledger::Type::decision, ledger::Type::expired});
  CHECK(bench.writer->state().asks().empty());
}

TEST_CASE("before its client gives up a call is answered, and its ask stays for the repeat") {
  GateBench bench(OnLedger::yes);
  bench.config.client_limits["hasty"] = 1ms;
  bench.gate->set_agent("hasty", "1.0");
  Way first(bench);
  CHECK(first.ends());
  CHECK(contains(first.text(), "still pending"));
  REQUIRE(bench.writer->state().asks().size() == 1);
  bench.decide(approvals::Verdict::allow);
  Way repeat(bench);
  REQUIRE(bench.until([&] { return !repeat.forwarded.empty(); }));
  CHECK(repeat.told.empty());
}

TEST_CASE("asks of others whose time has passed are closed by whoever asks next") {
  GateBench bench(OnLedger::yes);
  bench.config.client_limits["hasty"] = 1ms;
  bench.config.ask_timeout = 50ms;
  bench.gate->set_agent("hasty", "1.0");
  Way first(bench);
  CHECK(first.ends());
  REQUIRE(bench.writer->state().asks().size() == 1);
  const auto over = bench.writer->state().asks().begin()->second.expires;
  REQUIRE(bench.until([&] {
    bench.run(1);
    return base::wall_now().time_since_epoch().count() > over;
  }));
  bench.gate->set_agent("patient", "1.0");
  bench.config.ask_timeout = 10min;
  Way second(bench);
  REQUIRE(second.held());
  CHECK(story(bench) ==
        std::vector<ledger::Type>{ledger::Type::decision, ledger::Type::detached, ledger::Type::decision});
  const auto records = bench.records();
  CHECK(std::count_if(records.begin(), records.end(), [](const ledger::StoredRecord& stored) {
          return stored.record.type == ledger::Type::expired;
        }) == 1);
  CHECK(bench.writer->state().asks().size() == 1);
}

TEST_CASE("identical calls wait on one ask, which ends with the last of them") {
  GateBench bench(OnLedger::yes);
  Way first(bench);
  REQUIRE(first.held());
  Way second(bench);
  REQUIRE(second.held());
  REQUIRE(bench.writer->state().asks().size() == 1);
  first.call->flow.cancel();
  first.call->nudge();
  CHECK(first.ends());
  CHECK(bench.writer->state().asks().size() == 1);
  second.call->flow.cancel();
  second.call->nudge();
  CHECK(second.ends());
  CHECK(bench.writer->state().asks().empty());
  CHECK(first.told.empty());
  CHECK(second.told.empty());
  bench.writer.reset();
  CHECK(bench.outcomes() == std::vector<std::string>{"cancelled", "cancelled"});
}

TEST_CASE(
    "an approval that does not fit any more ends its ask, also where the call it was opened for has left") {
  GateBench bench(OnLedger::yes,
                  "[[ask]]\nid=\"late\"\nseverity=\"high\"\nwrite=[\"**\"]\nafter={ read=[\"/w/a\"] }\n");
  Way owner(bench);
  REQUIRE(owner.held());
  Way joined(bench);
  REQUIRE(joined.held());
  owner.call->flow.cancel();
  owner.call->nudge();
  REQUIRE(owner.ends());
  Way reading(bench, read_call);
  REQUIRE(bench.until([&] { return !reading.forwarded.empty(); }));
  const std::uint64_t before = bench.writer->state().asks().begin()->first;
  bench.decide(approvals::Verdict::allow);
  REQUIRE(bench.until([&] {
    const auto asks = bench.writer->state().asks();
    return !asks.empty() && asks.rbegin()->first != before;
  }));
  REQUIRE(joined.held());
  CHECK(bench.writer->state().asks().size() == 1);
}

TEST_CASE("an agent that was told to come back finds its ask, whoever else left it meanwhile") {
  GateBench bench(OnLedger::yes);
  bench.gate->set_agent("patient", "1.0");
  Way owner(bench);
  REQUIRE(owner.held());
  Way other(bench);
  REQUIRE(other.held());
  bench.config.client_limits["hasty"] = 1ms;
  bench.gate->set_agent("hasty", "1.0");
  Way hasty(bench);
  REQUIRE(hasty.ends());
  REQUIRE(contains(hasty.text(), "still pending"));
  for (Way* way : {&owner, &other}) {
    way->call->flow.cancel();
    way->call->nudge();
    REQUIRE(way->ends());
  }
  CHECK(bench.writer->state().asks().size() == 1);
}

TEST_CASE("a peer that does not take the call has not been given it") {
  GateBench bench(OnLedger::yes);
  Way way(bench, read_call);
  way.call->peer_gone = true;
  CHECK(way.ends());
  CHECK(way.forwarded.empty());
  CHECK(contains(way.text(), "not executed: the server has ended"));
}

TEST_CASE("a call is refused after what passed before, and its record says after what") {
  GateBench bench(OnLedger::yes, "[[deny]]\nid=\"late\"\nwrite=[\"**\"]\nafter={ read=[\"/w/a\"] }\n");
  Way reading(bench, read_call);
  REQUIRE(bench.until([&] { return !reading.forwarded.empty(); }));
  Way writing(bench);
  CHECK(writing.ends());
  CHECK(contains(writing.text(), "by rule `late` (mission) (after call "));
  const auto records = bench.records();
  const auto decision = std::find_if(
      records.rbegin(), records.rend(),
      [](const ledger::StoredRecord& stored) { return stored.record.type == ledger::Type::decision; });
  REQUIRE(decision != records.rend());
  const std::string earlier = decision->record.detail("history");
  CHECK(earlier == decision->record.detail("history_to"));
  CHECK(records.at(std::stoul(earlier)).record.detail("tallies").size() == 16);
}

TEST_CASE("of two calls judged at once the second sees the first") {
  GateBench bench(OnLedger::yes,
                  "[[deny]]\nid=\"late\"\nread=[\"**\"]\n"
                  "after={ read=[\"/w/a\"] }\n");
  Way first(bench, read_call);
  Way second(bench, read_call);
  REQUIRE(bench.until([&] { return first.over || second.over; }));
  CHECK(first.forwarded.size() + second.forwarded.size() == 1);
}

TEST_CASE("an approval does not let go what another rule asks for by then") {
  GateBench bench(OnLedger::yes,
                  "[[ask]]\nid=\"late\"\nseverity=\"high\"\nwrite=[\"**\"]\nafter={ read=[\"/w/a\"] }\n");
  Way writing(bench);
  REQUIRE(writing.held());
  Way reading(bench, read_call);
  REQUIRE(bench.until([&] { return !reading.forwarded.empty(); }));
  bench.decide(approvals::Verdict::allow);
  REQUIRE(bench.until([&] {
    const auto asks = bench.writer->state().asks();
    return asks.size() == 1 && asks.begin()->second.state == still_open;
  }));
  CHECK(writing.forwarded.empty());
  bench.decide(approvals::Verdict::allow);
  REQUIRE(bench.until([&] { return !writing.forwarded.empty(); }));
}
