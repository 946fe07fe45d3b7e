#include "proxy/commands/record_text.hpp"

#include <algorithm>
#include <chrono>

#include "approvals/answer.hpp"
#include "tests/catch.hpp"

namespace proxy::commands {
namespace {

using Lines = std::vector<std::string>;
using ledger::Record;
using ledger::Type;

constexpr std::int64_t noon = 1'796'000'400'000'000'000;

TEST_CASE("a decision is shown with its time and its expiry in UTC") {
  Record record;
  record.sequence = 5;
  record.type = Type::decision;
  record.time = noon;
  record.mission = "m-1";
  record.call = 2;
  record.server = "files";
  record.capability = ledger::Capability{"tools/call", "write_file", {"use", "write"}, {}};
  record.decision = "ASK";
  record.rules = {{"write-here", "user", "ASK"}};
  record.details["expires"] = std::to_string(noon + 1'500'000'000);
  CHECK(record_title(record) == "record 5: decision, 2026-11-30T01:00:00.000Z");
  CHECK(record_lines(record) == Lines{"  mission    m-1, call 2 of its run", "  server     files",
                                      "  call       tools/call write_file: use, write", "  decision   ASK",
                                      "  rule       write-here (user): ASK",
                                      "  expires    2026-11-30T01:00:01.500Z"});
}

TEST_CASE("an outcome's duration is shown in milliseconds, an answer's end in UTC") {
  Record outcome;
  outcome.type = Type::outcome;
  outcome.answers = ledger::Reference{5, {}};
  outcome.outcome = ledger::Outcome{"answered", "", true, 17, 12'345'678};
  CHECK(record_lines(outcome) ==
        Lines{"  answers    record 5", "  outcome    answered, an error, 17 bytes after 12.346 ms"});
  Record answer;
  answer.type = Type::answer;
  answer.operator_ = ledger::Operator{"allow", "same-user", "0123456789abcdef", "", noon};
  CHECK(record_lines(answer) ==
        Lines{"  operator   allow, as same-user, key 01234567, usable until 2026-11-30T01:00:00.000Z"});
}

TEST_CASE("no name of a record reaches the terminal unescaped, nor a second line") {
  const std::string bad = "a\n\x1b[2J";
  Record record;
  record.type = Type::violation;
  record.mission = bad;
  record.server = bad;
  record.agent = ledger::Agent{bad, bad, bad, {}, ""};
  record.capability = ledger::Capability{bad, bad, {}, {}};
  record.rules = {{bad, bad, "DENY"}};
  record.violation = ledger::Violation{bad, bad, "high", bad};
  record.outcome = ledger::Outcome{"failed", bad, false, 0, 0};
  record.redacted[bad] = 1;
  record.details[bad] = bad;
  for (const std::string& line : record_lines(record))
    CHECK(std::none_of(line.begin(), line.end(), [](char c) { return c == '\n' || c == '\x1b'; }));
}

TEST_CASE("payloads stand behind gutters, laid out when they are JSON") {
  const Record record;
  CHECK(payload_lines(record, {"arguments", {}, 7}, R"({"a":1})", {}) ==
        Lines{"payload arguments, 7 bytes", "│ {", "│   \"a\": 1", "│ }"});
  CHECK(payload_lines(record, {"workspace", {}, 2}, "/w", {}) == Lines{"payload workspace, 2 bytes", "│ /w"});
  CHECK(payload_lines(record, {"result", {}, 2}, std::nullopt, {}) == Lines{"payload result, 2 bytes: gone"});
  const auto cut = payload_lines(record, {"result", {}, 70'000}, std::string(70'000, 'x'), {});
  CHECK(cut.back() == "… 4464 more bytes; `--json` prints all");
}

TEST_CASE("effects are shown as what asks and why, an operator's words as said or as changed") {
  const Record record;
  CHECK(payload_lines(record, {"effects", {}, 1},
                      R"([{"effect":"write","summary":"write /w/a","tier":"ASK","rule":"r","layer":"user"}])",
                      {}) ==
        Lines{"payload effects, 1 bytes", "asks", "│ write /w/a", "  by rule «r (user)»"});
  CHECK(payload_lines(record, {"effects", {}, 1}, "?", {}) == Lines{"payload effects, 1 bytes", "│ ?"});

  Record decision;
  decision.capability = ledger::Capability{};
  const auto key = base::SigningKey::generate();
  const ledger::Append append = approvals::make_answer(decision, {}, approvals::Verdict::deny, "not now",
                                                       base::WallTime(), key, std::string(16, 'n'));
  const auto& [answer, payloads] = append.drafts.front();
  CHECK(payload_lines(answer, {"rationale", {}, 40}, payloads.front().bytes, {}) ==
        Lines{"payload rationale, 40 bytes", "│ not now"});
  CHECK(payload_lines(answer, {"rationale", {}, 3}, "yes", {}) ==
        Lines{"payload rationale, 3 bytes, changed since it was signed", "│ yes"});
}

}  // namespace
}  // namespace proxy::commands
