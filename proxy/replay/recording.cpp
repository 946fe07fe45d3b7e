#include "proxy/replay/recording.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "proxy/base/json.hpp"
#include "proxy/base/text.hpp"
#include "proxy/recorded/scene.hpp"
#include "proxy/replay/request_key.hpp"

namespace proxy::replay {
namespace {

using base::json::Value;
using ledger::Record;
using ledger::StoredRecord;
using ledger::Type;

class Reading {
 public:
  Reading(const ledger::Reader& reader, const MissionSpan& span, const std::string& server)
      : reader_(reader), span_(span), server_(server) {
    recording_.mission = span.id;
  }

  bool add(const StoredRecord& stored) {
    const Record& record = stored.record;
    if (record.sequence > span_.last) return false;
    if (!span_.holds(record)) return true;
    recording_.ledger = record.ledger;
    base::Result<void> done;
    if (record.type == Type::session_start) done = add_session(stored);
    if (record.type == Type::decision && record.capability && record.detail("answer_of").empty())
      done = add_call(stored);
    if (record.type == Type::outcome && record.answers) done = add_outcome(stored);
    if (!done) failed_ = done;
    return done.has_value();
  }

  base::Result<Recording> take() {
    if (!failed_) return failed_.error();
    if (servers_.empty()) return base::Error(base::Code::not_found, "no call of that server is on record");
    if (servers_.size() > 1) {
      std::string names;
      for (const std::string& each : servers_) names += (names.empty() ? "" : ", ") + base::quoted(each);
      return base::Error(base::Code::invalid,
                         "the mission had several servers, " + names + ": say which by --server");
    }
    recording_.server = *servers_.begin();
    return std::move(recording_);
  }

 private:
  base::Result<void> add_session(const StoredRecord& stored) {
    const Record& record = stored.record;
    if (!server_.empty() && record.detail("server") != server_ && record.server != server_) return {};
    recording_.server_name = record.detail("server_name");
    recording_.server_version = record.detail("server_version");
    if (record.agent) recording_.protocol = record.agent->protocol;
    const auto scene = payload(stored, "scene");
    if (!scene) return scene.error();
    if (const auto read = *scene ? scene_from_payload(**scene) : std::nullopt)
      recording_.workspace = read->workspace;
    return {};
  }

  base::Result<void> add_call(const StoredRecord& stored) {
    const Record& record = stored.record;
    if (!server_.empty() && record.server != server_) return {};
    servers_.insert(record.server);
    Exchange exchange{record.sequence, record.capability->method, record.capability->tool, {}, {}, false, {}};
    const auto has = [&](const char* slot) {
      return std::any_of(record.payloads.begin(), record.payloads.end(),
                         [&](const auto& each) { return each.slot == slot; });
    };
    exchange.gone = record.decision == "DENY" ? "it was refused by policy" : "it was not answered";
    if (has("arguments")) {
      auto arguments = payload(stored, "arguments");
      if (!arguments) return arguments.error();
      if (*arguments && base::json::check(**arguments))
        exchange.arguments = std::move(**arguments);
      else
        return {};  // nothing can be held against it
    }
    // A call that was judged again is one exchange, with what came of the last.
    const std::pair at(record.writer, record.call);
    if (const auto known = calls_.find(at); record.call != 0 && known != calls_.end()) {
      by_decision_[record.sequence] = known->second;
      return {};
    }
    calls_[at] = by_decision_[record.sequence] = recording_.exchanges.size();
    recording_.exchanges.push_back(std::move(exchange));
    return {};
  }

  base::Result<void> add_outcome(const StoredRecord& stored) {
    const Record& record = stored.record;
    const auto at = by_decision_.find(record.answers->sequence);
    if (at == by_decision_.end() || !record.outcome) return {};
    Exchange& exchange = recording_.exchanges[at->second];
    if (record.outcome->status != "answered") {
      exchange.gone = record.outcome->status == "refused" ? "the operator refused it" : "it was not answered";
      return {};
    }
    if (record.detail("result") == "withheld")
      return void(exchange.gone = "its answer was withheld"), base::Result<void>();
    if (!record.redacted.empty())
      return void(exchange.gone = "its answer was redacted"), base::Result<void>();
    auto result = payload(stored, "result");
    if (!result) return result.error();
    exchange.gone = *result ? "" : "its answer was not kept";
    if (!*result) return {};
    const auto value = base::json::parse(**result);
    if (!value) return void(exchange.gone = "its answer cannot be read"), base::Result<void>();
    exchange.error = record.outcome->is_error && value->is_object() && value->contains("code") &&
                     (*value)["code"].is_number_integer() && !value->contains("content");
    exchange.answer = std::move(**result);
    return {};
  }

  // nullopt: gone, or it cannot be opened.
  base::Result<std::optional<std::string>> payload(const StoredRecord& stored, const char* slot) const {
    auto bytes = reader_.payload(stored, slot);
    if (!bytes &&
        (bytes.error().code() == base::Code::invalid || bytes.error().code() == base::Code::unavailable))
      return std::optional<std::string>();
    return bytes;
  }

