#include "proxy/mission/history.hpp"

#include <algorithm>
#include <utility>

#include "proxy/base/clock.hpp"

namespace proxy {
namespace {

std::int64_t utc_now() { return base::wall_now().time_since_epoch().count(); }

}  // namespace

MissionHistory::MissionHistory(ledger::Place place, std::string mission, std::uint64_t start,
                               std::string writer, std::vector<policy::Tally> tallies)
    : place_(std::move(place)),
      mission_(std::move(mission)),
      start_(start),
      writer_(std::move(writer)),
      passed_(mission_, std::move(tallies)),
      next_(start) {}

void MissionHistory::count(std::vector<policy::Tally> tallies) {
  passed_ = PassedCalls(mission_, std::move(tallies));
  next_ = start_;
  cut_ = readable_ = false;
  now_ = {};
}

const policy::History& MissionHistory::before(std::uint64_t call, const Log& log) {
  over(call);  // what it was judged as before is void
  const auto read = this->read();
  readable_ = read.has_value();
  if (!readable_) {
    log("what passed before in the mission cannot be read: " + read.error().text());
    reader_.reset();
    now_ = {};
    return now_;
  }
  policy::History& history = passed_.history();
  history.set_now(utc_now());
  if (under_way_.empty()) return history;
  now_ = history;
  for (const auto& [number, way] : under_way_)
    for (const policy::Tally& tally : passed_.tallies())
      if (tally.kind != policy::TallyKind::certain &&
          std::find(way.tallies.begin(), way.tallies.end(), tally.id) != way.tallies.end())
        now_.add(tally, {0, way.since});
  return now_;
}

std::optional<std::uint64_t> MissionHistory::judged(std::uint64_t call, const policy::Decision& decision,
                                                    bool approved) {
  using policy::Tier;
  const bool passes = decision.tier == Tier::allow || (decision.tier == Tier::ask && approved);
  if (passes && !decision.tallies.empty()) under_way_[call] = {utc_now(), decision.tallies};
  return readable_ && next_ > 0 ? std::optional(next_ - 1) : std::nullopt;
}

void MissionHistory::answered(std::uint64_t decision, bool is_error) {
  if (!is_error) passed_.answered(decision);
}

base::Result<void> MissionHistory::read() {
  if (!reader_) {
    auto reader = ledger::Reader::open(place_);
    if (!reader) return reader.error();
    reader_ = std::move(*reader);
  }
  const auto head = reader_->head();
  if (!head) return head.error();
  const std::uint64_t end = *head ? (*head)->sequence + 1 : 0;
  if (end > next_ + history_records_max) {
    next_ = end - history_records_max;
    cut_ = true;
  }
  return reader_->scan(next_, ~std::uint64_t{0}, [this](const ledger::StoredRecord& stored) {
    use(stored.record);
    return true;
  });
}

void MissionHistory::use(const ledger::Record& record) {
  if (std::exchange(cut_, false)) passed_.history().forget(record.time);
  passed_.apply(record);
  next_ = record.sequence + 1;
  const bool passes = record.type == ledger::Type::released ||
                      (record.type == ledger::Type::decision && record.decision == "ALLOW");
  if (passes && record.writer == writer_) under_way_.erase(record.call);
}

}  // namespace proxy
