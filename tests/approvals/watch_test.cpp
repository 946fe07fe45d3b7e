#include "approvals/watch.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <optional>
#include <vector>

#include "approvals/asks.hpp"
#include "approvals/operator_key.hpp"
#include "tests/approvals/samples.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_folder.hpp"

using namespace approvals;
using namespace std::chrono_literals;
namespace asio = boost::asio;

namespace {

// A ledger in a folder of its own, with an active mission.
struct Ledger {
  TemporaryFolder temporary;
  std::string folder = temporary.path().string();
  std::unique_ptr<ledger::Writer> holder;
  base::Digest policy = base::sha256("policy");

  Ledger() {
    holder = writer();
    ledger::Append append;
    append.drafts.resize(1);
    auto& start = append.drafts[0].record;
    start.type = ledger::Type::mission_start;
    start.mission = "m-1";
    start.policy = policy;
    start.details["key"] = base::hex(base::sha256("agent"));
    write(append);
  }
  std::unique_ptr<ledger::Writer> writer() const {
    ledger::WriterOptions options;
    options.durability = ledger::Durability::process;
    options.operator_key = [] { return base::Result<std::string>(public_text(samples::key())); };
    auto opened = ledger::Writer::open({folder}, options);
    if (!opened) FAIL(opened.error().text());
    return std::move(*opened);
  }
  ledger::Reference write(const ledger::Append& append) const {
    const auto written = holder->append_now(append);
    if (!written) FAIL(written.error().text());
    return written->records.front();
  }
  ledger::Reference ask() const {
    ledger::Append append;
    append.drafts.resize(1);
    auto& record = append.drafts[0].record;
    record.type = ledger::Type::decision;
    record.mission = "m-1";
    record.decision = "ASK";
    record.capability = ledger::Capability{"tools/call", "write_file", {"write"}, base::sha256("the call")};
    record.details["expires"] = std::to_string((base::wall_now() + 1min).time_since_epoch().count());
    append.preconditions = opening({"m-1", policy}, base::sha256("the call"));
    return write(append);
  }
  ledger::Append answer(const ledger::Reference& ask, Verdict verdict,
                        const base::SigningKey& key = samples::key()) const {
    const auto reader = ledger::Reader::open({folder});
    REQUIRE(reader.has_value());
    const auto decision = (*reader)->record(ask.sequence);
    REQUIRE(decision.has_value());
    return make_answer((*decision)->record, ask.leaf, verdict, "", base::wall_now(), key,
                       std::string(16, 'n'));
  }
};

HoldTerms terms(const ledger::Reference& ask) {
  return {ask, base::wall_now() + 1min, base::monotonic_now() + 1min, true};
}

struct Loop {
  asio::io_context context{1};
  std::vector<std::string> reports;
  Watch watch;
  std::optional<Resolution> end;

  explicit Loop(const Ledger& ledger)
      : watch(context.get_executor(), {ledger.folder},
              [this](const std::string& text) { reports.push_back(text); }) {}
  void start(Held& held) {
    asio::co_spawn(context, held.wait(),
                   [this](std::exception_ptr, Resolution resolution) { end = resolution; });
  }
  void until_end() {
    const auto limit = std::chrono::steady_clock::now() + 10s;
    while (!end && std::chrono::steady_clock::now() < limit) context.run_one_for(100ms);
  }
};

}  // namespace

TEST_CASE("a held call is told of an answer that another process writes") {
  for (const Verdict verdict : {Verdict::allow, Verdict::deny}) {
    const Ledger ledger;
    const auto ask = ledger.ask();
    Loop loop(ledger);
    std::uint64_t progress = 0;
    Held held(loop.watch, terms(ask), [&](std::uint64_t count) { progress = count; });
    loop.start(held);
    while (progress == 0) loop.context.run_one();  // it waits now
    const auto other = ledger.writer();
    REQUIRE(other->append_now(ledger.answer(ask, verdict)).has_value());
    loop.until_end();
    REQUIRE(loop.end);
    CHECK(loop.end->fate == (verdict == Verdict::allow ? Fate::allowed : Fate::denied));
    CHECK(loop.end->answer->record.type == ledger::Type::answer);
  }
}

TEST_CASE("a repeat of a detached call learns at once what was answered meanwhile") {
  const Ledger ledger;
  const auto ask = ledger.ask();
  ledger.write(detached({ask, "m-1", "files", 1}, 55s, base::sha256("repeat")));
  ledger.write(ledger.answer(ask, Verdict::allow));
  Loop loop(ledger);
  Held held(loop.watch, terms(ask), {});
  loop.start(held);
  loop.context.poll();
  REQUIRE(loop.end);
  CHECK(loop.end->fate == Fate::allowed);
}

TEST_CASE("a forged answer is reported and allows nothing") {
  const Ledger ledger;
  const auto ask = ledger.ask();
  Loop loop(ledger);
  Held held(loop.watch, terms(ask), {});
  loop.start(held);
  loop.context.poll();
  ledger.write(ledger.answer(ask, Verdict::allow, base::SigningKey::generate()));
  while (loop.reports.empty()) loop.context.run_one();
  CHECK_FALSE(loop.end);
  held.cancel();
  loop.until_end();
  REQUIRE(loop.end);
  CHECK(loop.end->fate == Fate::cancelled);
}

TEST_CASE("a hold on an ask that is over, unknown or unreadable is not allowed") {
  const Ledger ledger;
  const auto ask = ledger.ask();
  const auto fate_of = [&](const HoldTerms& asked) {
    Loop loop(ledger);
    Held held(loop.watch, asked, {});
    loop.start(held);
    loop.until_end();
    REQUIRE(loop.end);
    return loop.end->fate;
  };
  auto wrong = ask;
  wrong.leaf[0] ^= 1;
  CHECK(fate_of(terms(wrong)) == Fate::unreadable);
  wrong.sequence = 1000;
  CHECK(fate_of(terms(wrong)) == Fate::unreadable);
  ledger.write(withdrawn({ask, "m-1", "files", 1}, Withdrawal::cancelled));
  CHECK(fate_of(terms(ask)) == Fate::withdrawn);
  const auto used = ledger.ask();
  const auto answer = ledger.write(ledger.answer(used, Verdict::allow));
  ledger.write(released({used, "m-1", "files", 1}, answer.sequence, {"m-1", ledger.policy}));
  CHECK(fate_of(terms(used)) == Fate::taken);
}

TEST_CASE("many holds share one watch, and each ends with its own ask") {
  const Ledger ledger;
  const auto ask = ledger.ask();
  Loop loop(ledger);
  Held one(loop.watch, terms(ask), {});
  Held joined(loop.watch, terms(ask), {});
  std::vector<Fate> fates;
  for (Held* held : {&one, &joined})
    asio::co_spawn(loop.context, held->wait(),
                   [&](std::exception_ptr, const Resolution& end) { fates.push_back(end.fate); });
  loop.context.poll();
  ledger.write(ledger.answer(ask, Verdict::allow));
  while (fates.size() < 2) loop.context.run_one();
  CHECK(fates == std::vector<Fate>{Fate::allowed, Fate::allowed});
}
