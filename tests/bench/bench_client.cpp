// bench_client [OPTIONS] -- CMD…: starts an MCP server (or a proxy before one), and measures it from the
// outside.
//   --case NAME       what the JSON calls it
//   --starts N        start-ups to the answer of initialize (first; each a process of its own)
//   --small N         calls of 1 KB (echo), one at a time
//   --small-many N    the same with 16 in flight
//   --large N         results of 1 MB (big), one at a time
//   --large-many N    the same with 16 in flight
//   --soak N          calls of 1 KB with 16 in flight in one fresh process: resident memory before and after
//   --limit SECONDS   gives up (exit 1) after this long
// Prints one JSON object, times in µs, memory in KB. Exit 1 on any answer that is not the result asked for.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/bench/child.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using bench::Child;

constexpr std::size_t small_bytes = 1024;
constexpr std::size_t large_bytes = 1024 * 1024;
constexpr std::size_t many = 16;

double microseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::micro>(duration).count();
}

// The number after the first `"id":`; the payload has none.
std::size_t answer_id(std::string_view line) {
  std::size_t at = line.substr(0, 256).find("\"id\":");
  if (at == std::string_view::npos) at = line.rfind("\"id\":");
  if (at == std::string_view::npos)
    throw std::runtime_error("an answer without id: " + std::string(line.substr(0, 300)));
  std::size_t id = 0;
  for (at += 5; at < line.size() && line[at] >= '0' && line[at] <= '9'; ++at)
    id = id * 10 + static_cast<std::size_t>(line[at] - '0');
  return id;
}

// A refusal must not pass for a quick answer.
void check_answer(std::string_view line, std::size_t bytes_min) {
  const std::string_view head = line.substr(0, 256),
                         tail = line.substr(line.size() < 256 ? 0 : line.size() - 256);
  const bool bad = line.size() < bytes_min || head.find("\"isError\":true") != head.npos ||
                   tail.find("\"isError\":true") != tail.npos || head.find("\"error\"") != head.npos;
  if (bad) throw std::runtime_error("not the result asked for: " + std::string(line.substr(0, 300)));
}

void handshake(Child& child) {
  child.write(
      R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},)"
      R"("clientInfo":{"name":"callgate-bench","version":"1"}}})"
      "\n");
  const auto answer = child.read_line();
  if (!answer) throw std::runtime_error("the command ended before it answered initialize");
  check_answer(*answer, 1);
}

void start_session(Child& child) {
  handshake(child);
  child.write("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n");
}

void end_session(Child& child) {
  child.close_input();
  if (!child.wait(std::chrono::seconds(10)))
    throw std::runtime_error("the command did not end after its input did");
}

struct Load {
  std::string name;
  std::string head, tail;  // the request around its id
  std::size_t answer_bytes_min;
  std::size_t calls;
  std::size_t in_flight;
};

struct Figures {
  std::size_t calls = 0;
  double p50 = 0, p99 = 0, calls_per_second = 0;
};

Load small_load(std::size_t calls, std::size_t in_flight) {
  return {"small",
          R"({"jsonrpc":"2.0","id":)",
          R"(,"method":"tools/call","params":{"name":"echo","arguments":{"text":")" +
              std::string(small_bytes, 'x') + "\"}}}\n",
          small_bytes,
          calls,
          in_flight};
}

Load large_load(std::size_t calls, std::size_t in_flight) {
  return {"large",
          R"({"jsonrpc":"2.0","id":)",
          R"(,"method":"tools/call","params":{"name":"big","arguments":{"bytes":)" +
              std::to_string(large_bytes) + "}}}\n",
          large_bytes,
          calls,
          in_flight};
}

Figures run_load(Child& child, const Load& load, std::size_t& next_id) {
  const std::size_t first = next_id;
  next_id += load.calls;
  std::vector<Clock::time_point> sent(load.calls);
  std::vector<double> times;
  times.reserve(load.calls);
  std::string request;
  std::size_t started = 0;
  const auto begin = Clock::now();
  while (times.size() < load.calls) {
    for (; started < load.calls && started - times.size() < load.in_flight; ++started) {
      request = load.head;
      request += std::to_string(first + started);
      request += load.tail;
      sent[started] = Clock::now();
      if (!child.write(request)) throw std::runtime_error("the command ended early");
    }
    const auto line = child.read_line();
    const auto now = Clock::now();
    if (!line) throw std::runtime_error("the command ended early");
    check_answer(*line, load.answer_bytes_min);
    const std::size_t index = answer_id(*line) - first;
    if (index >= started)
      throw std::runtime_error("an answer to no call: " + std::string(line->substr(0, 300)));
    times.push_back(microseconds(now - sent[index]));
  }
  const double seconds = microseconds(Clock::now() - begin) / 1e6;
  std::sort(times.begin(), times.end());
  return {times.size(), times[times.size() / 2], times[times.size() * 99 / 100],
          static_cast<double>(times.size()) / seconds};
}

