#include "tests/real/desk.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace real {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::uint64_t records_max = 10'000'000;

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::trunc);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write `" + path + "`");
}

// Empty where there is none; also for a process that ends while its file in /proc is read.
std::string read_file(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// Numbers and strings alike, as typed after `approve`.
std::string id_text(const json& id) { return id.is_string() ? id.get<std::string>() : id.dump(); }

}  // namespace

Arguments read_arguments(int argc, char** argv) {
  Arguments arguments;
  arguments.seed =
      static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count()) % 1000000007;
  bool good = argc >= 4 && argc % 2 == 0;
  for (int index = 4; good && index < argc; index += 2) {
    const std::string option = argv[index];
    if (option == "--seed")
      arguments.seed = std::strtoull(argv[index + 1], nullptr, 10);
    else if (option == "--count")
      arguments.count = std::strtol(argv[index + 1], nullptr, 10);
    else
      good = false;
  }
  if (!good) {
    std::fprintf(stderr, "usage: %s CALLGATE WORKSHOP SCRATCH [--seed N] [--count N]\n", argv[0]);
    std::exit(2);
  }
  arguments.callgate = fs::absolute(argv[1]);
  arguments.workshop = fs::absolute(argv[2]);
  arguments.scratch = fs::absolute(argv[3]);
  signal(SIGPIPE, SIG_IGN);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf("# seed %llu\n", static_cast<unsigned long long>(arguments.seed));
  return arguments;
}

void Tally::check(bool condition, const std::string& name, const std::string& detail) {
  std::printf("%s %s\n", condition ? "ok" : "not ok", name.c_str());
  if (!condition && !detail.empty()) std::printf("#   %s\n", detail.c_str());
  ++(condition ? passed_ : failed_);
}

int Tally::finish() const {
  std::printf("%d passed, %d failed\n", passed_, failed_);
  return failed_ == 0 && passed_ > 0 ? 0 : 1;
}

Desk::Desk(const Arguments& given, const Stage& stage)
    : callgate_(given.callgate), workshop_(given.workshop), folder_(given.scratch + "/" + stage.name) {
  fs::remove_all(folder_);
  for (const char* each : {"config/callgate", "state", "home", "workspace/out"})
    fs::create_directories(file(each));
  folder_ = fs::canonical(folder_);
  write_file(file("config/callgate/policy.toml"), stage.policy);
  write_settings(stage.settings);
  fs::current_path(workspace());
  setenv("HOME", file("home").c_str(), 1);
  setenv("XDG_CONFIG_HOME", file("config").c_str(), 1);
  setenv("XDG_STATE_HOME", file("state").c_str(), 1);
}

void Desk::write_settings(const std::string& settings) const {
  write_file(file("config/callgate/callgate.toml"), settings);
}

std::vector<std::string> Desk::run(const std::string& log, const std::vector<std::string>& more) const {
  std::vector<std::string> words{callgate_, "run", "--name", "workshop", "--", workshop_, "--log", log};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Desk::Ended Desk::callgate(const std::vector<std::string>& words) const {
  std::vector<std::string> command{callgate_};
  command.insert(command.end(), words.begin(), words.end());
  bench::Child child(command);
  child.close_input();
  Ended ended;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(120);
  while (const auto line = child.read_line(deadline)) ended.output.append(*line).append("\n");
  const auto status = child.wait(Milliseconds(10000));
  if (status && WIFEXITED(*status)) ended.code = WEXITSTATUS(*status);
  return ended;
}

std::vector<std::string> Desk::pending() const {
  const Ended ended = callgate({"pending", "--json"});
  if (ended.code != 0) throw std::runtime_error("`pending --json` exits " + std::to_string(ended.code));
  std::vector<std::string> ids;
  for (const json& each : json::parse(ended.output)) ids.push_back(id_text(each.at("id")));
  return ids;
}

std::vector<std::string> Desk::wait_pending(std::size_t count) const {
  std::vector<std::string> ids;
  if (!wait_until([&] { return (ids = pending()).size() == count; }))
    throw std::runtime_error(std::to_string(ids.size()) + " asks are pending, not " + std::to_string(count));
  return ids;
}

std::vector<ledger::StoredRecord> Desk::records(std::uint64_t first) const {
  std::vector<ledger::StoredRecord> records;
  auto reader = ledger::Reader::open({state()});
  if (!reader) return records;
  const auto scanned = (*reader)->scan(first, records_max, [&](const ledger::StoredRecord& record) {
    records.push_back(record);
    return true;
  });
  if (!scanned) throw std::runtime_error("the ledger cannot be read");
  return records;
}

std::vector<json> Desk::calls_received(const std::string& log) const {
  const std::string bytes = read_file(log);
  std::vector<json> calls;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = bytes.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const json message = json::parse(bytes.substr(begin, end - begin));
    if (message.value("method", "") == "tools/call") calls.push_back(message.at("params"));
  }
  return calls;
}

