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

bool passes(GateBench& bench, const std::string& request) {
  Way way(bench, request);
  bench.until([&] { return way.over || !way.forwarded.empty() || way.call->interrupt != nullptr; });
  return !way.forwarded.empty();
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
  CHECK(passes(bench, another_write("/w/b")));
  const ledger::Record decision = last_decision(bench);
  CHECK(decision.decision == "ALLOW");
  CHECK(decision.detail("grants") == std::to_string(grant));
  CHECK(decision.rules == std::vector<ledger::Rule>{{"write-here", "mission", "ASK"}});
  CHECK_FALSE(passes(bench, another_write("/w/c")));
}

TEST_CASE("a grant that the operator did not sign lets nothing pass, and is told of") {
  GateBench bench(OnLedger::yes);
  granted(bench, "write = [\"**\"]", base::SigningKey::generate());
  CHECK_FALSE(passes(bench, another_write("/w/b")));
  CHECK(std::any_of(bench.logged.begin(), bench.logged.end(), [](const std::string& line) {
    return line.find("has no valid signature of the operator") != std::string::npos;
  }));
}

TEST_CASE("a grant that was taken back or has expired lets nothing pass") {
  GateBench bench(OnLedger::yes);
  const std::uint64_t grant = granted(bench, "write = [\"**\"]");
  CHECK(passes(bench, another_write("/w/b")));
  bench.revoke(grant);
  CHECK_FALSE(passes(bench, another_write("/w/c")));
  granted(bench, "write = [\"**\"]", approvals::samples::key(), 1ns);
  CHECK_FALSE(passes(bench, another_write("/w/d")));
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
