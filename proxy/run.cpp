#include "proxy/run.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "approvals/watch.hpp"
#include "ledger/writer.hpp"
#include "policy/catalogue/catalogue.hpp"
#include "policy/path/file_system.hpp"
#include "policy/policy.hpp"
#include "proxy/anchors/publisher.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/base/text.hpp"
#include "proxy/call/gate.hpp"
#include "proxy/mission/mission.hpp"
#include "proxy/mission/mission_view.hpp"
#include "proxy/recorded/scene.hpp"
#include "proxy/session/environment.hpp"
#include "proxy/session/router.hpp"
#include "proxy/session/session.hpp"
#include "proxy/setup/config.hpp"
#include "proxy/setup/folders.hpp"
#include "proxy/setup/git_commit.hpp"
#include "proxy/setup/load_policy.hpp"
#include "proxy/setup/log.hpp"
#include "proxy/setup/open_ledger.hpp"
#include "proxy/setup/server_name.hpp"
#include "proxy/setup/surroundings.hpp"
#include "proxy/setup/trust.hpp"
#include "transports/child_process.hpp"
#include "transports/limits.hpp"
#include "transports/stdio.hpp"

namespace proxy {
namespace {

policy::Policy policy_or_deny_all(const Surroundings& here, const std::string& mission,
                                  const policy::Trusted& trusted) {
  auto policy = load_policy(here, mission, trusted);
  if (policy) return std::move(*policy);
  log_line("every call is denied, since there is no policy to judge by: " + policy.error().text());
  return denying_policy(here, policy.error().text());
}

ledger::Draft session_record(ledger::Type type, const std::string& mission, const std::string& server) {
  ledger::Draft draft;
  draft.record.type = type;
  draft.record.mission = mission;
  draft.record.server = server;
  return draft;
}

// A stream that we were not given is an empty one.
base::Descriptor standard(int number) {
  auto copy = transports::duplicate(number);
  return copy ? std::move(*copy) : base::Descriptor(::open("/dev/null", O_RDWR | O_CLOEXEC));
}

// All that stands while one session runs; destroyed in reverse order.
class Run {
 public:
  Run(const RunOptions& options, Surroundings here, Config config, policy::ServerIdentity identity)
      : options_(options),
        here_(std::move(here)),
        config_(std::move(config)),
        identity_(std::move(identity)) {}

  int carry_out() {
    const ServerEnvironment environment = server_environment(own_environment(), named_variables());
    for (const std::string& name : environment.missing)
      log_line("the server does not get " + base::quoted(name) + ": no such variable is set here");
    auto server = transports::ChildProcess::start({options_.command, environment.variables, ""});
    if (!server) {
      log_line("the server cannot be started: " + server.error().text());
      return server.error().code() == base::Code::not_found ? 2 : 1;
    }
    open(environment.secrets);
    policy::Policy policy = policy_or_deny_all(here_, options_.policy, trusted());
    if (writer_)
      if (const std::string notice = trust_notice(here_, policy.sources()); !notice.empty()) log_line(notice);
    if (!join(policy)) return 2;
    const SessionEnd end = converse(*server, std::move(policy));
    close();
    return end == SessionEnd::server_ended ? 1 : 0;
  }

 private:
  // Without a ledger that we can write, nothing is.
  policy::Trusted trusted() const {
    if (writer_) return trusted_on_record(here_);
    return [](const base::Digest&) { return false; };
  }

  std::vector<std::string> named_variables() const {
    std::vector<std::string> named = options_.environment;
    if (const auto server = config_.servers.find(identity_.name); server != config_.servers.end())
      named.insert(named.end(), server->second.environment.begin(), server->second.environment.end());
    return named;
  }

  // Without a ledger the session lives: what needs no decision passes, what is judged is answered with an
  // error.
  void open(const std::vector<std::string>& secrets) {
    start_publisher();
    auto writer = open_ledger(here_, config_.durability, secrets, [this](const std::string& note) {
      if (publisher_) publisher_->offer(note);
    });
    if (!writer)
      return log_line("no call can be decided, since the ledger cannot be opened: " + writer.error().text());
    writer_ = std::move(*writer);
    // Before the first call: an answer to an ask of a dead holder must not be taken up by us.
    if (const auto closed = writer_->close_dead_writers(); !closed)
      log_line("what dead writers left could not be closed: " + closed.error().text());
  }

  void start_publisher() {
    std::vector<std::unique_ptr<anchors::Anchor>> all;
    for (const AnchorConfig& each : config_.anchors) all.push_back(anchors::make_anchor(each));
    if (all.empty()) return;
    publisher_.emplace(std::move(all), [](const anchors::Anchor& anchor, const base::Error* error) {
      log_line("anchor " + base::quoted(anchor.name()) +
               (error == nullptr ? " is reached again"
                                 : " keeps no checkpoints now, and goes on being tried: " + error->text()));
    });
  }

