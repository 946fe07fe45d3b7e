// kill CALLGATE WORKSHOP SCRATCH [--seed N] [--count N]: SIGKILL of callgate at random moments of a busy run,
// again and again on one ledger (100 times unless counted otherwise). After each kill:
//   - what reached the server is on record, with its arguments; so is what was acknowledged
//   - no process of the run is left, not even the one that the server put into a session of its own
// and `ledger verify` passes every tenth time and at the end, when each call has exactly one outcome.

#include <signal.h>

#include <cstdio>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "tests/real/desk.hpp"

namespace {

using nlohmann::json;
using real::Desk;
using real::Milliseconds;

constexpr const char* policy = R"(version = 1
default = "deny"
[[allow]]
id   = "busy"
tool = ["write_file", "echo"]
)";
constexpr long in_flight = 16;

struct Run {
  std::set<std::string> acknowledged;  // paths
  long refused = 0;
  std::string refusal;
};

// Writes files until callgate is gone. Paths are RUN-NUMBER, so each call of the test is told from every
// other.
Run keep_busy(real::Session& session, long number) {
  Run run;
  std::map<long, std::string> waiting;
  long next = 1;
  try {
    while (true) {
      for (; static_cast<long>(waiting.size()) < in_flight; ++next) {
        const std::string path = "out/" + std::to_string(number) + "-" + std::to_string(next);
        if (!session.call(next, "write_file", {{"path", path}, {"content", path}})) return run;
        waiting[next] = path;
      }
      const json answer = session.answer();
      if (answer.is_null()) return run;
      const auto found = waiting.find(answer.at("id").get<long>());
      if (found == waiting.end()) throw std::runtime_error("an answer to no call: " + answer.dump());
      if (real::is_error(answer)) {
        ++run.refused;
        run.refusal = answer.dump();
      } else {
        run.acknowledged.insert(found->second);
      }
      waiting.erase(found);
    }
  } catch (const json::parse_error&) {
    return run;  // the last line, cut by the kill
  }
}

std::set<std::string> forwarded_paths(const Desk& desk, const std::string& log) {
  std::set<std::string> paths;
  for (const json& call : desk.calls_received(log)) paths.insert(call.at("arguments").at("path"));
  return paths;
}

// Paths of the calls that the ledger says were allowed, from `next` on, which is moved behind them.
std::set<std::string> recorded_paths(const Desk& desk, std::uint64_t& next) {
  std::set<std::string> paths;
  auto reader = ledger::Reader::open({desk.state()});
  if (!reader) return paths;  // killed before there was one
  for (const auto& record : desk.records(next)) {
    next = record.record.sequence + 1;
    if (record.record.type != ledger::Type::decision || record.record.decision != "ALLOW") continue;
    const auto payload = (*reader)->payload(record, "arguments");
    if (payload && *payload) paths.insert(json::parse(**payload).at("path"));
  }
  return paths;
}

std::string first_missing(const std::set<std::string>& these, const std::set<std::string>& in) {
  for (const std::string& each : these)
    if (!in.contains(each)) return each;
  return {};
}

struct Totals {
  std::size_t forwarded = 0, acknowledged = 0, recorded = 0;
};

// One start, one kill; the first thing that is wrong, or nothing.
std::string kill_once(const Desk& desk, long number, std::mt19937_64& random, std::uint64_t& next_record,
                      Totals& totals) {
  const std::string log = desk.file("log-" + std::to_string(number));
  desk.write_settings(number % 2 == 0 ? "durability = \"disk\"\n" : "durability = \"process\"\n");
  std::vector<std::string> more;
  if (number % 3 == 0) more.push_back("--spawn");
  const bool early = random() % 10 == 0;  // while it starts
  const std::chrono::microseconds delay(random() % (early ? 20000 : 150000));
  Run run;
  if (early) {
    bench::Child child(desk.run(log, more));
    std::this_thread::sleep_for(delay);
    child.kill(SIGKILL);
    child.wait(Milliseconds(10000));
  } else {
    real::Session session(desk.run(log, more));
    std::thread killer([&session, delay] {
      std::this_thread::sleep_for(delay);
      session.child().kill(SIGKILL);
    });
    run = keep_busy(session, number);
    killer.join();
    session.child().wait(Milliseconds(10000));
  }
  if (!desk.all_gone()) return "a process is left";
  if (run.refused > 0) return std::to_string(run.refused) + " calls were refused: " + run.refusal;
  const auto forwarded = forwarded_paths(desk, log), recorded = recorded_paths(desk, next_record);
  totals.forwarded += forwarded.size();
  totals.acknowledged += run.acknowledged.size();
  totals.recorded += recorded.size();
  if (const auto path = first_missing(forwarded, recorded); !path.empty())
    return "forwarded, not on record: " + path;
  if (const auto path = first_missing(run.acknowledged, recorded); !path.empty())
    return "acknowledged, not on record: " + path;
  if (const auto path = first_missing(run.acknowledged, forwarded); !path.empty())
    return "acknowledged, never forwarded: " + path;
  for (const std::string& path : run.acknowledged)
    if (!std::filesystem::exists(desk.workspace() + "/" + path)) return "acknowledged, not done: " + path;
  std::filesystem::remove(log);
  return {};
}

