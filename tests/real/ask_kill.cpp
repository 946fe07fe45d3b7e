// ask_kill CALLGATE WORKSHOP SCRATCH [--seed N] [--count N]: SIGKILL of the process that holds an ASK, and of
// the one that answers it, at each state of approvals/STATES.md («What if the writer dies»). The moments
// before and after a durable record are met by stopping the holder (SIGSTOP) where the table has a state for
// it, and by `count` kills at random moments where it has not.

#include <signal.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <random>
#include <thread>

#include "tests/real/desk.hpp"

namespace {

using nlohmann::json;
using real::Desk;
using real::Milliseconds;
using real::Session;

constexpr const char* policy = R"(version = 1
default = "deny"
[[allow]]
id   = "harmless"
tool = ["echo"]
[[ask]]
id   = "person"
tool = ["write_file", "slow"]
)";
constexpr const char* impatient = "callgate-impatient";  // a client that waits two seconds
constexpr const char* settings = "pause_on = \"never\"\n[limits.clients]\n\"callgate-impatient\" = \"2s\"\n";

const json write_once{{"path", "out/asked"}, {"content", "approved"}};

struct Scene {
  const Desk& desk;
  real::Tally& tally;
  std::mt19937_64 random;
  int runs = 0;

  // A fresh log for each run of the workshop.
  std::string log() { return desk.file("log-" + std::to_string(++runs)); }
  std::string last_log() const { return desk.file("log-" + std::to_string(runs)); }
  void check(bool condition, const std::string& name, const std::string& detail = {}) {
    tally.check(condition, name, detail);
  }
};

bool written(const Desk& desk) { return std::filesystem::exists(desk.workspace() + "/out/asked"); }
void forget(const Desk& desk) { std::filesystem::remove(desk.workspace() + "/out/asked"); }

std::size_t calls_received(const Desk& desk, const std::string& log, const std::string& tool) {
  std::size_t count = 0;
  for (const json& call : desk.calls_received(log)) count += call.at("name") == tool;
  return count;
}

// The types of the records that answer the ask of that id, in order.
std::vector<ledger::Type> story(const Desk& desk, const std::string& id) {
  std::vector<ledger::Type> types;
  const std::uint64_t decision = std::stoull(id);
  for (const auto& [record, body, leaf] : desk.records(decision))
    if (record.answers && record.answers->sequence == decision) types.push_back(record.type);
  return types;
}

