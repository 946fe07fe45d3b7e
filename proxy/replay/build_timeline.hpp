#pragma once
// A timeline from the records of its mission and their payloads, one after another. Pure.

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "ledger/record.hpp"
#include "proxy/replay/timeline.hpp"

namespace proxy::replay {

// By slot; nullopt: it is committed to and gone. What is not there was never kept.
using Payloads = std::map<std::string, std::optional<std::string>, std::less<>>;

class TimelineBuilder {
 public:
  explicit TimelineBuilder(MissionSpan span);

  // Whether add() would make anything of it: records of the mission, and of the whole ledger what concerns
  // all.
  bool concerns(const ledger::Record& record) const;
  // The slots that add() reads of such a record.
  static std::vector<std::string_view> slots(const ledger::Record& record, bool results);
  // In order of the records.
  void add(const ledger::Record& record, const Payloads& payloads);
  // Something odd but allowed at a record, from verifying: it is put beside the record, or nowhere when that
  // is none of these.
  void note(std::uint64_t record, const std::string& what);
  Timeline take();

 private:
  void add_decision(const ledger::Record& record, const Payloads& payloads);
  void add_to_call(const ledger::Record& record, const Payloads& payloads);
  void add_answer(Call& call, const ledger::Record& record, const Payloads& payloads);
  void add_outcome(Call& call, const ledger::Record& record, const Payloads& payloads);
  void add_event(const ledger::Record& record, const Payloads& payloads);
  void add_mission(const ledger::Record& record, const Payloads& payloads);
  void add_session(const ledger::Record& record);
  void add_policy(const ledger::Record& record, const Payloads& payloads);
  void add_grant(const ledger::Record& record);
  void event(const ledger::Record& record, Event::Kind kind, std::string text);
  ServerSeen& server(const std::string& name);
  Call* call_at(std::uint64_t decision);

  Timeline timeline_;
  std::uint64_t calls_ = 0;
  std::map<std::uint64_t, std::size_t> at_;           // decision → its entry
  std::multimap<std::uint64_t, std::size_t> joined_;  // ask → entries that wait for its answer
  std::map<std::uint64_t, std::uint64_t> outcomes_;   // outcome → its decision
  std::map<std::uint64_t, std::uint64_t> answers_;    // answer → its decision
  std::map<std::pair<std::string, std::uint64_t>, std::size_t> last_;  // writer, call → its entry
  std::map<std::string, std::string> writers_;  // of the mission → the server of its session
};

}  // namespace proxy::replay
