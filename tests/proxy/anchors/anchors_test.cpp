#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "ledger/checkpoint.hpp"
#include "proxy/anchors/anchor.hpp"
#include "proxy/anchors/program.hpp"
#include "proxy/anchors/publisher.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/hmac.hpp"
#include "proxy/base/text.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

namespace anchors = proxy::anchors;
using proxy::AnchorConfig;

namespace {

const base::SigningKey key = base::SigningKey::from_seed(std::string(32, 's')).value();

std::string note_of(std::uint64_t size) {
  return ledger::sign({std::string(32, 'a'), size, base::sha256(std::to_string(size))}, key);
}

std::unique_ptr<anchors::Anchor> make(AnchorConfig::Kind kind, const std::string& place,
                                      const std::string& remote = {}, const std::string& secret_file = {}) {
  return anchors::make_anchor({kind, place, "refs/callgate/ledger", remote, secret_file});
}

void git(const std::string& words) {
  const std::string line = "git " + words + " >/dev/null 2>&1";
  REQUIRE(std::system(line.c_str()) == 0);
}

// Answers each request with 200 and the bodies that were posted so far.
class HttpServer {
 public:
  HttpServer() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    if (::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        ::listen(socket_.get(), 8) != 0)
      throw std::runtime_error("cannot listen");
    ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve(); });
  }
  ~HttpServer() {
    ::shutdown(socket_.get(), SHUT_RDWR);
    thread_.join();
  }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/notes"; }
  std::string head() {
    const std::lock_guard lock(mutex_);
    return head_;
  }

 private:
  void serve() {
    for (;;) {
      const base::Descriptor peer(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
      if (!peer) return;
      std::string request;
      std::array<char, 4096> bytes{};
      std::size_t wanted = std::string::npos;
      while (request.size() < wanted) {
        const ssize_t count = ::read(peer.get(), bytes.data(), bytes.size());
        if (count <= 0) break;
        request.append(bytes.data(), static_cast<std::size_t>(count));
        const std::size_t end = request.find("\r\n\r\n");
        if (end == std::string::npos) continue;
        const std::size_t length = request.find("Content-Length: ");
        wanted = end + 4 + (length < end ? std::strtoull(request.c_str() + length + 16, nullptr, 10) : 0);
      }
      answer(peer.get(), request);
    }
  }
  void answer(int peer, const std::string& request) {
    const std::lock_guard lock(mutex_);
    const std::size_t end = request.find("\r\n\r\n");
    std::string body;
    if (request.starts_with("POST")) {
      head_ = request.substr(0, end);
      posted_ += request.substr(end + 4);
    } else {
      body = posted_;
    }
    const std::string reply =
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) +
        "\r\n\r\n" + body;
    static_cast<void>(!::write(peer, reply.data(), reply.size()));
  }

  base::Descriptor socket_;
  int port_ = 0;
  std::mutex mutex_;
  std::string head_, posted_;
  std::thread thread_;
};

}  // namespace

TEST_CASE("notes are found among whatever else stands in a file", "[anchors]") {
  CHECK(anchors::split_notes("").empty());
  CHECK(anchors::split_notes("no note\n\n\n").empty());
  CHECK(anchors::split_notes(note_of(1) + note_of(2)) == std::vector{note_of(1), note_of(2)});
  CHECK(anchors::split_notes("x\n" + note_of(1) + "\ny\n" + note_of(2) + "z") ==
        std::vector{note_of(1), note_of(2)});
  CHECK(anchors::split_notes(note_of(1).substr(0, 90) + "\n" + note_of(2)) == std::vector{note_of(2)});
}

TEST_CASE("a file keeps every note, and a link in its place is refused", "[anchors]") {
  const TemporaryFolder folder;
  const auto anchor = make(AnchorConfig::Kind::file, folder / "notes");
  CHECK(anchor->read().has_error());
  REQUIRE(anchor->publish(note_of(1)).has_value());
  REQUIRE(anchor->publish(note_of(2)).has_value());
  CHECK(anchor->read().value() == std::vector{note_of(1), note_of(2)});
  std::filesystem::create_symlink(folder / "notes", folder / "link");
  CHECK(make(AnchorConfig::Kind::file, folder / "link")->publish(note_of(3)).has_error());
}

TEST_CASE("a repository keeps every note, pushes it, and reads what its remote holds", "[anchors]") {
  const TemporaryFolder folder;
  git("init -q --bare '" + (folder / "remote.git") + "'");
  git("init -q '" + (folder / "here") + "'");
  git("-C '" + (folder / "here") + "' remote add origin '" + (folder / "remote.git") + "'");
  // What the repository would run must not run.
  std::ofstream(folder / "here/.git/hooks/pre-push") << "#!/bin/sh\ntouch '" << (folder / "ran") << "'\n";
  std::filesystem::permissions(folder / "here/.git/hooks/pre-push", std::filesystem::perms::owner_all);
  const auto anchor = make(AnchorConfig::Kind::git, folder / "here", "origin");
  CHECK(anchor->read().has_error());
  REQUIRE(anchor->publish(note_of(1)).has_value());
  REQUIRE(anchor->publish(note_of(2)).has_value());
  CHECK(anchor->read().value() == std::vector{note_of(1), note_of(2)});
  CHECK_FALSE(std::filesystem::exists(folder / "ran"));
  // Rewritten here alone: the remote still has it.
  git("-C '" + (folder / "here") + "' update-ref -d refs/callgate/ledger");
  CHECK(anchor->read().value().size() == 2);
  // So it cannot be pushed over either.
  CHECK(anchor->publish(note_of(3)).has_error());
  std::filesystem::remove_all(folder / "remote.git");
  CHECK(anchor->read().has_error());
}