bool has(const std::vector<ledger::Type>& types, ledger::Type type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

// SIGKILL, and until nothing of the run is left.
void end(const Desk& desk, Session& session) {
  session.child().kill(SIGKILL);
  session.child().wait(Milliseconds(10000));
  if (!desk.all_gone()) throw std::runtime_error("a process is left after the kill");
}

// Another run, which closes what the dead one left; then whatever `look` looks at.
void with_next_run(
    Scene& scene, const std::function<void(Session&)>& look = [](Session&) {}) {
  Session next(scene.desk.run(scene.log()));
  next.call(1, "echo", {{"text", "next"}});
  if (real::is_error(next.answer())) throw std::runtime_error("the next run does not work");
  look(next);
  next.close();
}

void holder_open(Scene& scene) {
  const Desk& desk = scene.desk;
  Session holder(desk.run(scene.log()));
  holder.call(1, "write_file", write_once);
  const std::string id = desk.wait_pending(1).front();
  end(desk, holder);
  desk.callgate({"approve", id});  // accepted or refused: without effect either way
  with_next_run(scene);
  scene.check(
      !written(desk) && has(story(desk, id), ledger::Type::withdrawn) && desk.pending().empty(),
      "holder killed while the ask is open: withdrawn, nothing forwarded, a late answer has no effect");
}

void holder_detached(Scene& scene) {
  const Desk& desk = scene.desk;
  {
    Session holder(desk.run(scene.log()), impatient);
    holder.call(1, "write_file", write_once);
    const std::string id = desk.wait_pending(1).front();
    const json later = holder.answer();
    scene.check(real::is_error(later) && has(story(desk, id), ledger::Type::detached) && !written(desk),
                "before the client's limit the call is answered, and the ask stays", later.dump());
    end(desk, holder);
  }
  const auto still = desk.pending();
  scene.check(still.size() == 1, "holder killed after it detached: the ask stays open");
  if (still.size() != 1) return;
  scene.check(desk.callgate({"approve", still[0]}).code == 0,
              "a detached ask is approved without its holder");
  with_next_run(scene, [&](Session& next) {
    next.call(2, "write_file", write_once);
    const json answer = next.answer();
    scene.check(!real::is_error(answer) && written(desk), "the repeat in another run passes once",
                answer.dump());
    forget(desk);
    next.call(3, "write_file", write_once);
    desk.wait_pending(1);
    scene.check(!written(desk), "a second repeat is asked for again");
  });
  scene.check(desk.pending().empty() && !written(desk), "the end of its input withdraws it");
}

// The holder is stopped, so the answer stands on record while the holder has not seen it.
void holder_answered(Scene& scene, const std::string& answer) {
  const Desk& desk = scene.desk;
  Session holder(desk.run(scene.log()));
  holder.call(1, "write_file", write_once);
  const std::string id = desk.wait_pending(1).front();
  holder.child().kill(SIGSTOP);
  scene.check(desk.callgate({answer, id}).code == 0, answer + " works while the holder stands still");
  end(desk, holder);
  with_next_run(scene, [&](Session& next) {
    const auto types = story(desk, id);
    scene.check(!written(desk) && !has(types, ledger::Type::released) && has(types, ledger::Type::withdrawn),
                "holder killed after " + answer + ", before it acted: nothing forwarded");
    next.call(2, "write_file", write_once);
    const auto again = desk.wait_pending(1);
    scene.check(again.front() != id, "the identical call in the next run is asked for anew");
  });
}

void holder_released(Scene& scene) {
  const Desk& desk = scene.desk;
  const std::string log = scene.log();
  Session holder(desk.run(log));
  holder.call(1, "slow", {{"steps", 600}, {"delay_ms", 100}});
  const std::string id = desk.wait_pending(1).front();
  scene.check(desk.callgate({"approve", id}).code == 0, "approve works");
  const bool forwarded = real::wait_until([&] { return calls_received(desk, log, "slow") == 1; });
  scene.check(forwarded && has(story(desk, id), ledger::Type::released),
              "the approved call is released, then forwarded");
  end(desk, holder);
  with_next_run(scene);
  bool unknown = false;
  for (const auto& [record, body, leaf] : desk.records(std::stoull(id)))
    if (record.type == ledger::Type::outcome && record.answers && record.answers->sequence == std::stoull(id))
      unknown = record.outcome && record.outcome->status == "unknown";
  scene.check(unknown, "holder killed after it released: the outcome is unknown");
  scene.check(calls_received(desk, scene.last_log(), "slow") == 0, "and the call is never sent again");
}

// Two proxies of one mission hold the same call; the one that joined dies.
void joiner(Scene& scene) {
  const Desk& desk = scene.desk;
  Session holder(desk.run(scene.log()));
  const std::string holder_log = scene.last_log();
  Session joining(desk.run(scene.log()));
  holder.call(1, "write_file", write_once);
  const std::string id = desk.wait_pending(1).front();
  joining.call(1, "write_file", write_once);
  const bool joined = real::wait_until([&] { return has(story(desk, id), ledger::Type::decision); });
  scene.check(joined && desk.pending().size() == 1, "an identical call joins the open ask");
  joining.child().kill(SIGKILL);
  joining.child().wait(Milliseconds(10000));
  scene.check(desk.pending().size() == 1, "joining process killed while it waits: the ask is untouched");
  desk.callgate({"approve", id});
  const json answer = holder.answer();
  scene.check(!real::is_error(answer) && written(desk) && calls_received(desk, holder_log, "write_file") == 1,
              "the holder's call passes once", answer.dump());
  holder.close();
}

// The holder dies somewhere between the arrival of the call and its durable decision, or just after.
void holder_asking(Scene& scene, int times) {
  const Desk& desk = scene.desk;
  std::string wrong;
  for (int number = 0; number < times && wrong.empty(); ++number) {
    const std::string log = scene.log();
    Session holder(desk.run(log));
    holder.call(1, "write_file", write_once);
    std::this_thread::sleep_for(std::chrono::microseconds(scene.random() % 4000));
    end(desk, holder);
    const std::size_t forwarded = calls_received(desk, log, "write_file");
    with_next_run(scene);
    if (forwarded > 0 || written(desk))
      wrong = "forwarded without an answer";
    else if (!desk.pending().empty())
      wrong = "an ask is left open";
  }
  scene.check(wrong.empty(), "holder killed around its decision: nothing forwarded, nothing left open",
              wrong);
}

// The command that answers dies at a random moment: either its answer is on record and carries on without it,
// or the ask is as open as before.
std::string kill_answerer(Scene& scene, bool allow, int& landed) {
  const Desk& desk = scene.desk;
  forget(desk);
  const std::string log = scene.log();
  Session holder(desk.run(log));
  holder.call(1, "write_file", write_once);
  const std::string id = desk.wait_pending(1).front();
  {
    bench::Child answerer({desk.run("")[0], allow ? "approve" : "deny", id});
    std::this_thread::sleep_for(std::chrono::microseconds(scene.random() % 25000));
    answerer.kill(SIGKILL);
    answerer.wait(Milliseconds(10000));
  }
  if (has(story(desk, id), ledger::Type::answer))
    ++landed;
  else if (desk.callgate({allow ? "approve" : "deny", id}).code != 0)
    return "no answer on record, yet it takes none";
  const json answer = holder.answer();
  holder.close();
  if (real::is_error(answer) == allow) return "answered with " + answer.dump();
  if (calls_received(desk, log, "write_file") != (allow ? 1u : 0u) || written(desk) != allow)
    return "not as answered";
  if (!desk.pending().empty()) return "the ask is left open";
  return {};
}

void answerers(Scene& scene, int times) {
  std::string wrong;
  int landed = 0;
  for (int number = 0; number < times && wrong.empty(); ++number)
    wrong = kill_answerer(scene, number % 2 == 0, landed);
  std::printf("# %d of %d answers were on record before their process died\n", landed, times);
  scene.check(wrong.empty(), "answering process killed at random: answered as recorded, or open as before",
              wrong);
}

void play(const real::Arguments& arguments, const Desk& desk, real::Tally& tally) {
  const int times = arguments.count > 0 ? static_cast<int>(arguments.count) : 16;
  Scene scene{desk, tally, std::mt19937_64(arguments.seed)};
  const std::vector<std::pair<const char*, std::function<void()>>> parts = {
      {"holder_open", [&] { holder_open(scene); }},
      {"holder_detached", [&] { holder_detached(scene); }},
      {"holder_allowed", [&] { holder_answered(scene, "approve"); }},
      {"holder_denied", [&] { holder_answered(scene, "deny"); }},
      {"holder_released", [&] { holder_released(scene); }},
      {"joiner", [&] { joiner(scene); }},
      {"holder_asking", [&] { holder_asking(scene, times); }},
      {"answerers", [&] { answerers(scene, times); }},
  };
  for (const auto& [name, part] : parts) {
    forget(desk);
    try {
      part();
    } catch (const std::exception& error) {
      tally.check(false, std::string(name) + " runs to its end", error.what());
    }
  }
}

}  // namespace

int main(int argc, char** argv) { return real::run_on_desk(argc, argv, {"ask", policy, settings}, play); }
