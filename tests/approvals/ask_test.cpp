#include "approvals/ask.hpp"

#include <algorithm>

#include "tests/approvals/samples.hpp"
#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"

namespace {

using namespace std::chrono_literals;

ledger::Append ask(base::WallTime expires) {
  ledger::Record record = scratch::decision("m", "ASK");
  record.details["expires"] = std::to_string(expires.time_since_epoch().count());
  ledger::Append append = scratch::one(record);
  append.drafts[0].payloads.push_back({"arguments", R"({"path":"a.txt"})"});
  return append;
}

TEST_CASE("of the calls that wait only those not known are read") {
  const scratch::Folder folder;
  const auto writer = ledger::Writer::open(folder.place(), scratch::options()).value();
  const base::WallTime now = base::wall_now();
  writer->append_now(ask(now + 2min)).value();
  const auto reader = ledger::Reader::open(folder.place()).value();
  auto known = approvals::waiting_views(*reader, now, {}).value();
  REQUIRE(known.size() == 1);
  CHECK(known[0].arguments == R"({"path":"a.txt"})");

  writer->append_now(ask(now + 1min)).value();
  known[0].arguments = "as it was read before";
  const auto waiting = approvals::waiting_views(*reader, now, known).value();
  REQUIRE(waiting.size() == 2);
  CHECK(waiting[0].arguments == R"({"path":"a.txt"})");
  CHECK(waiting[1].arguments == "as it was read before");
  CHECK(approvals::waiting_views(*reader, now + 90s, waiting).value().size() == 1);

  known[0].decision.leaf = base::sha256("another ledger's");
  CHECK(approvals::waiting_views(*reader, now, known).value()[1].arguments == R"({"path":"a.txt"})");
}

approvals::AskView view_of_write() {
  approvals::AskView view;
  view.decision = approvals::samples::ask(7);
  view.decision.record.agent = ledger::Agent{.name = "scripted-agent", .version = "1.0"};
  view.effects = {
      {.effect = "use", .summary = "use files/write_file", .tier = "ALLOW"},
      {.effect = "read", .summary = "read /w/in.txt", .tier = "ALLOW", .rule = "reads"},
      {.effect = "write", .summary = "write /w/a.txt", .tier = "ASK", .rule = "writes", .layer = "user"}};
  view.expires = approvals::samples::at(approvals::samples::ask_lasts);
  return view;
}

std::vector<std::string> lines_of(const approvals::AskView& view) {
  return approvals::full_text(view, approvals::samples::at(0s), approvals::RenderOptions(), false);
}

std::ptrdiff_t line_of(const std::vector<std::string>& lines, std::string_view text) {
  return std::find_if(lines.begin(), lines.end(),
                      [&](const std::string& line) { return line.find(text) != std::string::npos; }) -
         lines.begin();
}

bool has(const std::vector<std::string>& lines, std::string_view text) {
  return line_of(lines, text) < std::ssize(lines);
}

TEST_CASE("who answers reads first what asks, then what is allowed beside it") {
  const auto lines = lines_of(view_of_write());
  REQUIRE(has(lines, "read /w/in.txt"));
  CHECK(line_of(lines, "write /w/a.txt") < line_of(lines, "read /w/in.txt"));
  CHECK_FALSE(has(lines, "use files/write_file"));
  CHECK_FALSE(has(lines, "beside that"));
  auto guessed = view_of_write();
  guessed.effects->push_back({.effect = "read", .summary = "read /w/x (a guess)", .tier = "ALLOW"});
  CHECK(has(lines_of(guessed), "beside that 1 effect on record that no rule covers: a guess"));
  CHECK(has(lines, "by rule «writes (user)»"));
  CHECK(approvals::headline(view_of_write(), approvals::samples::at(0s)) ==
        "7  «files» «write_file»  expires in 10:00  «write /w/a.txt» and 1 more");
  CHECK(approvals::answered_line(view_of_write()) == "7  «files» «write_file»  «write /w/a.txt» and 1 more");
}

TEST_CASE("what was found in a content is on record and shown") {
  policy::Decision decision;
  decision.effects.push_back({.kind = policy::EffectKind::write});
  decision.reasons.push_back({.rule = "secrets", .found = "`@secrets` (jwt) in `/content`, line 2"});
  auto view = view_of_write();
  view.effects = approvals::effects_from_payload(approvals::effects_payload(decision)).value();
  CHECK(has(lines_of(view), "found in its content «`@secrets` (jwt) in `/content`, line 2»"));
  CHECK(approvals::to_json(view)["effects"][0]["found"] == "`@secrets` (jwt) in `/content`, line 2");
}

TEST_CASE("effects in JSON have no empty members beside what each has") {
  auto view = view_of_write();
  CHECK(approvals::to_json(view)["effects"] == base::json::Value::parse(R"([
    {"effect": "use", "summary": "use files/write_file", "tier": "ALLOW"},
    {"effect": "read", "summary": "read /w/in.txt", "tier": "ALLOW", "rule": "reads"},
    {"effect": "write", "summary": "write /w/a.txt", "tier": "ASK", "rule": "writes", "layer": "user"}])"));
  view.effects = {{.opaque = true, .note = "n"}};
  CHECK(approvals::to_json(view)["effects"] ==
        base::json::Value::parse(
            R"([{"effect": "", "summary": "", "tier": "", "opaque": true, "note": "n"}])"));
}

TEST_CASE("what leads elsewhere than it says, or is not understood, is shown though no rule covers it") {
  auto view = view_of_write();
  view.effects->push_back({.effect = "read",
                           .summary = "read /w/notes.txt (a guess)",
                           .path = "/home/dev/.ssh/id_rsa",
                           .tier = "ALLOW"});
  view.effects->push_back(
      {.effect = "run", .summary = "run curl evil (a guess)", .tier = "ALLOW", .opaque = true});
  const auto lines = lines_of(view);
  CHECK(has(lines, "leads to «/home/dev/.ssh/id_rsa»"));
  CHECK(has(lines, "not understood"));
  CHECK_FALSE(has(lines, "by the default"));
}

TEST_CASE("a guess that no rule concerns is not shown as allowed") {
  auto view = view_of_write();
  view.effects->push_back({.effect = "delete",
                           .summary = "delete /w/notes.txt (a guess)",
                           .path = "/w/notes.txt",
                           .tier = "ALLOW"});
  CHECK_FALSE(has(lines_of(view), "delete /w/notes.txt"));
  view.effects->back().path = "/elsewhere";
  CHECK(has(lines_of(view), "delete /w/notes.txt"));
  CHECK(has(lines_of(view), "perhaps, and no rule concerns it"));
}

TEST_CASE(
    "of a variable that makes a command opaque the operator reads which key can name it, and why once") {
  auto view = view_of_write();
  view.effects->push_back({.effect = "run",
                           .summary = "run git status (not understood)",
                           .tier = "ASK",
                           .why = "not understood: the variable `FOO` may change what runs",
                           .opaque = true,
                           .note = "the variable `FOO` may change what runs"});
  const auto lines = lines_of(view);
  CHECK(has(lines, "`neutral_variables` of your policy can name it"));
  CHECK_FALSE(has(lines, "note «the variable"));
  view.effects->back().note = "code that is not known";
  CHECK_FALSE(has(lines_of(view), "neutral_variables"));
}

TEST_CASE("an ask about an answer names the call that it came from") {
  const scratch::Folder folder;
  const auto writer = ledger::Writer::open(folder.place(), scratch::options()).value();
  ledger::Append passed = scratch::one(scratch::decision("m", "ALLOW"));
  passed.drafts[0].payloads.push_back({"arguments", R"({"path":"keys.txt"})"});
  passed.drafts[0].payloads.push_back(
      {"effects",
       R"([{"effect":"use","summary":"use files/read_file","tier":"ALLOW"},{"effect":"read","summary":"read /w/keys.txt","tier":"ALLOW","rule":"r"}])"});
  const std::uint64_t call = writer->append_now(std::move(passed)).value().records.front().sequence;
  const base::WallTime now = base::wall_now();
  ledger::Append append = ask(now + 1min);
  append.drafts[0].record.details["answer_of"] = std::to_string(call);
  writer->append_now(std::move(append)).value();
  const auto reader = ledger::Reader::open(folder.place()).value();
  const auto waiting = approvals::waiting_views(*reader, now, {}).value();
  REQUIRE(waiting.size() == 1);
  const std::string name = "call " + std::to_string(call);
  CHECK(approvals::headline(waiting[0], now).find("answer of " + name + " «read /w/keys.txt»") !=
        std::string::npos);
  CHECK(has(lines_of(waiting[0]), "the answer of " + name));
  CHECK(has(lines_of(waiting[0]), "read /w/keys.txt"));
  CHECK(approvals::to_json(waiting[0])["answer_of"] ==
        base::json::Value{
            {"id", call}, {"summary", "read /w/keys.txt"}, {"arguments", {{"path", "keys.txt"}}}});
}

TEST_CASE("the agent is shown as it names itself, or not at all") {
  auto view = view_of_write();
  CHECK(has(lines_of(view), "agent, as it claims, «scripted-agent 1.0»"));
  view.decision.record.agent->version.clear();
  CHECK(has(lines_of(view), "agent, as it claims, «scripted-agent»"));
  view.decision.record.agent->name.clear();
  CHECK_FALSE(has(lines_of(view), "as it claims"));
}

TEST_CASE("the agent of an ask is the one that the ask's own record names") {
  const scratch::Folder folder;
  const auto writer = ledger::Writer::open(folder.place(), scratch::options()).value();
  const base::WallTime now = base::wall_now();
  ledger::Append append = ask(now + 1min);
  append.drafts[0].record.agent = ledger::Agent{.name = "hasty", .version = "2"};
  writer->append_now(std::move(append)).value();
  const auto reader = ledger::Reader::open(folder.place()).value();
  const auto waiting = approvals::waiting_views(*reader, now, {}).value();
  REQUIRE(waiting.size() == 1);
  CHECK(waiting[0].decision.record.agent->name == "hasty");
}

}  // namespace
