#include "ledger/leftovers.hpp"

namespace ledger {

void Leftovers::add(const Record& record, const base::Digest& leaf) {
  next_ = record.sequence + 1;
  if (record.writer == writer_) add_mine(record, leaf);
  if (record.type == Type::outcome && record.answers) calls_.erase(record.answers->sequence);
  const std::string of = record.detail("of");
  if (record.type == Type::writer_stop && (of.empty() ? record.writer : of) == writer_) stopped_ = true;
}

void Leftovers::add_mine(const Record& record, const base::Digest& leaf) {
  if (record.type == Type::writer_start) start_ = Reference{record.sequence, leaf};
  if (record.type == Type::decision) {
    const auto joins = record.details.find("joins");
    const bool joined = record.decision == "ASK" && joins != record.details.end();
    if (joined) joined_.insert(joins->second);
    if (joined || record.decision == "ALLOW")
      calls_[record.sequence] = {{record.sequence, leaf}, record.mission, record.server, record.call};
  }
  // The outcome of a joined call answers that call's own decision, which is in calls_ already.
  if (record.type == Type::released && record.answers &&
      !joined_.contains(std::to_string(record.answers->sequence)))
    calls_[record.answers->sequence] = {*record.answers, record.mission, record.server, record.call};
}

std::vector<Record> Leftovers::closing(const Fold& fold) const {
  std::vector<Record> records;
  if (!start_ || stopped_) return records;
  for (const auto& [sequence, call] : calls_) {
    Record record;
    record.type = Type::outcome;
    record.answers = call.decision;
    record.mission = call.mission;
    record.server = call.server;
    record.call = call.number;
    record.outcome = Outcome{"unknown", "writer_died", false, 0, 0};
    records.push_back(std::move(record));
  }
  for (const auto& [sequence, ask] : fold.asks()) {
    if (ask.writer != writer_ || ask.detached()) continue;
    Record record;
    record.type = Type::withdrawn;
    record.answers = Reference{ask.decision, ask.leaf};
    record.mission = ask.mission;
    record.server = ask.server;
    record.details["cause"] = "dead";
    records.push_back(std::move(record));
  }
  Record stop;
  stop.type = Type::writer_stop;
  stop.answers = start_;
  stop.details = {{"of", writer_}, {"reason", "died"}};
  records.push_back(std::move(stop));
  return records;
}

}  // namespace ledger
