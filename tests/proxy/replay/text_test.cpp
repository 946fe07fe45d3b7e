#include "proxy/replay/text.hpp"

#include <algorithm>

#include "proxy/replay/filter.hpp"
#include "proxy/replay/words.hpp"
#include "tests/catch.hpp"
#include "tests/proxy/replay/missions.hpp"

namespace proxy::replay {
namespace {

using namespace missions;

std::size_t columns(const std::string& line) {
  return static_cast<std::size_t>(std::count_if(line.begin(), line.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  }));
}

Timeline hostile() {
  const std::string text = "a\x1b[2J\xe2\x80\xae" + std::string(300, 'x') + "\n\x07";
  Call call = missions::call(1, "ASK");
  call.server = call.tool = call.rule = call.why = call.error = call.found = text;
  call.effects = {{text, "ASK", text}};
  call.breaches = {{3, text, text, "high", text}};
  call.answer = Answered{7, call.time + 5, "deny", "same-user", text, Answered::Words::proven};
  call.settled = call.time + 5;
  call.arguments = text;
  call.arguments_size = text.size();
  Timeline timeline = mission({call});
  timeline.agent = timeline.workspace = timeline.span.id = text;
  std::get<Event>(timeline.entries[0]).text = text;
  return timeline;
}

TEST_CASE("nothing of the ledger reaches a terminal as it is") {
  const Timeline timeline = hostile();
  const TextOptions options{.width = 80};
  auto lines = heading_lines(timeline, sound(), options);
  for (auto more : {entry_lines(timeline, fitting(timeline, {}), options), full_lines(timeline, 0, options),
                    full_lines(timeline, 1, options)})
    lines.insert(lines.end(), more.begin(), more.end());
  for (const std::string& line : lines) {
    INFO(line);
    CHECK(line.find_first_of("\x1b\n\x07") == std::string::npos);
    CHECK(line.find("\xe2\x80\xae") == std::string::npos);
  }
}

TEST_CASE("an entry shown whole is no wider than the terminal, and colour takes no room") {
  const Timeline timeline = hostile();
  for (const std::string& line : full_lines(timeline, 1, {.width = 80})) CHECK(columns(line) <= 80);
  std::string plain, painted;
  for (const std::string& line : full_lines(timeline, 1, {.width = 80})) plain += line + "\n";
  for (const std::string& line : full_lines(timeline, 1, {.width = 80, .colour = true}))
    painted += line + "\n";
  for (std::size_t at = painted.find('\x1b'); at != std::string::npos; at = painted.find('\x1b'))
    painted.erase(at, painted.find('m', at) - at + 1);
  CHECK(painted == plain);
}

TEST_CASE("a narrow terminal gets two lines a call, none wider than it, and all calls in columns") {
  const Timeline timeline = mission({missions::call(1, "ALLOW"), missions::call(2, "DENY")});
  const auto lines = entry_lines(timeline, fitting(timeline, {}), {.width = 80});
  for (const std::string& line : lines) CHECK(columns(line) <= 80);
  CHECK(entry_lines(timeline, {1, 2}, {.width = 200}).size() == 3);
  CHECK(entry_lines(timeline, {1, 2}, {.width = 50}).size() == 5);
}

TEST_CASE("durations and sizes are said as people say them") {
  CHECK(duration_text(1'240'000) == "1.2 ms");
  CHECK(duration_text(340'000'000) == "340 ms");
  CHECK(duration_text(9'960'000'000) == "10 s");
  CHECK(duration_text(182 * second) == "3 min 2 s");
  CHECK(duration_text(-5) == "0.0 ms");
  CHECK(after_text(3723'004'000'000) == "1:02:03.004");
  CHECK(size_text(999) == "999 B");
  CHECK(size_text(1200) == "1.2 kB");
}

TEST_CASE("a filter on calls leaves out events, one on time or text does not") {
  Timeline timeline = mission({missions::call(1, "ALLOW"), missions::call(2, "DENY")});
  std::get<Call>(timeline.entries[2]).breaches = {{3, "rule", "malicious", "high", "no-secrets"}};
  using Places = std::vector<std::size_t>;
  CHECK(fitting(timeline, {}) == Places{0, 1, 2});
  CHECK(fitting(timeline, {.server = "files"}) == Places{1, 2});
  CHECK(fitting(timeline, {.tool = "read"}).empty());
  CHECK(fitting(timeline, {.decision = "DENY"}) == Places{2});
  CHECK(fitting(timeline, {.violations = true}) == Places{2});
  CHECK(fitting(timeline, {.grep = "MISSION"}) == Places{0});
  CHECK(fitting(timeline, {.grep = "no-SECRETS"}) == Places{2});
  CHECK(fitting(timeline, {.since = 1002 * second}) == Places{2});
  CHECK(fitting(timeline, {.server = "files", .decision = "ALLOW"}) == Places{1});
}

}  // namespace
}  // namespace proxy::replay
