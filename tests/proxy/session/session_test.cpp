// A session between our pipes and a shell script as its server.

#include "proxy/session/session.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <boost/asio/co_spawn.hpp>
#include <chrono>
#include <exception>
#include <optional>

#include "tests/catch.hpp"
#include "tests/proxy/session/router_bench.hpp"

using namespace std::chrono_literals;
using gate_tests::GateBench;
using gate_tests::OnLedger;
using proxy::SessionEnd;
using router_tests::request;

namespace {

struct Pipe {
  base::Descriptor read, write;
  Pipe() {
    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    read = base::Descriptor(ends[0]);
    write = base::Descriptor(ends[1]);
  }
};

class SessionBench {
 public:
  // `grace`: what a server gets that does not end by itself.
  explicit SessionBench(const std::string& script, std::chrono::milliseconds grace = 20s) {
    ::signal(SIGPIPE, SIG_IGN);
    limits_.child_input_grace = limits_.child_term_grace = grace;
    auto server =
        transports::ChildProcess::start({{"/bin/sh", "-c", script}, {{"PATH", "/usr/bin:/bin"}}, ""});
    REQUIRE(server.has_value());
    server_.emplace(std::move(*server));
    router_.emplace(bench_.loop.get_executor(), *bench_.gate, limits_, bench_.log());
    session_.emplace(proxy::SessionParts{bench_.loop, *router_, *server_, limits_, bench_.log(), "shell"},
                     std::move(in_.read), std::move(out_.write));
    boost::asio::co_spawn(bench_.loop, session_->run(), [this](std::exception_ptr failure, SessionEnd how) {
      failed_ = failure != nullptr;
      end_ = how;
    });
    ::fcntl(out_.read.get(), F_SETFL, O_NONBLOCK);
  }

  void write(const std::string& line) {
    const std::string bytes = line + "\n";
    REQUIRE(::write(in_.write.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
  }
  void end_input() { in_.write = base::Descriptor(); }
  // Runs until so much has come to the agent.
  bool has_read(const std::string& part) {
    return bench_.until([&] { return read().find(part) != std::string::npos; });
  }
  SessionEnd end() {
    REQUIRE(bench_.until([this] { return end_.has_value() || failed_; }));
    REQUIRE_FALSE(failed_);
    return *end_;
  }
  // All that the agent was given.
  const std::string& read() {
    char bytes[4096];
    for (ssize_t count; (count = ::read(out_.read.get(), bytes, sizeof bytes)) > 0;)
      received_.append(bytes, static_cast<std::size_t>(count));
    return received_;
  }
  bool logged(const char* part) const {
    for (const std::string& line : bench_.logged)
      if (line.find(part) != std::string::npos) return true;
    return false;
  }

 private:
  GateBench bench_{OnLedger::no};
  transports::Limits limits_;
  Pipe in_, out_;
  std::optional<transports::ChildProcess> server_;
  std::optional<proxy::Router> router_;
  std::optional<proxy::Session> session_;
  std::string received_;
  std::optional<SessionEnd> end_;
  bool failed_ = false;
};

const std::string note = R"({"jsonrpc":"2.0", "method":"notifications/x","params":{"é":"\u00e9"}})";
// Says back the first line that it is given.
constexpr const char* echo = "read -r line; printf '%s\\n' \"$line\"; cat >/dev/null";

}  // namespace

TEST_CASE("lines pass both ways byte for byte, and the end of the agent's input ends the session") {
  SessionBench session(echo);
  session.write(note);
  REQUIRE(session.has_read("\n"));
  session.end_input();
  CHECK(session.end() == SessionEnd::agent_left);
  CHECK(session.read() == note + "\n");
}

TEST_CASE("what the server says after the end of its input is passed on before the session ends") {
  SessionBench session("cat >/dev/null; echo '" + request("\"late\"", "ping") + "'");
  session.end_input();
  CHECK(session.end() == SessionEnd::agent_left);
  CHECK(session.read() == request("\"late\"", "ping") + "\n");
}

TEST_CASE("when the server ends, what waits is answered, and how it ended is said") {
  SessionBench session("read -r line; exit 3");
  session.write(request("1", "ping"));
  CHECK(session.end() == SessionEnd::server_ended);
  CHECK(session.read().find("-31004") != std::string::npos);
  CHECK(session.logged("exit code 3"));
}

TEST_CASE("a server that closes its output behind a request that the agent never answers ends the session") {
  SessionBench session("echo '" + request("1", "roots/list") + "'; exec cat >/dev/null");
  REQUIRE(session.has_read("\n"));
  CHECK(session.end() == SessionEnd::server_ended);
}

TEST_CASE("a server that heeds neither the end of its input nor SIGTERM is killed") {
  SessionBench session("trap '' TERM; echo '" + request("1", "ping") + "'; while :; do sleep 0.1; done",
                       200ms);
  REQUIRE(session.has_read("\n"));  // the trap stands
  session.end_input();
  CHECK(session.end() == SessionEnd::agent_left);
}

TEST_CASE("told to stop, the session ends though the agent's input does not") {
  SessionBench session(echo);
  session.write(note);
  REQUIRE(session.has_read("\n"));  // signals are waited for by now
  REQUIRE(::kill(::getpid(), SIGTERM) == 0);
  CHECK(session.end() == SessionEnd::stopped);
}

TEST_CASE("a last line that was not finished is not passed on") {
  SessionBench session("printf '%s' '" + request("1", "ping") + "'");
  CHECK(session.end() == SessionEnd::server_ended);
  CHECK(session.read().empty());
  CHECK(session.logged("not finished"));
}
