#pragma once
// Carries one call through CallFlow: judges it, puts it on record, holds it, forwards it, answers for it.

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "approvals/asks.hpp"
#include "approvals/watch.hpp"
#include "ledger/writer.hpp"
#include "policy/path/witness.hpp"
#include "policy/policy.hpp"
#include "proxy/call/call.hpp"
#include "proxy/mission/durable_append.hpp"
#include "proxy/mission/mission_view.hpp"
#include "proxy/setup/config.hpp"
#include "proxy/setup/log.hpp"

namespace proxy {

// What the gate stands on; all of it outlives the gate.
struct GateParts {
  MissionView& mission;
  const policy::Scene& scene;
  const Config& config;
  ledger::Writer* writer;  // null: the ledger cannot be opened, and nothing that is judged passes
  approvals::Watch& watch;
  Log log;
  std::string server;           // its name: --name, else the catalogue's, else the program's
  std::string catalogue_entry;  // what the command line that started it stands for; may be empty
  // Where it may start relative paths besides its own directory; nothing: nowhere, whatever the agent's
  // roots.
  std::optional<std::vector<std::string>> folders;
};

// The two ends of a call, as the session offers them.
struct Ends {
  std::function<bool(const std::string&)> to_requester;  // one line; false: gone
  std::function<bool(const std::string&)> to_peer;
  std::function<bool(const std::string&)> answer;  // to the requester: the answer to its request
};

class CallGate {
 public:
  explicit CallGate(GateParts parts);

  // Ends when the call is over for us; removes nothing from the session's tables.
  boost::asio::awaitable<void> run(std::shared_ptr<Call> call, Ends ends);

  // As the client claimed in `initialize`.
  void set_agent(std::string name, std::string version);
  // From the agent's answer to `roots/list`, before the server has it: a call that was judged without these
  // roots is not forwarded any more. Roots of before stay, since the server may still use them.
  void learn_roots(const transports::Message& answer);

 private:
  struct Passage;  // one call's state between the steps
  struct DetachedAsk {
    approvals::AskAt ask;
    base::Digest call{};  // what a repeat is known by, whatever the policy is then
  };
  boost::asio::awaitable<void> carry(Passage& passage);
  boost::asio::awaitable<Event> carry_out(Action action, Passage& passage);
  Event judge(Passage& passage, bool again);
  std::optional<policy::Call> describe(const transports::Message& message) const;
  // What passed before, as far as it is known: valid until this is asked again.
  const policy::History& before(const Passage& passage);
  bool denied_by_now(Passage& passage);
  bool granted_by_now(Passage& passage);
  bool rewrite(Passage& passage, const policy::Decision& decision);
  policy::Scene seen_by(const policy::Witness& witness) const;
  void take(Passage& passage, const policy::Call& described, policy::Decision decision,
            const policy::Witness& witness);
  void look_for_grants(Passage& passage, const policy::Call& described, const policy::History& before);
  const policy::Policy& policy() const { return parts_.mission.policy(); }
  // Null: the policy counts no earlier calls, or there is no ledger.
  MissionHistory* history() const {
    MissionHistory* history = parts_.mission.history();
    return history != nullptr && history->counts() ? history : nullptr;
  }
  std::size_t folders() const { return parts_.folders ? parts_.folders->size() : 0; }
  boost::asio::awaitable<Event> record_decision(Passage& passage);
  boost::asio::awaitable<void> place_ask(Passage& passage, ledger::Append& records);
  boost::asio::awaitable<Event> record_release(Passage& passage);
  boost::asio::awaitable<Event> close_ask(Passage& passage, ledger::Append record);
  boost::asio::awaitable<void> leave_ask(Passage& passage);
  void remember_detached(const Passage& passage);
  boost::asio::awaitable<void> close_superseded(const Passage& passage);
  boost::asio::awaitable<Event> hold(Passage& passage);
  boost::asio::awaitable<approvals::Resolution> wait_for_answer(Passage& passage);
  boost::asio::awaitable<Event> forward(Passage& passage);
  void record_outcome(const Passage& passage, Ending ending);
  Event refuse(Passage& passage);
  void deny_unattended(Passage& passage);
  policy::Call place_of_calls() const;
  // ask_answer.cpp
  CheckedAnswer check_arrived(const Passage& passage) const;
  boost::asio::awaitable<Event> ask_answer(Passage& passage);
  Event judge_answer(Passage& passage, bool again);
  Event pass_answer_on(Passage& passage);
  Event withhold_answer(Passage& passage);
  std::chrono::milliseconds client_limit(const Passage& passage) const;
  boost::asio::awaitable<Event> append(ledger::Append records, ledger::Written& written);

  GateParts parts_;
  DurableAppend appends_;
  ledger::Agent agent_;
  std::string agent_key_;  // of its process
  std::size_t folders_at_start_ = 0;
  std::uint64_t calls_ = 0;
  std::map<std::uint64_t, int> waiting_;           // ask → calls of ours that wait on it
  std::set<std::uint64_t> ownerless_;              // asks whose own call has left while others wait
  std::map<std::uint64_t, DetachedAsk> detached_;  // of ours, by number
};

}  // namespace proxy
