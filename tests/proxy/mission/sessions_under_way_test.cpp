#include "proxy/mission/sessions_under_way.hpp"

#include <filesystem>
#include <fstream>
#include <memory>

#include "approvals/operator_key.hpp"
#include "approvals/trust.hpp"
#include "ledger/record.hpp"
#include "policy/load/layers.hpp"
#include "proxy/mission/mission.hpp"
#include "proxy/setup/load_policy.hpp"
#include "proxy/setup/open_ledger.hpp"
#include "proxy/setup/trust.hpp"
#include "tests/catch.hpp"
#include "tests/proxy/desk.hpp"

namespace {

const std::string wide = "version = 1\n[[allow]]\nid = \"a\"\nread = [\"pub/**\"]\n";
const std::string narrow = "version = 1\n[[allow]]\nid = \"a\"\nread = [\"pub/a/**\"]\n";
const std::string wider = wide + "[[allow]]\nid = \"b\"\nread = [\"private/**\"]\n";

// A workspace whose repository's file is trusted, and one session that began under it.
class Office {
 public:
  Office() : here(proxy::find_surroundings().value()), writer(proxy::open_ledger(here).value()) {
    std::filesystem::create_directories(here.workspace + "/.callgate");
    put(wide);
    const auto key = approvals::load_key(here.state_folder).value();
    writer
        ->append_now(
            approvals::make_trust(writer->ledger_id(), proxy::workspace_digest(here.workspace), wide, key))
        .value();
    const policy::Policy policy = at_start();
    run = proxy::join_mission(*writer, {proxy::agent_process(), here.workspace, "", &policy}).value();
  }
  void put(const std::string& text) const { std::ofstream(policy::repository_file(here.workspace)) << text; }
  policy::Policy at_start() const {
    return proxy::load_policy(here, "", proxy::trusted_on_record(here)).value();
  }
  std::optional<proxy::SessionsUnderWay> found(const std::string& file = {}) const {
    return proxy::sessions_under_way(here, file, at_start()).value();
  }

  proxy_tests::Desk desk;
  proxy::Surroundings here;
  std::unique_ptr<ledger::Writer> writer;
  proxy::Joined run;
};

bool trusts(const policy::Policy& policy) {
  for (const policy::Source& source : policy.sources())
    if (source.layer == policy::Layer::repository) return source.trusted;
  return false;
}

}  // namespace

TEST_CASE("a session that judges as one would that starts now is nothing to tell of") {
  const Office office;
  CHECK_FALSE(office.found());
}

TEST_CASE("what only narrows a trusted file is trusted under way, and not at a start") {
  const Office office;
  office.put(narrow);
  CHECK_FALSE(trusts(office.at_start()));
  const auto found = office.found();
  REQUIRE(found);
  CHECK(trusts(found->policy));
  CHECK(found->waits_for.empty());
  CHECK(proxy::notice_of(office.here, *found, office.at_start()).find("callgate policy trust") !=
        std::string::npos);
}

TEST_CASE("what lets more pass waits under way, for the word that is missing") {
  const Office office;
  office.put(wider);
  auto found = office.found();
  REQUIRE(found);
  CHECK(found->waits_for == "callgate policy trust");
  CHECK(found->policy.sources().back().bytes == wide);
  office.put(wide);
  office.desk.file("config/callgate/policy.toml", wider);
  found = office.found();
  REQUIRE(found);
  CHECK(found->waits_for == "callgate policy accept");
}

TEST_CASE("a session with another policy file of its own, or that has ended, is none of them") {
  const Office office;
  office.put(narrow);
  office.desk.file("own.toml", narrow);
  CHECK_FALSE(
      proxy::sessions_under_way(office.here, office.desk.path("own.toml"), office.at_start()).value());
  ledger::Append append;
  append.drafts.emplace_back();
  append.drafts.front().record.type = ledger::Type::session_end;
  append.drafts.front().record.mission = office.run.mission;
  office.writer->append_now(std::move(append)).value();
  CHECK_FALSE(office.found());
}