  bool join(const policy::Policy& policy) {
    if (!writer_) return true;
    agent_ = agent_process();
    const auto mission = join_mission(*writer_, {agent_, here_.workspace, options_.mission, &policy});
    if (mission) {
      run_ = *mission;
      return true;
    }
    log_line("the mission cannot be joined: " + mission.error().text());
    if (mission.error().code() == base::Code::refused) return false;
    writer_.reset();
    return true;
  }

  void record_handshake(const Handshake& said) {
    if (!writer_) return;
    ledger::Append append;
    append.drafts.push_back(session_record(ledger::Type::session_start, run_.mission, identity_.name));
    ledger::Record& record = append.drafts.front().record;
    record.agent = ledger::Agent{said.client_name, said.client_version, said.protocol, agent_,
                                 checked_out_commit(here_.workspace)};
    record.details = {{"server_name", said.server_name}, {"server_version", said.server_version}};
    if (identity_.entry != nullptr) record.details["catalogue"] = identity_.entry->name;
    const policy::FileSystem links;
    const auto folders = folders_of_server(identity_, scene_of(here_, links));
    append.drafts.front().payloads.push_back(
        {"scene", scene_payload({here_.workspace, here_.directory,
                                 folders.value_or(std::vector<std::string>()), here_.home, here_.user})});
    writer_->append_later(std::move(append), [](const base::Result<ledger::Written>& result) {
      if (!result) log_line("the session could not be recorded: " + result.error().text());
    });
  }

  SessionEnd converse(transports::ChildProcess& server, policy::Policy policy) {
    const policy::FileSystem links;
    const policy::Scene scene = scene_of(here_, links);
    approvals::Watch watch(loop_.get_executor(), {here_.state_folder}, log_line);
    MissionView mission({.here = here_,
                         .policy_file = options_.policy,
                         .policy = std::move(policy),
                         .joined = run_,
                         .agent = agent_,
                         .writer = writer_.get(),
                         .log = log_line});
    CallGate gate({.mission = mission,
                   .scene = scene,
                   .config = config_,
                   .writer = writer_.get(),
                   .watch = watch,
                   .log = log_line,
                   .server = identity_.name,
                   .catalogue_entry = identity_.entry == nullptr ? "" : identity_.entry->name,
                   .folders = folders_of_server(identity_, scene)});
    Router router(loop_.get_executor(), gate, limits_, log_line);
    router.on_initialized = [this](const Handshake& said) { record_handshake(said); };
    Session session({loop_, router, server, limits_, log_line, identity_.name}, standard(STDIN_FILENO),
                    standard(STDOUT_FILENO));
    std::optional<SessionEnd> end;
    boost::asio::co_spawn(loop_, session.run(), [&end](std::exception_ptr failure, SessionEnd how) {
      if (failure) std::rethrow_exception(failure);
      end = how;
    });
    loop_.run();
    return end.value_or(SessionEnd::server_ended);
  }

  void close() {
    if (!writer_) return;
    ledger::Append append;
    append.drafts.push_back(session_record(ledger::Type::session_end, run_.mission, identity_.name));
    if (const auto written = writer_->append_now(std::move(append)); !written)
      log_line("the end of the session could not be recorded: " + written.error().text());
    if (const auto ended = end_missions_without_agent(*writer_, {here_.state_folder}); !ended)
      log_line("missions could not be looked after: " + ended.error().text());
  }

  const RunOptions& options_;
  Surroundings here_;
  Config config_;
  policy::ServerIdentity identity_;
  transports::Limits limits_;
  boost::asio::io_context loop_{1};              // outlives the writer, which may still answer to it
  std::optional<anchors::Publisher> publisher_;  // outlives the writer, which signs a last head
  std::unique_ptr<ledger::Writer> writer_;
  ledger::Process agent_;
  Joined run_;
};

// Large answers come and go. As glibc starts out, it gives their memory back to the kernel each time, and has
// it filled with zeros again.
void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kept_bytes = 32 << 20;
  ::mallopt(M_TRIM_THRESHOLD, kept_bytes);
  ::mallopt(M_MMAP_THRESHOLD, kept_bytes);
#endif
}

}  // namespace

base::Result<int> run(const RunOptions& options) {
  policy::ServerIdentity identity = policy::identify(options.command, options.name);
  if (!good_server_name(identity.name))
    return base::Error(
        base::Code::invalid,
        base::quoted(identity.name) +
            " cannot be a server's name: it is written in SERVER/TOOL, and holds no `/`, no blank "
            "and nothing that is not shown; `--name` gives it another");
  keep_freed_memory();
  const auto here = find_workspace(options.workspace);
  if (!here) return here.error();
  if (!options.policy.empty())
    if (const auto may = may_bring_policy(layer_places(*here)); !may) return may.error();
  auto config = load_config(here->config_folder + "/callgate.toml");
  if (!config) return config.error();
  for (const std::string& key : config->inert)
    log_line("callgate.toml: `" + key + "` has no effect in this version");
  return Run(options, *here, std::move(*config), std::move(identity)).carry_out();
}

}  // namespace proxy
