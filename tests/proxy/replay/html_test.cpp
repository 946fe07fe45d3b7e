#include "proxy/replay/html.hpp"

#include "proxy/replay/filter.hpp"
#include "tests/catch.hpp"
#include "tests/proxy/replay/missions.hpp"

namespace proxy::replay {
namespace {

using namespace missions;

std::string page_of(const Timeline& timeline) {
  return timeline_html(timeline, fitting(timeline, {}), sound());
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST_CASE("a page holds hostile names as text alone, wherever they stand") {
  const std::string hostile =
      "<script>alert(1)</script>\"'><img src=x onerror=y>\x1b[2J\xe2\x80\xae{{entries}}";
  Timeline timeline = mission({call(1, "ASK"), call(2, "DENY")});
  for (Entry& entry : timeline.entries) {
    Call* each = std::get_if<Call>(&entry);
    if (each == nullptr) continue;
    for (std::string* text :
         {&each->server, &each->tool, &each->arguments, &each->rule, &each->layer, &each->place, &each->why,
          &each->state, &each->error, &each->found, &each->result, &each->redirected_by})
      *text = hostile;
    each->effects = {{hostile, "DENY", hostile}};
    each->breaches = {{9, hostile, hostile, hostile, hostile}};
    each->answer =
        Answered{7, each->time + 5, "allow", hostile, hostile + "\n" + hostile, Answered::Words::proven};
    each->settled = each->time + 5;
  }
  timeline.entries.emplace_back(Event{
      .kind = Event::Kind::trouble, .record = 90, .time = timeline.end, .type = "other", .text = hostile});
  timeline.span.id = timeline.agent = timeline.workspace = timeline.commit = timeline.state = hostile;
  timeline.servers = {{hostile, hostile, hostile, hostile, hostile}};
  timeline.policies = {{hostile, hostile, 3}};
  Checked checked = sound();
  checked.loss = checked.unproven = hostile;
  checked.here = {{4, hostile}};
  const std::string page = timeline_html(timeline, fitting(timeline, {}), checked);
  CHECK(count(page, "<script") == 1);
  CHECK(count(page, "<img") == 0);
  CHECK(page.find('\x1b') == std::string::npos);
  CHECK(page.find("\xe2\x80\xae") == std::string::npos);
  CHECK(count(page, "\"'>") == 0);
  CHECK(count(page, "id=\"call-1\"") == 1);  // what looks like a place of the template is none
}

TEST_CASE("a page loads nothing and its policy lets it load nothing") {
  const std::string page = page_of(mission({call(1, "ALLOW"), call(2, "ASK"), call(3, "DENY")}));
  CHECK(page.find("default-src 'none'; style-src 'sha256-") != std::string::npos);
  for (const char* outside : {"http:", "https:", " src=", "@import", "url(h", "//", "style=\"", "onclick"}) {
    INFO(outside);
    const std::size_t at = page.find(outside);
    // A comment of the script is the only `//`.
    CHECK((at == std::string::npos || (std::string(outside) == "//" && page.rfind("<script>", at) < at)));
  }
}

TEST_CASE(
    "ten thousand calls are drawn in columns, each call is on the page, and a few hundred are drawn one by "
    "one") {
  std::vector<Call> calls;
  for (std::uint64_t i = 1; i <= 10'000; ++i) calls.push_back(call(i, i % 3 == 0 ? "DENY" : "ALLOW"));
  const std::string large = page_of(mission(calls));
  CHECK(count(large, "<li class=\"call ") == 10'000);
  CHECK(count(large, "<a class=\"mark ") <= 2 * 160);
  calls.resize(200);
  CHECK(count(page_of(mission(calls)), "<a class=\"mark ") == 200);
}

TEST_CASE("a page without a call, or of one moment, is a page") {
  CHECK(page_of(mission({})).find("0 calls") != std::string::npos);
  CHECK(page_of(mission({call(1, "ALLOW")})).find("<svg class=\"plot\"") != std::string::npos);
}

}  // namespace
}  // namespace proxy::replay
