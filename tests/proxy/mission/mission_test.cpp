#include "proxy/mission/mission.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "proxy/setup/open_ledger.hpp"
#include "proxy/setup/surroundings.hpp"
#include "tests/catch.hpp"
#include "tests/proxy/desk.hpp"

TEST_CASE("a process is alive only as itself: pid, start time and boot") {
  const ledger::Process parent = proxy::agent_process();
  CHECK(proxy::alive(parent));
  ledger::Process other = parent;
  other.start += 1;
  CHECK_FALSE(proxy::alive(other));
  other = parent;
  other.boot = std::string(32, 'f');
  CHECK_FALSE(proxy::alive(other));
}

TEST_CASE("a process that ended is not alive, even while nobody has waited for it") {
  int pipe_ends[2];
  REQUIRE(::pipe(pipe_ends) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    char byte;
    ::close(pipe_ends[1]);
    [[maybe_unused]] const auto got = ::read(pipe_ends[0], &byte, 1);
    ::_exit(0);
  }
  ::close(pipe_ends[0]);
  // Its own view: the parent of a grandchild would be needed for agent_process, so the key is made by hand.
  ledger::Process process = proxy::agent_process();
  CHECK(proxy::mission_key(process, "/w") != proxy::mission_key(process, "/v"));
  process.pid = child;
  CHECK_FALSE(proxy::alive(process));  // another start time
  ::close(pipe_ends[1]);
  siginfo_t info{};
  REQUIRE(::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT) == 0);
  process.start = 1;
  CHECK_FALSE(proxy::alive(process));
  ::waitpid(child, nullptr, 0);
}

TEST_CASE("a mission's key is its process and workspace, and no name can make it") {
  const ledger::Process process{1, 2, std::string(32, 'a')};
  CHECK(proxy::mission_key(process, "/w") == proxy::mission_key(process, "/w"));
  CHECK(proxy::named_mission_key("a") != proxy::named_mission_key("b"));
  CHECK(proxy::named_mission_key("a") != proxy::mission_key(process, "a"));
}

TEST_CASE("a mission is known to have outlived its agent before anybody ends it; the operator's has none") {
  const proxy_tests::Desk desk;
  const auto here = proxy::find_surroundings();
  REQUIRE(here.has_value());
  const auto writer = proxy::open_ledger(*here);
  REQUIRE(writer.has_value());
  const auto policy = policy::Policy::load({}, here->workspace, here->home);
  REQUIRE(policy.has_value());
  ledger::Process dead = proxy::agent_process();
  dead.start += 1;
  const auto living = proxy::join_mission(**writer, {proxy::agent_process(), here->workspace, "", &*policy});
  const auto left = proxy::join_mission(**writer, {dead, here->workspace, "", &*policy});
  REQUIRE(living.has_value());
  REQUIRE(left.has_value());
  REQUIRE((*writer)->append_now(proxy::named_mission_start("nightly", here->workspace)).has_value());

  const auto reader = ledger::Reader::open({here->state_folder});
  REQUIRE(reader.has_value());
  const auto fold = (*reader)->state();
  REQUIRE(fold.has_value());
  CHECK_FALSE(*proxy::agent_gone(**reader, *fold->mission(living->mission)));
  CHECK(*proxy::agent_gone(**reader, *fold->mission(left->mission)));
  CHECK_FALSE(*proxy::agent_gone(**reader, *fold->mission("nightly")));

  REQUIRE(proxy::end_missions_without_agent(**writer, {here->state_folder}).has_value());
  CHECK((*writer)->state().mission(left->mission) == nullptr);
  CHECK((*writer)->state().missions().size() == 2);
}

TEST_CASE("a mission and each policy file are recorded with the commit checked out where they lie") {
  const proxy_tests::Desk desk;
  const auto here = proxy::find_surroundings();
  REQUIRE(here.has_value());
  const std::string commit(40, 'a');
  std::filesystem::create_directories(here->workspace + "/.git");
  std::ofstream(here->workspace + "/.git/HEAD") << commit << '\n';
  const auto writer = proxy::open_ledger(*here);
  REQUIRE(writer.has_value());
  const policy::Source mission_file{
      .layer = policy::Layer::mission, .file = here->workspace + "/policy.toml", .bytes = "version = 1\n"};
  const auto policy = policy::Policy::load({mission_file}, here->workspace, here->home);
  REQUIRE(policy.has_value());
  const auto joined = proxy::join_mission(**writer, {proxy::agent_process(), here->workspace, "", &*policy});
  REQUIRE(joined.has_value());
  const auto reader = ledger::Reader::open({here->state_folder});
  REQUIRE(reader.has_value());
  const auto loaded = (*reader)->record(joined->policy.sequence);
  REQUIRE(loaded.has_value());
  CHECK((*loaded)->record.detail("commit-mission") == commit);
  const auto start = (*reader)->record((*writer)->state().mission(joined->mission)->start);
  REQUIRE(start.has_value());
  CHECK((*start)->record.agent->commit == commit);
}
