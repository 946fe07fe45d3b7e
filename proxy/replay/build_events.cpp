// What a timeline tells beside the calls.

#include <algorithm>

#include "proxy/base/json.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/base/text.hpp"
#include "proxy/replay/build_timeline.hpp"

namespace proxy::replay {
namespace {

using ledger::Record;
using ledger::Type;

constexpr std::size_t shown_digits = 12;
constexpr std::string_view layer_prefix = "policy-";

std::string because(const Record& record) {
  const std::string reason = record.detail("reason");
  return reason.empty() ? "" : ": " + reason;
}

// `user /home/me/policy.toml, repository /w/.callgate/policy.toml (trusted)`
std::string files_text(const Record& record, const Payloads& payloads) {
  const auto found = payloads.find("policy-files");
  const auto files = base::json::parse(
      found != payloads.end() && found->second ? std::string_view(*found->second) : std::string_view("{}"));
  std::string text;
  for (const auto& [key, digest] : record.details) {
    if (!key.starts_with(layer_prefix)) continue;
    const std::string layer = key.substr(layer_prefix.size());
    text += (text.empty() ? "" : ", ") + layer;
    if (files && files->is_object() && files->contains(layer) && (*files)[layer].is_string())
      text += " " + (*files)[layer].get<std::string>();
    if (layer == "repository") text += record.detail("trusted") == "yes" ? " (trusted)" : " (not trusted)";
  }
  if (record.details.contains("unreadable")) text += (text.empty() ? "" : ", ") + std::string("unreadable");
  return text.empty() ? "built in alone" : text;
}

}  // namespace

void TimelineBuilder::event(const Record& record, Event::Kind kind, std::string text) {
  timeline_.entries.emplace_back(Event{.kind = kind,
                                       .record = record.sequence,
                                       .time = record.time,
                                       .type = ledger::name(record.type),
                                       .server = record.server,
                                       .text = std::move(text)});
}

ServerSeen& TimelineBuilder::server(const std::string& name) {
  const auto found = std::find_if(timeline_.servers.begin(), timeline_.servers.end(),
                                  [&](const ServerSeen& each) { return each.name == name; });
  if (found != timeline_.servers.end()) return *found;
  timeline_.servers.push_back({.name = name});
  return timeline_.servers.back();
}

void TimelineBuilder::add_event(const Record& record, const Payloads& payloads) {
  switch (record.type) {
    case Type::mission_start:
    case Type::mission_pause:
    case Type::mission_resume:
    case Type::mission_terminate:
    case Type::mission_end: return add_mission(record, payloads);
    case Type::session_start:
    case Type::session_end: return add_session(record);
    case Type::tools_pinned:
    case Type::tools_changed: {
      ServerSeen& seen = server(record.server);
      const bool first = record.type == Type::tools_pinned;
      seen.tools = record.detail("digest");
      seen.tools_count = record.detail("count");
      return event(record, Event::Kind::tools,
                   "tools of " + base::quoted(record.server) + (first ? " pinned: " : " changed: now ") +
                       seen.tools_count);
    }
    case Type::policy_loaded:
    case Type::policy_changed: return add_policy(record, payloads);
    case Type::grant: return add_grant(record);
    case Type::degraded:
      return event(record, Event::Kind::trouble,
                   record.detail("reason") == "loss_adopted"
                       ? "records before this one were lost, and the operator went on"
                       : "callgate was degraded" + because(record));
    case Type::writer_stop:
      return event(record, Event::Kind::trouble,
                   "the process that guarded " + base::quoted(writers_[record.detail("of")]) +
                       " died; what it left open was closed");
    case Type::violation:
      if (record.violation)
        return event(record, Event::Kind::trouble,
                     "violation (" + record.violation->kind + ", " + record.violation->severity + ")");
      break;
    default: break;
  }
  std::string text = ledger::name(record.type);
  std::replace(text.begin(), text.end(), '_', ' ');
  event(record, Event::Kind::other, text + because(record));
}

void TimelineBuilder::add_mission(const Record& record, const Payloads& payloads) {
  switch (record.type) {
    case Type::mission_start: {
      timeline_.start = record.time;
      if (record.agent) timeline_.process = record.agent->process.pid;
      if (record.agent) timeline_.commit = record.agent->commit;
      const auto workspace = payloads.find("workspace");
      if (workspace != payloads.end() && workspace->second) timeline_.workspace = *workspace->second;
      return event(record, Event::Kind::mission, "mission began");
    }
    case Type::mission_pause:
      timeline_.state = "paused";
      return event(record, Event::Kind::mission, "mission paused" + because(record));
    case Type::mission_resume:
      timeline_.state = "active";
      return event(record, Event::Kind::mission, "mission went on" + because(record));
    case Type::mission_terminate:
      timeline_.state = "terminated";
      return event(record, Event::Kind::mission, "mission terminated" + because(record));
    default:
      if (timeline_.state != "terminated") timeline_.state = "ended";
      return event(record, Event::Kind::mission, "mission ended" + because(record));
  }
}

void TimelineBuilder::add_session(const Record& record) {
  if (record.type == Type::session_end)
    return event(record, Event::Kind::session,
                 "session with " + base::quoted(record.server) + " ended" + because(record));
  writers_[record.writer] = record.server;
  ServerSeen& seen = server(record.server);
  seen.server_name = record.detail("server_name");
  seen.server_version = record.detail("server_version");
  if (record.agent && !record.agent->name.empty()) {
    timeline_.agent = record.agent->name + (record.agent->version.empty() ? "" : " " + record.agent->version);
    timeline_.protocol = record.agent->protocol;
    if (timeline_.process == 0) timeline_.process = record.agent->process.pid;
    if (timeline_.commit.empty()) timeline_.commit = record.agent->commit;
  }
  std::string text = "session with " + base::quoted(record.server) + " began";
  if (!seen.server_name.empty())
    text += ": " + seen.server_name + (seen.server_version.empty() ? "" : " " + seen.server_version);
  event(record, Event::Kind::session, text);
}

void TimelineBuilder::add_policy(const Record& record, const Payloads& payloads) {
  const std::string digest = record.policy ? base::hex(*record.policy) : "";
  const std::string files = files_text(record, payloads);
  const bool known = std::any_of(timeline_.policies.begin(), timeline_.policies.end(),
                                 [&](const PolicySeen& each) { return each.digest == digest; });
  if (!known) timeline_.policies.push_back({digest, files, record.sequence});
  event(record, Event::Kind::policy,
        std::string(record.type == Type::policy_loaded ? "policy " : "policy changed to ") +
            digest.substr(0, shown_digits) + (record.type == Type::policy_loaded ? " loaded: " : ": ") +
            files);
}

void TimelineBuilder::add_grant(const Record& record) {
  const bool given = record.operator_ && record.operator_->answer == "allow";
  const std::uint64_t of = record.answers ? record.answers->sequence : 0;
  if (!given) return event(record, Event::Kind::grant, "grant " + std::to_string(of) + " was taken back");
  Call* call = call_at(of);
  if (call != nullptr) call->grant = record.sequence;
  event(record, Event::Kind::grant,
        "grant " + std::to_string(record.sequence) + " was given, for " + record.detail("scope") +
            (call == nullptr ? "" : ", at call " + std::to_string(call->number)));
}

void TimelineBuilder::note(std::uint64_t record, const std::string& what) {
  const auto after = std::find_if(timeline_.entries.begin(), timeline_.entries.end(),
                                  [&](const Entry& each) { return record_of(each) >= record; });
  if (after == timeline_.entries.end() || record < timeline_.span.first) return;
  Event event{.kind = Event::Kind::clock,
              .record = record,
              .time = time_of(*after),
              .type = "clock",
              .server = {},
              .text = what};
  timeline_.entries.insert(after, std::move(event));
}

}  // namespace proxy::replay
