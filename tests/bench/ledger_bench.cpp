// What a long ledger costs: a ledger of so many records is made as calls make it (a decision with arguments
// and effects, an outcome with a result, a mission of 100 calls), then opened, listed and verified. Prints
// one line a case, `NAME VALUE UNIT`; the floor of verifying is SHA-256 of the same bodies, read from the
// same table. A second ledger has the same records without payloads. `ledger_bench [RECORDS [FOLDER]]`:
// 1,000,000 in a folder of its own; a folder that is given is kept, and used again.

#include <sqlite3.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "ledger/body.hpp"
#include "ledger/database.hpp"
#include "ledger/reader.hpp"
#include "ledger/store.hpp"
#include "ledger/verify.hpp"
#include "ledger/writer.hpp"
#include "proxy/base/file.hpp"
#include "tests/temporary_folder.hpp"

namespace {

using Clock = std::chrono::steady_clock;

double seconds_of(const auto& work) {
  const auto begin = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double median_ms(int rounds, const auto& work) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) times.push_back(seconds_of(work) * 1000);
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

void say(const char* name, double value, const char* unit) {
  std::printf("%-28s %12.2f %s\n", name, value, unit);
}

ledger::WriterOptions options() {
  ledger::WriterOptions options;
  options.durability = ledger::Durability::process;
  options.operator_key = [] { return base::Result<std::string>(std::string(64, 'a')); };
  return options;
}

std::string mission_at(std::uint64_t call) { return "m-" + std::to_string(call / 100); }

void add_call(ledger::Append& append, std::uint64_t call) {
  ledger::Record decision;
  decision.type = ledger::Type::decision;
  decision.mission = mission_at(call);
  decision.call = call % 100 + 1;
  decision.server = "files";
  decision.policy = base::sha256("a policy");
  decision.capability =
      ledger::Capability{"tools/call", "read_file", {"use", "read"}, base::sha256(std::to_string(call))};
  decision.decision = "ALLOW";
  decision.rules = {{"read-sources", "repository", "ALLOW"}};
  const std::string path = "src/module-" + std::to_string(call % 97) + "/file.cpp";
  append.drafts.push_back(
      {decision,
       {{"arguments", "{\"path\":\"" + path + "\"}"},
        {"effects", "[{\"effect\":\"read\",\"summary\":\"read " + path + "\",\"tier\":\"ALLOW\"}]"}}});
  ledger::Record outcome;
  outcome.type = ledger::Type::outcome;
  outcome.mission = decision.mission;
  outcome.call = decision.call;
  outcome.server = "files";
  outcome.answers = ledger::Reference{ledger::Append::answers_previous, {}};
  outcome.outcome = ledger::Outcome{"answered", "", false, 300, 1'000'000};
  append.drafts.push_back({outcome, {{"result", std::string(300, static_cast<char>('a' + call % 26))}}});
}

void make(const ledger::Place& place, std::uint64_t records, bool payloads) {
  const auto writer = ledger::Writer::open(place, options()).value();
  std::uint64_t call = 0;
  while (call * 2 < records) {
    ledger::Append append;
    for (int i = 0; i < 50 && call * 2 < records; ++i) add_call(append, call++);
    if (!payloads)
      for (ledger::Draft& draft : append.drafts) draft.payloads.clear();
    writer->append_now(std::move(append)).value();
  }
}

double floor_seconds(const ledger::Place& place) {
  const auto database =
      ledger::Database::open(ledger::database_path(place), ledger::Database::Mode::read).value();
  return seconds_of([&] {
    auto rows = database.prepare("SELECT body FROM record ORDER BY sequence").value();
    while (rows.step().value()) ledger::leaf_of(rows.blob(0));
  });
}

// False: it is not sound.
bool verify(const std::string& name, const ledger::Place& place) {
  ledger::Report report;
  const double seconds = seconds_of([&] { report = ledger::verify(place).value(); });
  const double floor = floor_seconds(place);
  say((name + "_floor").c_str(), static_cast<double>(report.records) / floor, "records/s");
  say(name.c_str(), static_cast<double>(report.records) / seconds, "records/s");
  say((name + "_to_floor").c_str(), seconds / floor, "x");
  return ledger::is_sound(report.level);
}

}  // namespace

int main(int count, char** arguments) {
  const std::uint64_t records = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1'000'000;
  const TemporaryFolder own;
  const std::string folder = count > 2 ? arguments[2] : own / "state";
  const ledger::Place place{folder}, bodies{folder + "-bodies"};
  for (const ledger::Place* each : {&place, &bodies})
    if (!std::filesystem::exists(ledger::database_path(*each)))
      say(each == &place ? "append" : "append_bodies",
          static_cast<double>(records) / seconds_of([&] { make(*each, records, each == &place); }),
          "records/s");
  say("open_writer", median_ms(5, [&] { ledger::Writer::open(place, options()).value(); }), "ms");
  say("open_reader", median_ms(5, [&] { ledger::Reader::open(place).value(); }), "ms");
  const auto reader = ledger::Reader::open(place).value();
  std::size_t found = 0;
  const std::string mission = mission_at(records / 4);
  say("list_mission",
      median_ms(5,
                [&] {
                  found = 0;
                  reader
                      ->scan_back(
                          [&](const ledger::StoredRecord& stored) {
                            if (stored.record.mission == mission &&
                                reader->payload(stored, "effects").value())
                              ++found;
                            return true;
                          },
                          mission)
                      .value();
                }),
      "ms");
  const bool sound = verify("verify", place) && verify("verify_bodies", bodies) && found > 0;
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  say("resident_max", static_cast<double>(usage.ru_maxrss) / 1024, "MB");
  if (!sound) std::printf("a ledger is not sound, or nothing was listed\n");
  return sound ? 0 : 1;
}
