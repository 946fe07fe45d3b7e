#include "proxy/replay/mission_span.hpp"

#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"

namespace proxy::replay {
namespace {

TEST_CASE("a mission is found by its name, by the record it began with, or as the last") {
  scratch::Folder folder;
  {
    auto writer = ledger::Writer::open(folder.place(), scratch::options()).value();
    const auto put = [&](ledger::Record record) {
      return writer->append_now(scratch::one(std::move(record))).value().records.front().sequence;
    };
    const auto end = [&](const std::string& mission) {
      ledger::Record record;
      record.type = ledger::Type::mission_end;
      record.mission = mission;
      return put(record);
    };
    const std::uint64_t first = put(scratch::mission_start("nightly", 1));
    end("nightly");
    const std::uint64_t second = put(scratch::mission_start("nightly", 2));
    const std::uint64_t other = put(scratch::mission_start("other@x", 3));
    const auto reader = ledger::Reader::open(folder.place()).value();
    const auto found = [&](const std::string& text) { return find_mission(*reader, text); };
    CHECK(found("nightly").value().first == second);
    CHECK(found("nightly@" + std::to_string(first)).value() == MissionSpan{"nightly", first, second - 1});
    CHECK(found("last").value().id == "other@x");
    CHECK(found("other@x").value().first == other);
    CHECK(found("nightly@" + std::to_string(other)).error().code() == base::Code::not_found);
    CHECK(found("night").error().code() == base::Code::not_found);
  }
}

}  // namespace
}  // namespace proxy::replay