void print_figures(const char* name, const Figures& figures) {
  std::printf(",\"%s\":{\"calls\":%zu,\"p50_us\":%.1f,\"p99_us\":%.1f,\"calls_per_second\":%.0f}", name,
              figures.calls, figures.p50, figures.p99, figures.calls_per_second);
}

void measure_starts(const std::vector<std::string>& command, std::size_t starts) {
  std::vector<double> times;
  for (std::size_t index = 0; index < starts; ++index) {
    const auto begin = Clock::now();
    Child child(command);
    handshake(child);
    times.push_back(microseconds(Clock::now() - begin));
    end_session(child);
  }
  std::sort(times.begin(), times.end());
  std::printf(",\"start\":{\"starts\":%zu,\"p50_us\":%.0f}", starts, times[times.size() / 2]);
}

void measure_calls(const std::vector<std::string>& command, std::map<std::string, std::size_t>& counts) {
  Child child(command);
  start_session(child);
  std::size_t next_id = 1;
  run_load(child, small_load(200, 1), next_id);  // warm
  if (const std::size_t calls = counts["--small"])
    print_figures("small", run_load(child, small_load(calls, 1), next_id));
  if (const std::size_t calls = counts["--small-many"])
    print_figures("small_many", run_load(child, small_load(calls, many), next_id));
  if (counts["--large"] + counts["--large-many"] > 0) run_load(child, large_load(4, 1), next_id);  // warm
  if (const std::size_t calls = counts["--large"])
    print_figures("large", run_load(child, large_load(calls, 1), next_id));
  if (const std::size_t calls = counts["--large-many"])
    print_figures("large_many", run_load(child, large_load(calls, many), next_id));
  std::printf(",\"peak_kb\":%ld", bench::status_kilobytes(child.pid(), "VmHWM:"));
  end_session(child);
}

// Memory after the first hundredth too: what grows from there on grows with the calls.
void measure_memory(const std::vector<std::string>& command, std::size_t calls) {
  Child child(command);
  start_session(child);
  std::size_t next_id = 1;
  const long start = bench::status_kilobytes(child.pid(), "VmRSS:");
  const std::size_t warm = std::max<std::size_t>(calls / 100, 1);
  run_load(child, small_load(warm, many), next_id);
  const long warmed = bench::status_kilobytes(child.pid(), "VmRSS:");
  run_load(child, small_load(calls - warm, many), next_id);
  std::printf(",\"memory\":{\"calls\":%zu,\"start_kb\":%ld,\"warm_kb\":%ld,\"after_kb\":%ld}", calls, start,
              warmed, bench::status_kilobytes(child.pid(), "VmRSS:"));
  end_session(child);
}

void out_of_time(int) {
  constexpr std::string_view text = "bench_client: gave up at its time limit\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  _exit(1);
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::size_t> counts{{"--starts", 0}, {"--small", 0},      {"--small-many", 0},
                                            {"--large", 0},  {"--large-many", 0}, {"--soak", 0},
                                            {"--limit", 120}};
  std::string name = "unnamed";
  int index = 1;
  for (; index + 1 < argc && std::string(argv[index]) != "--"; index += 2) {
    const std::string option = argv[index];
    if (option == "--case")
      name = argv[index + 1];
    else if (counts.contains(option))
      counts[option] = std::strtoul(argv[index + 1], nullptr, 10);
    else
      break;
  }
  if (index + 1 >= argc || std::string(argv[index]) != "--") {
    std::fprintf(stderr, "usage: bench_client [--case NAME] [--starts N] [--small N] … -- CMD…\n");
    return 2;
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGALRM, out_of_time);
  alarm(static_cast<unsigned>(counts["--limit"]));
  const std::vector<std::string> command(argv + index + 1, argv + argc);
  try {
    std::printf("{\"case\":\"%s\"", name.c_str());
    if (counts["--starts"] > 0) measure_starts(command, counts["--starts"]);
    if (counts["--small"] + counts["--small-many"] + counts["--large"] + counts["--large-many"] > 0)
      measure_calls(command, counts);
    if (counts["--soak"] > 0) measure_memory(command, counts["--soak"]);
    std::printf("}\n");
  } catch (const std::exception& error) {
    std::printf("\n");
    std::fprintf(stderr, "bench_client: %s: %s\n", name.c_str(), error.what());
    return 1;
  }
  return 0;
}