std::vector<pid_t> Desk::processes() const {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    const auto pid = static_cast<pid_t>(std::stol(name));
    if (pid == getpid()) continue;
    std::error_code error;
    const std::string directory = fs::read_symlink(entry.path() / "cwd", error);
    const std::string words = read_file(entry.path() / "cmdline");
    if (directory.starts_with(folder_ + "/") || words.find(folder_ + "/") != words.npos) found.push_back(pid);
  }
  return found;
}

bool Desk::all_gone() const {
  return wait_until([this] { return processes().empty(); });
}

Session::Session(const std::vector<std::string>& command, const std::string& client) : child_(command) {
  const json hello{{"jsonrpc", "2.0"},
                   {"id", 0},
                   {"method", "initialize"},
                   {"params",
                    {{"protocolVersion", "2025-11-25"},
                     {"capabilities", json::object()},
                     {"clientInfo", {{"name", client}, {"version", "1"}}}}}};
  child_.write(hello.dump() + "\n");
  const json welcome = answer();
  if (!welcome.is_object() || !welcome.contains("result"))
    throw std::runtime_error("initialize was answered with " + welcome.dump());
  notify("notifications/initialized", json::object());
}

bool Session::call(long id, const std::string& tool, const json& arguments) {
  const json message{{"jsonrpc", "2.0"},
                     {"id", id},
                     {"method", "tools/call"},
                     {"params", {{"name", tool}, {"arguments", arguments}}}};
  return child_.write(message.dump() + "\n");
}

bool Session::notify(const std::string& method, const json& parameters) {
  return child_.write(json{{"jsonrpc", "2.0"}, {"method", method}, {"params", parameters}}.dump() + "\n");
}

json Session::answer(Milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (const auto line = child_.read_line(deadline)) {
    json message = json::parse(*line);
    if (message.contains("id") && !message.contains("method")) return message;
  }
  return nullptr;
}

int Session::close() {
  child_.close_input();
  const auto status = child_.wait(Milliseconds(10000));
  return status && WIFEXITED(*status) ? WEXITSTATUS(*status) : -1;
}

int run_on_desk(int argc, char** argv, const Stage& stage, const Play& play) {
  const Arguments arguments = read_arguments(argc, argv);
  Tally tally;
  try {
    const Desk desk(arguments, stage);
    play(arguments, desk, tally);
    tally.check(desk.callgate({"ledger", "verify"}).code == 0, "the ledger verifies at the end");
    tally.check(desk.all_gone(), "no process is left at the end");
  } catch (const std::exception& error) {
    tally.check(false, "the test itself runs to its end", error.what());
  }
  return tally.finish();
}

bool is_error(const json& answer) {
  return !answer.is_object() || answer.contains("error") || answer.at("result").value("isError", false);
}

std::string text(const json& answer) {
  if (!answer.is_object() || !answer.contains("result") || !answer["result"].contains("content"))
    return answer.dump();
  const json& content = answer["result"]["content"];
  return content.empty() ? "" : content[0].value("text", "");
}

void pause_briefly() { std::this_thread::sleep_for(Milliseconds(10)); }

}  // namespace real
