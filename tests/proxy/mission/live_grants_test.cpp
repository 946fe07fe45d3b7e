#include "proxy/mission/live_grants.hpp"

#include "tests/catch.hpp"
#include "tests/proxy/call/way.hpp"

using namespace std::chrono_literals;
using gate_tests::GateBench;
using gate_tests::OnLedger;
using gate_tests::Way;

namespace {

// A grant that was given at an ask, and what LiveGrants makes of it.
struct Given {
  explicit Given(const base::SigningKey& by = approvals::samples::key(),
                 std::chrono::nanoseconds lasts = std::chrono::hours(1))
      : bench(OnLedger::yes) {
    Way asked(bench);
    REQUIRE(asked.held());
    number = bench.grant("write = [\"b\"]", by, lasts);
    bench.until([&] { return !asked.forwarded.empty(); });
  }
  std::vector<std::uint64_t> standing(std::optional<ledger::Process> agent = std::nullopt,
                                      const std::string& of = "") {
    const std::string mission = of.empty() ? bench.writer->state().missions().begin()->first : of;
    proxy::LiveGrants grants(bench.place(), mission, std::move(agent), {"/w", "/home/dev"});
    std::vector<std::uint64_t> numbers;
    for (const auto& each : grants.standing({}, {}, [&](std::string_view line) { said = line; }))
      numbers.push_back(each.id);
    return numbers;
  }
  GateBench bench;
  std::uint64_t number = 0;
  std::string said;
};

}  // namespace

TEST_CASE("a grant stands in its mission, for the agent that asked, until it is taken back") {
  Given given;
  CHECK(given.standing() == std::vector{given.number});
  CHECK(given.standing(proxy::agent_process()) == std::vector{given.number});
  ledger::Process other = proxy::agent_process();
  other.start += 1;
  CHECK(given.standing(other).empty());
  CHECK(given.standing(std::nullopt, "another").empty());
  given.bench.revoke(given.number);
  CHECK(given.standing().empty());
}

TEST_CASE("a grant whose time has passed does not stand") {
  Given given(approvals::samples::key(), 1ns);
  CHECK(given.standing().empty());
}

TEST_CASE("a grant that the operator did not sign does not stand, and is told of") {
  Given given(base::SigningKey::generate());
  CHECK(given.standing().empty());
  CHECK(given.said.find("no valid signature") != std::string::npos);
}
