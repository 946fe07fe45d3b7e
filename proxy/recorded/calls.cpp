#include "proxy/recorded/calls.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "proxy/base/json.hpp"
#include "proxy/mission/passed_calls.hpp"

namespace proxy {
namespace {

using ledger::Record;
using ledger::StoredRecord;
using ledger::Type;

constexpr std::size_t shown_numbers_max = 8;

struct Session {
  std::string agent, catalogue_entry;
  std::optional<RecordedScene> scene;
};

bool has(const Record& record, std::string_view slot) {
  return std::any_of(record.payloads.begin(), record.payloads.end(),
                     [&](const ledger::Commitment& each) { return each.slot == slot; });
}

// Each writer carries one session.
class Calls {
 public:
  Calls(const ledger::Reader& reader, const std::string& mission) : reader_(reader), mission_(mission) {}

  base::Result<void> learn() {
    base::Result<void> failed;
    const auto scanned = reader_.scan(0, ~std::uint64_t{0}, [&](const StoredRecord& stored) {
      const Record& record = stored.record;
      if (record.type == Type::session_start) failed = learn_session(stored);
      learn_call(record);
      return failed.has_value();
    });
    return scanned ? failed : scanned;
  }

  base::Result<void> each_decision(
      const std::function<void(const StoredRecord&, RecordedCall, const std::string&)>& use) {
    base::Result<void> failed;
    const auto scanned = reader_.scan(0, ~std::uint64_t{0}, [&](const StoredRecord& stored) {
      const Record& record = stored.record;
      if (record.type != Type::decision || !record.capability || record.mission != mission_) return true;
      RecordedCall call;
      const auto why = make(stored, call);
      if (!why) failed = why.error();
      if (!failed) return false;
      use(stored, std::move(call), *why);
      return true;
    });
    return scanned ? failed : scanned;
  }

  base::Result<LeftOut> each(const std::function<void(RecordedCall)>& use,
                             const std::function<void(const RecordedCall&)>& cannot) {
    LeftOut left_out;
    base::Result<void> failed;
    const auto scanned = reader_.scan(0, ~std::uint64_t{0}, [&](const StoredRecord& stored) {
      const Record& record = stored.record;
      if (record.type != Type::decision || !record.capability) return true;
      if (!mission_.empty() && record.mission != mission_) return true;
      if (last_[{record.writer, record.call}] != record.sequence) return true;
      RecordedCall call;
      const auto why = make(stored, call);
      if (!why) failed = why.error();
      if (!failed) return false;
      if (why->empty()) {
        use(std::move(call));
        return true;
      }
      left_out[*why].push_back(record.sequence);
      if (cannot) cannot(call);
      return true;
    });
    if (!scanned) return scanned.error();
    if (!failed) return failed.error();
    return left_out;
  }

 private:
  void learn_call(const Record& record) {
    const std::pair at(record.writer, record.call);
    if (record.type == Type::decision) {
      last_[at] = record.sequence;
      passed_.erase(at);
      if (record.decision == "ALLOW") passed_[at] = {record.sequence, record.time};
      if (record.answers) joins_[record.sequence] = record.answers->sequence;
    } else if (record.type == Type::answer && record.answers && record.operator_) {
      if (record.operator_->answer == "deny") refused_.insert(record.answers->sequence);
    } else if (record.type == Type::released) {
      passed_[at] = {record.sequence, record.time};
    } else if (record.type == Type::outcome && record.outcome) {
      const auto passed = passed_.find(at);
      const bool good = record.outcome->status == "answered" && !record.outcome->is_error;
      if (passed != passed_.end() && good) passed->second.answered = record.sequence;
    }
  }

  base::Result<void> learn_session(const StoredRecord& stored) {
    const Record& record = stored.record;
    Session session;
    if (record.agent) session.agent = record.agent->name;
    session.catalogue_entry = record.detail("catalogue");
    const auto scene = reader_.payload(stored, "scene");
    if (!scene) return scene.error();
    if (*scene && record.redacted.empty()) session.scene = scene_from_payload(**scene);
    sessions_[record.writer] = std::move(session);
    return {};
  }