  const ledger::Reader& reader_;
  const MissionSpan& span_;
  const std::string& server_;
  Recording recording_;
  std::set<std::string> servers_;
  std::map<std::pair<std::string, std::uint64_t>, std::size_t> calls_;  // writer and call → exchange
  std::map<std::uint64_t, std::size_t> by_decision_;
  base::Result<void> failed_;
};

std::string quoted_json(std::string_view text) {
  std::string out;
  base::json::append_string(out, text);
  return out;
}

base::Error broken(std::size_t line, const std::string& why) {
  return {base::Code::invalid, "not a cassette: " + why, "line " + std::to_string(line)};
}

constexpr int version = 1;

std::string header_of(const Recording& recording) {
  std::string line = "{\"cassette\":" + std::to_string(version);
  for (const auto& [key, value] : {std::pair{"ledger", &recording.ledger},
                                   {"mission", &recording.mission},
                                   {"server", &recording.server},
                                   {"server_name", &recording.server_name},
                                   {"server_version", &recording.server_version},
                                   {"protocol", &recording.protocol},
                                   {"workspace", &recording.workspace}})
    line += ",\"" + std::string(key) + "\":" + quoted_json(*value);
  return line + "}\n";
}

// Arguments and answers stand as text, so that they come back byte by byte.
std::string line_of(const Exchange& exchange) {
  return "{\"record\":" + std::to_string(exchange.record) + ",\"method\":" + quoted_json(exchange.method) +
         ",\"name\":" + quoted_json(exchange.name) + ",\"arguments\":" + quoted_json(exchange.arguments) +
         ",\"" + (exchange.error ? "error" : "result") + "\":" + quoted_json(exchange.answer) +
         ",\"gone\":" + quoted_json(exchange.gone) + "}\n";
}

std::string text_in(const Value& value, const char* key) {
  const auto found = value.find(key);
  return found != value.end() && found->is_string() ? found->get<std::string>() : std::string();
}

}  // namespace

base::Result<Recording> read_recording(const ledger::Reader& reader, const MissionSpan& span,
                                       const std::string& server) {
  Reading reading(reader, span, server);
  const auto scanned =
      reader.scan_mission(span.id, [&](const StoredRecord& stored) { return reading.add(stored); });
  if (!scanned) return scanned.error();
  return reading.take();
}

std::string cassette_of(const Recording& recording) {
  std::string text = header_of(recording);
  for (const Exchange& exchange : recording.exchanges) text += line_of(exchange);
  return text;
}

base::Result<Recording> recording_from(std::string_view cassette) {
  Recording recording;
  std::size_t number = 0;
  while (!cassette.empty()) {
    ++number;
    const std::size_t end = cassette.find('\n');
    if (end == std::string_view::npos) return broken(number, "its last line has no end");
    const std::string_view line = cassette.substr(0, end + 1);
    cassette.remove_prefix(end + 1);
    const auto value = base::json::parse(line.substr(0, end), {.bytes_max = cassette_bytes_max});
    if (!value) return broken(number, value.error().message());
    if (!value->is_object()) return broken(number, "no object");
    if (number == 1) {
      recording = {text_in(*value, "ledger"),         text_in(*value, "mission"),
                   text_in(*value, "server"),         text_in(*value, "server_name"),
                   text_in(*value, "server_version"), text_in(*value, "protocol"),
                   text_in(*value, "workspace"),      {}};
      if (header_of(recording) != line) return broken(number, "another header, or of another version");
      continue;
    }
    Exchange exchange;
    if (const auto record = value->find("record"); record != value->end() && record->is_number_unsigned())
      exchange.record = record->get<std::uint64_t>();
    exchange.error = value->contains("error");
    exchange.method = text_in(*value, "method");
    exchange.name = text_in(*value, "name");
    exchange.arguments = text_in(*value, "arguments");
    exchange.answer = text_in(*value, exchange.error ? "error" : "result");
    exchange.gone = text_in(*value, "gone");
    if (line_of(exchange) != line) return broken(number, "other members than an exchange has");
    for (const std::string* json : {&exchange.arguments, &exchange.answer})
      if (!json->empty() && !base::json::check(*json)) return broken(number, "what was said is no JSON");
    if (exchange.gone.empty() && exchange.answer.empty())
      return broken(number, "neither an answer nor why there is none");
    recording.exchanges.push_back(std::move(exchange));
  }
  if (number == 0) return broken(1, "it is empty");
  return recording;
}

const std::string& called(const Exchange& exchange) {
  return exchange.name.empty() ? exchange.method : exchange.name;
}

base::Digest key_of(const Exchange& exchange, const std::string& workspace) {
  return request_key(exchange.arguments, workspace, exchange.name.empty());
}

}  // namespace proxy::replay
