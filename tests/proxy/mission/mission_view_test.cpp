#include "proxy/mission/mission_view.hpp"

#include <memory>
#include <utility>

#include "proxy/setup/load_policy.hpp"
#include "proxy/setup/open_ledger.hpp"
#include "proxy/setup/trust.hpp"
#include "tests/catch.hpp"
#include "tests/proxy/desk.hpp"

namespace {

const std::string rated = "version = 1\n[[allow]]\nid = \"few\"\nread = [\"**\"]\nrate = \"2/h\"\n";
const std::string narrower = rated + "[[deny]]\nid = \"no-b\"\nwrite = [\"b\"]\n";
const std::string uncounted = "version = 1\n[[deny]]\nid = \"no-b\"\nwrite = [\"b\"]\n";

struct Bench {
  explicit Bench(const std::string& text) : here(proxy::find_surroundings().value()) {
    desk.file("config/callgate/policy.toml", text);
    writer = proxy::open_ledger(here).value();
    policy::Policy policy = proxy::load_policy(here, "", proxy::trusted_on_record(here)).value();
    proxy::Joined joined =
        proxy::join_mission(*writer, {proxy::agent_process(), here.workspace, "", &policy}).value();
    view = std::make_unique<proxy::MissionView>(proxy::MissionParts{.here = here,
                                                                    .policy_file = "",
                                                                    .policy = std::move(policy),
                                                                    .joined = std::move(joined),
                                                                    .agent = proxy::agent_process(),
                                                                    .writer = writer.get(),
                                                                    .log = [](std::string_view) {}});
  }
  void policy(const std::string& text) const {
    desk.file("config/callgate/next.toml", text);
    std::filesystem::rename(desk.path("config/callgate/next.toml"), desk.path("config/callgate/policy.toml"));
  }
  std::size_t count(const std::string& tally) const {
    return view->history()->before(9, [](std::string_view) {}).count(tally, std::nullopt);
  }

  proxy_tests::Desk desk;
  proxy::Surroundings here;
  std::unique_ptr<ledger::Writer> writer;
  std::unique_ptr<proxy::MissionView> view;
};

}  // namespace

TEST_CASE("a call whose record is still to be written uses up a rate though the policy changes meanwhile") {
  Bench bench(rated);
  const std::string few = bench.view->policy().tallies().front().id;
  policy::Decision allowed;
  allowed.tier = policy::Tier::allow;
  allowed.tallies = {few};
  CHECK(bench.count(few) == 0);
  bench.view->history()->judged(1, allowed, false);
  const base::Digest before = bench.view->policy().digest();
  bench.policy(narrower);
  bench.view->refresh();
  REQUIRE(bench.view->policy().digest() != before);
  REQUIRE(bench.view->policy().tallies().front().id == few);
  CHECK(bench.count(few) == 1);
}

TEST_CASE("nothing is counted any more where the policy that is taken up counts nothing") {
  Bench bench(rated);
  CHECK(bench.view->history()->counts());
  bench.policy(uncounted);
  bench.view->refresh();
  CHECK_FALSE(bench.view->history()->counts());
}