// A last, orderly run closes what the killed ones left open.
void check_whole_ledger(const Desk& desk, real::Tally& tally) {
  real::Session last(desk.run(desk.file("log-last")));
  last.call(1, "echo", {{"text", "the last"}});
  tally.check(!real::is_error(last.answer()), "a run after all the kills works");
  tally.check(last.close() == 0, "it ends in order when its input ends");
  std::map<std::uint64_t, long> outcomes;
  std::size_t unknown = 0, open = 0, twice = 0;
  const auto records = desk.records();
  for (const auto& [record, body, leaf] : records) {
    if (record.type == ledger::Type::decision && record.decision == "ALLOW") outcomes[record.sequence] = 0;
    if (record.type != ledger::Type::outcome || !record.answers) continue;
    ++outcomes[record.answers->sequence];
    if (record.outcome && record.outcome->status == "unknown") ++unknown;
  }
  for (const auto& [sequence, count] : outcomes) (count == 0 ? open : twice) += count != 1;
  std::printf("# %zu records, %zu calls, %zu of unknown outcome\n", records.size(), outcomes.size(), unknown);
  tally.check(!outcomes.empty() && open == 0 && twice == 0, "every allowed call has exactly one outcome",
              std::to_string(open) + " have none, " + std::to_string(twice) + " more than one");
  bool gapless = true;
  for (std::size_t index = 0; index < records.size(); ++index)
    gapless = gapless && records[index].record.sequence == index;
  tally.check(gapless, "the sequence has no gap");
  const auto list = desk.callgate({"ledger", "list", "--json", "--limit", "1000000"});
  const json listed = json::parse(list.output, nullptr, false);
  tally.check(list.code == 0 && listed.is_array() && listed.size() == outcomes.size(),
              "`ledger list --json` has them all",
              std::to_string(listed.size()) + " listed of " + std::to_string(outcomes.size()));
}

void play(const real::Arguments& arguments, const Desk& desk, real::Tally& tally) {
  const long kills = arguments.count > 0 ? arguments.count : 100;
  std::mt19937_64 random(arguments.seed);
  std::uint64_t next_record = 0;
  Totals totals;
  std::string wrong;
  bool verified = true;
  for (long number = 1; number <= kills && wrong.empty(); ++number) {
    wrong = kill_once(desk, number, random, next_record, totals);
    if (!wrong.empty()) wrong = "kill " + std::to_string(number) + ": " + wrong;
    if (number % 10 == 0) verified = verified && desk.callgate({"ledger", "verify"}).code == 0;
  }
  std::printf("# %zu calls forwarded, %zu acknowledged, %zu on record\n", totals.forwarded,
              totals.acknowledged, totals.recorded);
  tally.check(wrong.empty(),
              "nothing is forwarded or acknowledged without a record, and nothing outlives callgate", wrong);
  tally.check(verified, "the ledger verifies after every tenth kill");
  tally.check(totals.acknowledged > static_cast<std::size_t>(kills),
              "the runs were busy when they were killed");
  check_whole_ledger(desk, tally);
}

}  // namespace

int main(int argc, char** argv) { return real::run_on_desk(argc, argv, {"kill", policy, ""}, play); }