  // Empty: made. Else why it cannot be.
  base::Result<std::string> make(const StoredRecord& stored, RecordedCall& made) {
    const Record& record = stored.record;
    made.sequence = record.sequence;
    made.time = record.time;
    made.decision = record.decision;
    const auto joins = joins_.find(record.sequence);
    made.refused = refused_.contains(joins == joins_.end() ? record.sequence : joins->second);
    made.effects = effect_bits(record.capability->effects);
    made.call.mission = record.mission;
    if (const auto passed = passed_.find({record.writer, record.call}); passed != passed_.end())
      made.passed = passed->second;
    const auto session = sessions_.find(record.writer);
    if (session == sessions_.end() || !session->second.scene)
      return std::string("where its server ran is not on record");
    if (!record.detail("answer_of").empty()) return std::string("it is an answer");
    if (!record.redacted.empty()) return std::string("something of it was redacted");
    if (!record.detail("left_out").empty())
      return std::string("it was not kept whole, so many were there at once");
    made.policy = record.policy.value_or(base::Digest{});
    made.where = *session->second.scene;
    made.call = {.server = record.server,
                 .catalogue_entry = session->second.catalogue_entry,
                 .method = record.capability->method,
                 .tool = record.capability->tool,
                 .arguments = base::json::Value::object(),
                 .agent = session->second.agent,
                 .mission = record.mission};
    auto why = add_arguments(stored, made.call);
    if (why && why->empty()) why = add_folders(stored, made);
    return why;
  }

  // As CallGate has them.
  base::Result<std::string> add_arguments(const StoredRecord& stored, policy::Call& call) {
    if (!has(stored.record, "arguments")) return std::string();
    const auto bytes = reader_.payload(stored, "arguments");
    if (!bytes) return bytes.error();
    if (!*bytes) return std::string("its arguments are gone");
    auto arguments = base::json::parse(**bytes);
    if (!arguments) return std::string("its arguments cannot be read");
    call.arguments = std::move(*arguments);
    if (call.tool.empty() && call.arguments.is_object()) call.arguments.erase("_meta");
    return std::string();
  }

  base::Result<std::string> add_folders(const StoredRecord& stored, RecordedCall& made) {
    made.call.folders = made.where.folders;
    if (!has(stored.record, "folders")) return std::string();
    const auto bytes = reader_.payload(stored, "folders");
    if (!bytes) return bytes.error();
    auto folders = *bytes ? folders_from_payload(**bytes) : std::nullopt;
    if (!folders) return std::string("where its server ran is not on record");
    made.call.folders = std::move(*folders);
    return std::string();
  }

  const ledger::Reader& reader_;
  const std::string& mission_;
  std::map<std::string, Session> sessions_;                              // by writer
  std::map<std::pair<std::string, std::uint64_t>, std::uint64_t> last_;  // writer, call → its last decision
  std::map<std::pair<std::string, std::uint64_t>, Passing> passed_;      // by the same
  std::map<std::uint64_t, std::uint64_t> joins_;  // by the decision: whose ask it waits for
  std::set<std::uint64_t> refused_;               // asks, by their decision
};

}  // namespace

base::Result<LeftOut> each_recorded_call(const ledger::Reader& reader, const std::string& mission,
                                         const std::function<void(RecordedCall)>& use,
                                         const std::function<void(const RecordedCall&)>& cannot) {
  Calls calls(reader, mission);
  if (const auto learnt = calls.learn(); !learnt) return learnt.error();
  return calls.each(use, cannot);
}

base::Result<void> each_recorded_decision(
    const ledger::Reader& reader, const std::string& mission,
    const std::function<void(const StoredRecord&, RecordedCall, const std::string&)>& use) {
  Calls calls(reader, mission);
  if (const auto learnt = calls.learn(); !learnt) return learnt.error();
  return calls.each_decision(use);
}

std::string left_out_text(const LeftOut& left_out) {
  std::string text;
  for (const auto& [why, calls] : left_out) {
    text += std::to_string(calls.size()) + (calls.size() == 1 ? " call is" : " calls are") +
            " not judged: " + why + " (";
    for (std::size_t i = 0; i < std::min(calls.size(), shown_numbers_max); ++i)
      text += (i == 0 ? "" : ", ") + std::to_string(calls[i]);
    text += calls.size() > shown_numbers_max ? ", …)\n" : ")\n";
  }
  return text;
}

}  // namespace proxy
