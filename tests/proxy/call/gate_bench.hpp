#pragma once
// A CallGate and all that it stands on, without a ledger or on a scratch one, and an event loop to run it by.

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "approvals/answer.hpp"
#include "approvals/grant.hpp"
#include "approvals/operator_key.hpp"
#include "approvals/watch.hpp"
#include "policy/path/file_system.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/call/gate.hpp"
#include "proxy/mission/grant_offer.hpp"
#include "proxy/mission/mission.hpp"
#include "proxy/mission/mission_view.hpp"
#include "proxy/setup/config.hpp"
#include "proxy/setup/log.hpp"
#include "proxy/setup/surroundings.hpp"
#include "tests/approvals/samples.hpp"
#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"
#include "tests/policy/scenes.hpp"

namespace gate_tests {

// Reading is allowed, writing asked, all else denied.
inline constexpr const char* rules = R"(
[[allow]]
id = "read-here"
read = ["**"]
[[allow]]
id = "model"
server = "files"
method = "sampling/createMessage"
[[ask]]
id = "write-here"
write = ["**"]
)";

enum class OnLedger { no, yes };

class GateBench {
 public:
  explicit GateBench(OnLedger on_ledger, const std::string& more_rules = "")
      : here_{.home = "/home/dev",
              .user = "dev",
              .directory = "/w",
              .workspace = "/w",
              .config_folder = folder_ / "config",
              .state_folder = folder_.place().folder},
        guard_(boost::asio::make_work_guard(loop)),
        scene_(policy_tests::scene(links_)) {
    policy::Policy policy = policy_tests::load(std::string(rules) + more_rules);
    proxy::Joined joined;
    if (on_ledger == OnLedger::yes) {
      auto options = scratch::options();
      options.operator_key = [] {
        return base::Result<std::string>(approvals::public_text(approvals::samples::key()));
      };
      writer = ledger::Writer::open(folder_.place(), options).value();
      joined = proxy::join_mission(*writer, {proxy::agent_process(), "/w", "", &policy}).value();
    }
    watch_ = std::make_unique<approvals::Watch>(loop.get_executor(), folder_.place(), log());
    mission_ = std::make_unique<proxy::MissionView>(proxy::MissionParts{.here = here_,
                                                                        .policy_file = std::nullopt,
                                                                        .policy = std::move(policy),
                                                                        .joined = std::move(joined),
                                                                        .agent = proxy::agent_process(),
                                                                        .writer = writer.get(),
                                                                        .log = log()});
    gate = std::make_unique<proxy::CallGate>(proxy::GateParts{.mission = *mission_,
                                                              .scene = scene_,
                                                              .config = config,
                                                              .writer = writer.get(),
                                                              .watch = *watch_,
                                                              .log = log(),
                                                              .server = "files",
                                                              .catalogue_entry = "files",
                                                              .folders = {}});
  }
  GateBench(const GateBench&) = delete;
  GateBench& operator=(const GateBench&) = delete;

  // Kept in `logged`.
  proxy::Log log() {
    return [this](std::string_view text) { logged.emplace_back(text); };
  }
  // Runs until the condition holds; false: it never came.
  bool until(const std::function<bool()>& met) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (!met()) {
      if (std::chrono::steady_clock::now() > give_up) return false;
      loop.run_one_for(std::chrono::milliseconds(100));
    }
    return true;
  }
  // That many steps of the event loop.
  void run(int steps) {
    for (int i = 0; i < steps; ++i) loop.run_one_for(std::chrono::milliseconds(5));
  }
  // Until it has ended; false: it never did.
  bool awaits(boost::asio::awaitable<void> what) {
    const auto done = std::make_shared<bool>(false);
    boost::asio::co_spawn(loop, std::move(what), [done](std::exception_ptr) { *done = true; });
    return until([done] { return *done; });
  }
  // The operator answers the one ask that stands.
  void decide(approvals::Verdict verdict, const std::string& reason = "") {
    const ledger::Fold fold = writer->state();
    REQUIRE(fold.asks().size() == 1);
    const auto reader = ledger::Reader::open(folder_.place()).value();
    const auto decision = reader->record(fold.asks().begin()->first).value();
    REQUIRE(decision.has_value());
    writer
        ->append_now(approvals::make_answer(decision->record, decision->leaf, verdict, reason,
                                            base::wall_now(), approvals::samples::key(),
                                            std::string(16, 'n')))
        .value();
  }
  // The newest ask is allowed, and beside it something is granted; the grant's number.
  std::uint64_t grant(const std::string& keys, const base::SigningKey& by = approvals::samples::key(),
                      std::chrono::nanoseconds lasts = std::chrono::hours(1)) {
    const ledger::Fold fold = writer->state();
    REQUIRE_FALSE(fold.asks().empty());
    const auto reader = ledger::Reader::open(folder_.place()).value();
    const auto decision = reader->record(fold.asks().rbegin()->first).value();
    REQUIRE(decision.has_value());
    ledger::Append append =
        approvals::make_answer(decision->record, decision->leaf, approvals::Verdict::allow, "",
                               base::wall_now(), approvals::samples::key(), std::string(16, 'n'));
    append.drafts.push_back(approvals::make_grant(*decision,
                                                  {.scope = approvals::GrantScope::rule,
                                                   .rule = proxy::rule_head("files") + keys + "\n",
                                                   .same = std::nullopt,
                                                   .until = base::wall_now() + lasts,
                                                   .rationale = ""},
                                                  by, std::string(16, 'n')));
    return writer->append_now(std::move(append)).value().records.back().sequence;
  }
  // From another process, as it were: what this one has gathered comes after it.
  void revoke(std::uint64_t grant) {
    const auto reader = ledger::Reader::open(folder_.place()).value();
    ledger::Writer::open(folder_.place(), scratch::options())
        .value()
        ->append_now(approvals::make_revocation(*reader->record(grant).value(), "", approvals::samples::key(),
                                                std::string(16, 'n')))
        .value();
  }
  // Outcomes on record, in order.
  std::vector<std::string> outcomes() const {
    std::vector<std::string> found;
    for (const auto& stored : records())
      if (stored.record.outcome) found.push_back(stored.record.outcome->status);
    return found;
  }
  ledger::Place place() const { return folder_.place(); }
  std::vector<ledger::StoredRecord> records() const { return scratch::all_records(folder_.place()); }

 private:
  scratch::Folder folder_;
  proxy::Surroundings here_;

 public:
  boost::asio::io_context loop{1};
  proxy::Config config;  // may be changed before the first call
  std::vector<std::string> logged;
  std::unique_ptr<ledger::Writer> writer;  // null: without a ledger

 private:
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard_;
  policy::FileSystem links_;
  policy::Scene scene_;
  std::unique_ptr<approvals::Watch> watch_;
  std::unique_ptr<proxy::MissionView> mission_;

 public:
  std::unique_ptr<proxy::CallGate> gate;
};

}  // namespace gate_tests
