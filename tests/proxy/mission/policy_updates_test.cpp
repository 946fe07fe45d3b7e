#include "proxy/mission/policy_updates.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "approvals/operator_key.hpp"
#include "approvals/trust.hpp"
#include "policy/load/layers.hpp"
#include "proxy/mission/acceptance.hpp"
#include "proxy/setup/load_policy.hpp"
#include "proxy/setup/open_ledger.hpp"
#include "proxy/setup/trust.hpp"
#include "tests/catch.hpp"
#include "tests/policy/scenes.hpp"
#include "tests/proxy/desk.hpp"

namespace {

const std::string some = "version = 1\n[[allow]]\nid = \"a\"\nread = [\"pub/**\"]\n";
const std::string less = "version = 1\n[[allow]]\nid = \"a\"\nread = [\"pub/a/**\"]\n";
const std::string more = some + "[[allow]]\nid = \"b\"\nread = [\"private/**\"]\n";

// One workspace with a user's file and a repository's, and the operator's words for them.
class Office {
 public:
  Office() : here(proxy::find_surroundings().value()), writer(proxy::open_ledger(here).value()) {}

  // Another file each time, as editors write.
  void put(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    std::ofstream(file + "~") << text;
    std::filesystem::rename(file + "~", file);
  }
  void user(const std::string& text) const { put(here.config_folder + "/policy.toml", text); }
  void repository(const std::string& text) const { put(policy::repository_file(here.workspace), text); }

  policy::Policy loaded() const {
    return proxy::load_policy(here, "", proxy::trusted_on_record(here)).value();
  }
  void accept() const {
    for (const proxy::PolicyPart& part : proxy::parts_of(loaded(), here.workspace))
      say(part.place, part.statement);
  }
  void trust(const std::string& text) const { say(proxy::workspace_digest(here.workspace), text); }
  void say(const base::Digest& place, const std::string& bytes) const {
    const auto key = approvals::load_key(here.state_folder);
    REQUIRE(writer->append_now(approvals::make_trust(writer->ledger_id(), place, bytes, *key)).has_value());
  }

  proxy_tests::Desk desk;
  proxy::Surroundings here;
  std::unique_ptr<ledger::Writer> writer;
};

class Session {
 public:
  explicit Session(const Office& office)
      : here_(office.here),
        writer_(proxy::open_ledger(here_).value()),
        policy_(office.loaded()),
        run_(proxy::join_mission(*writer_, {proxy::agent_process(), here_.workspace, "", &policy_}).value()),
        updates_(here_, "", policy_, run_, *writer_,
                 [this](std::string_view line) { said.append(line).append("\n"); }) {}

  bool reads(const std::string& path) {
    updates_.look();
    const policy::DescribedFiles files;
    policy::Scene scene = proxy::scene_of(here_, files);
    const policy::Call call =
        policy_tests::call("read_file", base::json::Value{{"path", here_.workspace + "/" + path}}.dump());
    return policy_.judge(call, scene).tier == policy::Tier::allow;
  }

  std::string said;

 private:
  const proxy::Surroundings& here_;
  std::unique_ptr<ledger::Writer> writer_;
  policy::Policy policy_;
  proxy::Joined run_;
  proxy::PolicyUpdates updates_;
};

}  // namespace

TEST_CASE("what narrows holds at once, also inside a rule; what lets more pass waits until it is accepted") {
  Office office;
  office.user(some);
  Session session(office);
  CHECK(session.reads("pub/x"));
  office.user(less);
  CHECK_FALSE(session.reads("pub/x"));
  CHECK(session.reads("pub/a/x"));
  office.user(some);
  CHECK_FALSE(session.reads("pub/x"));
  CHECK(session.said.find("until the operator accepts that") != std::string::npos);
  office.accept();
  CHECK(session.reads("pub/x"));
}

TEST_CASE(
    "what was accepted stands for these files only, and ends for all sessions where one goes on from it") {
  Office office;
  office.user(some);
  Session busy(office);
  Session idle(office);
  CHECK(idle.reads("pub/x"));
  office.user(more);
  CHECK_FALSE(busy.reads("private/x"));
  office.accept();
  office.user(more + "[[allow]]\nid = \"c\"\nread = [\"other/**\"]\n");
  CHECK_FALSE(busy.reads("private/x"));
  office.user(more);
  CHECK(busy.reads("private/x"));
  office.user(some);
  CHECK_FALSE(busy.reads("private/x"));
  office.user(more);
  CHECK_FALSE(busy.reads("private/x"));
  CHECK_FALSE(idle.reads("private/x"));
  office.accept();
  office.user(more + "# anew\n");
  office.user(more);
  CHECK(idle.reads("private/x"));
}

TEST_CASE("a word for the files that sessions share is none for a file of `--policy`") {
  Office office;
  office.user(some);
  const policy::Policy shared = office.loaded();
  office.put(office.here.workspace + "/m.toml", less);
  const policy::Policy own =
      proxy::load_policy(office.here, "m.toml", proxy::trusted_on_record(office.here)).value();
  const auto parts = proxy::parts_of(own, office.here.workspace);
  REQUIRE(parts.size() == 2);
  CHECK(parts.front().place == proxy::parts_of(shared, office.here.workspace).front().place);
  CHECK(parts.front().statement == proxy::parts_of(shared, office.here.workspace).front().statement);
  CHECK(parts.back().place != parts.front().place);
  CHECK(parts.back().statement.starts_with("mission "));
}

TEST_CASE(
    "a repository's file counts as it is trusted, stays so where it only narrows, and not once it was left") {
  Office office;
  office.repository(some);
  office.trust(some);
  Session session(office);
  CHECK(session.reads("pub/x"));
  office.repository(less);
  CHECK_FALSE(session.reads("pub/x"));
  CHECK(session.reads("pub/a/x"));
  CHECK_FALSE(proxy::trusted_digest(office.here).value().has_value());
  office.repository(some);
  CHECK_FALSE(session.reads("pub/x"));
  office.trust(some);
  office.repository(some);
  CHECK(session.reads("pub/x"));
}

TEST_CASE("a file that cannot be read denies everything, until it can") {
  Office office;
  office.user(some);
  Session session(office);
  office.user("[[");
  CHECK_FALSE(session.reads("pub/x"));
  office.user(some);
  CHECK(session.reads("pub/x"));
}