TEST_CASE("notes are found in the lines of a system's log", "[anchors]") {
  const TemporaryFolder folder;
  const auto line = [](std::string note) {
    std::replace(note.begin(), note.end(), '\n', '|');
    return "Nov 30 10:00:00 host callgate-checkpoint: checkpoint|" + note + "\n";
  };
  std::ofstream(folder / "auth.log") << "Nov 30 host sshd: x\n"
                                     << line(note_of(1)) << line("forged") << line(note_of(2));
  CHECK(make(AnchorConfig::Kind::syslog, folder / "auth.log")->read().value() ==
        std::vector{note_of(1), note_of(2)});
}

TEST_CASE("a webhook gets each note, signed by the secret, and is read back", "[anchors]") {
  if (std::system("command -v curl >/dev/null") != 0) {
    WARN("skipped: there is no curl");
    return;
  }
  const TemporaryFolder folder;
  std::ofstream(folder / "secret") << "a secret\n";
  HttpServer server;
  const auto anchor = make(AnchorConfig::Kind::webhook, server.url(), "", folder / "secret");
  REQUIRE(anchor->publish(note_of(1)).has_value());
  const std::string head = server.head();
  const auto header = [&](const std::string& name) {
    const std::size_t at = head.find(name + ": ");
    REQUIRE(at != std::string::npos);
    return head.substr(at + name.size() + 2, head.find('\r', at) - at - name.size() - 2);
  };
  const std::string signed_text = header("webhook-id") + "." + header("webhook-timestamp") + "." + note_of(1);
  CHECK(header("webhook-signature") == "v1," + base::base64(base::hmac_sha256("a secret", signed_text)));
  REQUIRE(anchor->publish(note_of(2)).has_value());
  CHECK(anchor->read().value() == std::vector{note_of(1), note_of(2)});
  CHECK(make(AnchorConfig::Kind::webhook, "http://127.0.0.1:1/")->publish(note_of(1)).has_error());
}

// RFC 4231, test case 2.
TEST_CASE("the HMAC is that of RFC 4231", "[anchors]") {
  CHECK(base::hex(base::hmac_sha256("Jefe", "what do ya want for nothing?")) ==
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
}

TEST_CASE("a program that does not end is killed, and one that is not there is said", "[anchors]") {
  using std::chrono::milliseconds;
  CHECK(anchors::run({{"sh", "-c", "cat; echo x"}, {}, "in ", milliseconds(60'000)}).value() == "in x\n");
  CHECK(anchors::run({{"sh", "-c", "sleep 600"}, {}, {}, milliseconds(50)}).error().code() ==
        base::Code::unavailable);
  CHECK(anchors::run({{"no-such-program-here"}, {}, {}, milliseconds(60'000)}).error().code() ==
        base::Code::unavailable);
  const auto failed = anchors::run({{"sh", "-c", "echo why >&2; exit 3"}, {}, {}, milliseconds(60'000)});
  CHECK(failed.error().message().find("why") != std::string::npos);
}

namespace {

class Flaky final : public anchors::Anchor {
 public:
  explicit Flaky(std::vector<std::string>& seen) : seen_(seen) {}
  std::string name() const override { return "flaky"; }
  base::Result<void> publish(const std::string& note) override {
    seen_.push_back(note);
    if (note == "bad") return base::Error(base::Code::io, "no");
    return {};
  }
  base::Result<std::vector<std::string>> read() override { return seen_; }

 private:
  std::vector<std::string>& seen_;
};

}  // namespace

TEST_CASE("what was offered last is published before the end, and each failing is told once", "[anchors]") {
  std::vector<std::string> seen, told;
  const auto publish = [&](const std::vector<std::string>& notes) {
    std::vector<std::unique_ptr<anchors::Anchor>> all;
    all.push_back(std::make_unique<Flaky>(seen));
    anchors::Publisher publisher(std::move(all), [&](const anchors::Anchor&, const base::Error* error) {
      told.emplace_back(error == nullptr ? "good" : "bad");
    });
    for (const std::string& note : notes) publisher.offer(note);
  };
  publish({"bad"});
  CHECK(seen == std::vector<std::string>{"bad"});
  CHECK(told == std::vector<std::string>{"bad"});
  publish({});
  CHECK(seen.size() == 1);
  publish({"a", "b", "c"});
  CHECK(seen.back() == "c");
  CHECK(told.size() == 1);
}
