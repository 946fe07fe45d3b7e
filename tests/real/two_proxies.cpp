// two_proxies CALLGATE WORKSHOP SCRATCH [--count CALLS]: two proxies started side by side on a fresh state
// folder, 10,000 calls each, 16 in flight. One chain, nothing lost, everything verifies.

#include <exception>
#include <map>
#include <set>
#include <thread>

#include "tests/real/desk.hpp"

namespace {

using nlohmann::json;

constexpr const char* policy = R"(version = 1
default = "deny"
[[allow]]
id   = "echo"
tool = ["echo"]
)";
constexpr long in_flight = 16;

// How many calls were answered with their own text; the rest of the story in `trouble`.
long make_calls(const std::vector<std::string>& command, const std::string& name, long calls,
                std::string& trouble) {
  long good = 0;
  try {
    real::Session session(command);
    for (long sent = 0, answered = 0; answered < calls; ++answered) {
      for (; sent < calls && sent - answered < in_flight; ++sent)
        if (!session.call(sent + 1, "echo", {{"text", name + std::to_string(sent + 1)}}))
          throw std::runtime_error("the proxy is gone");
      const json answer = session.answer();
      if (answer.is_null()) throw std::runtime_error("the proxy has ended");
      const bool right =
          !real::is_error(answer) && real::text(answer) == name + std::to_string(answer.at("id").get<long>());
      if (right)
        ++good;
      else if (trouble.empty())
        trouble = answer.dump().substr(0, 300);
    }
    if (session.close() != 0) trouble = "it did not end in order";
  } catch (const std::exception& error) {
    trouble = error.what();
  }
  return good;
}

void check_ledger(const real::Desk& desk, long calls, real::Tally& tally) {
  std::map<std::string, long> decisions;  // by writer
  std::set<std::uint64_t> answered;
  std::size_t genesis = 0, index = 0;
  std::set<std::string> missions;
  bool chained = true;
  base::Digest previous{};
  for (const auto& [record, body, leaf] : desk.records()) {
    chained = chained && record.sequence == index++ && record.previous == previous;
    previous = leaf;
    genesis += record.type == ledger::Type::genesis;
    if (record.type == ledger::Type::mission_start) missions.insert(record.mission);
    if (record.type == ledger::Type::decision && record.decision == "ALLOW") ++decisions[record.writer];
    if (record.type == ledger::Type::outcome && record.answers) answered.insert(record.answers->sequence);
  }
  tally.check(chained && genesis == 1, "one chain without a gap, with one first record");
  bool complete = decisions.size() == 2;
  for (const auto& [writer, count] : decisions) complete = complete && count == calls;
  tally.check(complete, "every call of both is on record");
  tally.check(answered.size() == static_cast<std::size_t>(2 * calls), "every call has its outcome",
              std::to_string(answered.size()) + " have");
  tally.check(missions.size() == 1, "both belong to the one mission of the agent that started them",
              std::to_string(missions.size()) + " missions");
  const auto list = desk.callgate({"ledger", "list", "--json", "--limit", std::to_string(4 * calls)});
  const json listed = json::parse(list.output, nullptr, false);
  tally.check(list.code == 0 && listed.is_array() && listed.size() == static_cast<std::size_t>(2 * calls),
              "`ledger list --json` has every call", std::to_string(listed.size()) + " listed");
}

void play(const real::Arguments& arguments, const real::Desk& desk, real::Tally& tally) {
  const long calls = arguments.count > 0 ? arguments.count : 10000;
  std::string trouble[2];
  long good[2] = {0, 0};
  std::thread other([&] { good[1] = make_calls(desk.run(desk.file("log-b")), "b", calls, trouble[1]); });
  good[0] = make_calls(desk.run(desk.file("log-a")), "a", calls, trouble[0]);
  other.join();
  tally.check(good[0] == calls && trouble[0].empty(), "all calls of the first are answered", trouble[0]);
  tally.check(good[1] == calls && trouble[1].empty(), "all calls of the second are answered", trouble[1]);
  check_ledger(desk, calls, tally);
}

}  // namespace

int main(int argc, char** argv) { return real::run_on_desk(argc, argv, {"two", policy, ""}, play); }
