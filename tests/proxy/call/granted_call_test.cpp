// Calls that the operator's grants let pass, on a real ledger.

#include <algorithm>

#include "tests/catch.hpp"
#include "tests/proxy/call/way.hpp"

using namespace std::chrono_literals;
using gate_tests::GateBench;
using gate_tests::OnLedger;
using gate_tests::Way;
using gate_tests::write_call;

namespace {

// A call is asked and allowed, and beside it something is granted.
std::uint64_t granted(GateBench& bench, const std::string& keys,
                      const base::SigningKey& by = approvals::samples::key(),
                      std::chrono::nanoseconds lasts = std::chrono::hours(1)) {
  Way asked(bench);
  REQUIRE(asked.held());
  const std::uint64_t grant = bench.grant(keys, by, lasts);
  CHECK(bench.until([&] { return !asked.forwarded.empty(); }));
  return grant;
}

std::string another_write(const std::string& path) {
  std::string text = write_call;
  return text.replace(text.find("/w/a"), 4, path);
}

enum class Stage { under_way, held, forwarded, over };

// How far a new call comes by itself.
Stage comes_to(GateBench& bench, const std::string& request) {
  Way way(bench, request);
  const auto stage = [&] {
    if (!way.forwarded.empty()) return Stage::forwarded;
    if (way.over) return Stage::over;
    return way.call->interrupt != nullptr ? Stage::held : Stage::under_way;
  };
  REQUIRE(bench.until([&] { return stage() != Stage::under_way; }));
  REQUIRE_FALSE(way.failed);
  return stage();
}

ledger::Record last_decision(const GateBench& bench) {
  ledger::Record found;
  for (const auto& stored : bench.records())
    if (stored.record.type == ledger::Type::decision) found = stored.record;
  return found;
}

}  // namespace

TEST_CASE("a call that a grant covers passes at once, and its record names the grant and the ask's rule") {
  GateBench bench(OnLedger::yes);
  const std::uint64_t grant = granted(bench, "write = [\"b\"]");
  CHECK(comes_to(bench, another_write("/w/b")) == Stage::forwarded);
  const ledger::Record decision = last_decision(bench);
  CHECK(decision.decision == "ALLOW");
  CHECK(decision.detail("grants") == std::to_string(grant));
  CHECK(decision.rules == std::vector<ledger::Rule>{{"write-here", "mission", "ASK"}});
  CHECK(comes_to(bench, another_write("/w/c")) == Stage::held);
}

TEST_CASE("a grant that the operator did not sign lets nothing pass, and is told of") {
  GateBench bench(OnLedger::yes);
  granted(bench, "write = [\"**\"]", base::SigningKey::generate());
  CHECK(comes_to(bench, another_write("/w/b")) == Stage::held);
  CHECK(std::any_of(bench.logged.begin(), bench.logged.end(), [](const std::string& line) {
    return line.find("has no valid signature of the operator") != std::string::npos;
  }));
}

TEST_CASE("a grant that was taken back or has expired lets nothing pass") {
  GateBench bench(OnLedger::yes);
  const std::uint64_t grant = granted(bench, "write = [\"**\"]");
  CHECK(comes_to(bench, another_write("/w/b")) == Stage::forwarded);
  bench.revoke(grant);
  CHECK(comes_to(bench, another_write("/w/c")) == Stage::held);
  granted(bench, "write = [\"**\"]", approvals::samples::key(), 1ns);
  CHECK(comes_to(bench, another_write("/w/d")) == Stage::held);
}

TEST_CASE("a grant taken back between the judgement and its record stops the call") {
  GateBench bench(OnLedger::yes);
  const std::uint64_t grant = granted(bench, "write = [\"**\"]");
  Way way(bench, another_write("/w/b"));
  bench.run(1);  // judged and gathered, and not yet written
  bench.revoke(grant);
  CHECK(way.held());
  CHECK(way.forwarded.empty());
  CHECK(last_decision(bench).decision == "ASK");
}

TEST_CASE("what a grant overtakes is asked no more, whoever of those that waited on it was there last") {
  enum class First { waits, cancelled };
  for (const First first : {First::waits, First::cancelled}) {
    GateBench bench(OnLedger::yes);
    Way owner(bench);
    REQUIRE(owner.held());
    Way joined(bench);
    REQUIRE(joined.held());
    Way other(bench, another_write("/w/b"));
    REQUIRE(other.held());
    REQUIRE(bench.writer->state().asks().size() == 2);
    if (first == First::cancelled) {
      owner.call->flow.cancel();
      owner.call->nudge();
      REQUIRE(owner.ends());
    }
    bench.grant("write = [\"**\"]");
    REQUIRE(bench.until([&] { return !joined.forwarded.empty() && !other.forwarded.empty(); }));
    REQUIRE((owner.over || bench.until([&] { return !owner.forwarded.empty(); })));
    CHECK(owner.forwarded.empty() == (first == First::cancelled));
    CHECK(bench.writer->state().asks().empty());
  }
}

TEST_CASE("an ask that its agent was told to come back to ends when a grant overtakes the repeat") {
  GateBench bench(OnLedger::yes);
  bench.config.client_limits["hasty"] = 1ms;
  bench.gate->set_agent("hasty", "1.0");
  Way first(bench);
  REQUIRE(first.ends());
  bench.gate->set_agent("patient", "1.0");
  Way repeat(bench);
  REQUIRE(repeat.held());
  Way other(bench, another_write("/w/b"));
  REQUIRE(other.held());
  REQUIRE(bench.writer->state().asks().size() == 2);
  bench.grant("write = [\"**\"]");
  REQUIRE(bench.until([&] { return !repeat.forwarded.empty() && !other.forwarded.empty(); }));
  CHECK(bench.writer->state().asks().empty());
}

TEST_CASE("what is asked says what may be granted, and by which rule") {
  GateBench bench(OnLedger::yes);
  Way way(bench);
  REQUIRE(way.held());
  const ledger::Record decision = last_decision(bench);
  CHECK(base::digest_from_hex(decision.detail("same")));
  CHECK(decision.detail("each_time").empty());
  const auto grantable = std::find_if(decision.payloads.begin(), decision.payloads.end(),
                                      [](const auto& each) { return each.slot == "grantable"; });
  CHECK(grantable != decision.payloads.end());
}
