#include "ledger/fold.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace ledger {
namespace {

// 0, which has always passed, for anything that is not a time.
std::int64_t time_detail(const Record& record, const char* key) {
  const std::string text = record.detail(key);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? value : 0;
}

}  // namespace

const char* name(MissionState state) {
  switch (state) {
    case MissionState::active: return "active";
    case MissionState::paused: return "paused";
    case MissionState::terminated: return "terminated";
    case MissionState::ended: return "ended";
  }
  return "ended";
}

const char* name(AskState state) {
  switch (state) {
    case AskState::open: return "open";
    case AskState::detached: return "detached";
    case AskState::allowed: return "allowed";
    case AskState::denied: return "denied";
    case AskState::expired: return "expired";
    case AskState::withdrawn: return "withdrawn";
    case AskState::released: return "released";
  }
  return "released";
}

const char* name(Hold::Scope scope) {
  switch (scope) {
    case Hold::Scope::mission: return "mission";
    case Hold::Scope::agent: return "agent";
    case Hold::Scope::time: return "time";
    case Hold::Scope::all: return "all";
  }
  return "all";
}

std::optional<Hold> hold_of(const Record& hold_set, const base::Digest& leaf) {
  Hold hold{hold_set.sequence, leaf, Hold::Scope::all, hold_set.detail("of"), 0, 0};
  const std::string scope = hold_set.detail("scope");
  for (const auto each : {Hold::Scope::mission, Hold::Scope::agent, Hold::Scope::time, Hold::Scope::all})
    if (scope == name(each)) {
      hold.scope = each;
      hold.from = time_detail(hold_set, "from");
      hold.until = time_detail(hold_set, "until");
      return hold;
    }
  return std::nullopt;
}

const Hold* Fold::held(const Touched& touched) const {
  const auto covers = [&](const Hold& hold) {
    switch (hold.scope) {
      case Hold::Scope::mission: return hold.of == touched.mission;
      case Hold::Scope::agent: return touched.agents.contains(hold.of);
      case Hold::Scope::time: return touched.first_time <= hold.until && touched.last_time >= hold.from;
      case Hold::Scope::all: return true;
    }
    return true;
  };
  for (const auto& [record, hold] : holds_)
    if (covers(hold)) return &hold;
  return nullptr;
}

bool Mission::judges_by(const base::Digest& policy) const {
  return std::any_of(policies.begin(), policies.end(),
                     [&](const auto& each) { return each.second == policy; });
}

void Fold::apply(const Record& record, const base::Digest& leaf) {
  switch (record.type) {
    case Type::genesis:
      if (record.sequence != 0) return;
      operator_key_ = record.detail("operator_key");
      checkpoint_key_ = record.detail("checkpoint_key");
      return;
    case Type::key_rotation: checkpoint_key_ = record.detail("key"); return;
    case Type::mission_start:
    case Type::mission_pause:
    case Type::mission_resume:
    case Type::mission_terminate:
    case Type::mission_end: return apply_to_mission(record);
    case Type::policy_loaded:
    case Type::policy_changed: end_trust(record); return apply_to_mission(record);
    case Type::policy_trusted: {
      const auto workspace = base::digest_from_hex(record.detail("workspace"));
      if (!workspace || !record.policy || !record.operator_) return;
      if (record.operator_->answer == "allow") {
        trusted_[*workspace] = {*record.policy, record.sequence};
      } else if (const auto now = trusted_.find(*workspace);
                 now != trusted_.end() && now->second.policy == *record.policy) {
        trusted_.erase(now);
      }
      return;
    }
    case Type::grant: return apply_to_grant(record, leaf);
    case Type::hold_set:
      if (auto hold = hold_of(record, leaf)) holds_[record.sequence] = std::move(*hold);
      return;
    case Type::hold_released:
      if (record.answers) holds_.erase(record.answers->sequence);
      return;
    case Type::decision:
      if (record.decision == "ASK") open_ask(record, leaf);
      return;
    case Type::answer:
    case Type::expired:
    case Type::withdrawn:
    case Type::detached:
    case Type::released:
    case Type::outcome: return apply_to_ask(record);
    case Type::writer_stop: {
      const std::string of = record.detail("of");
      for (auto& [id, mission] : missions_) mission.policies.erase(of.empty() ? record.writer : of);
      return;
    }
    case Type::writer_start:
    case Type::session_start:
    case Type::session_end:
    case Type::tools_pinned:
    case Type::tools_changed:
    case Type::redirect:
    case Type::violation:
    case Type::plan:
    case Type::validation:
    case Type::restore:
    case Type::notification:
    case Type::alert:
    case Type::gate_result:
    case Type::telemetry:
    case Type::checkpoint:
    case Type::purge:
    case Type::erase:
    case Type::exported:
    case Type::degraded: return;
  }
}

// Without the file, or with another, what was trusted is a version of before. One that could not be read for
// a while is none.
void Fold::end_trust(const Record& record) {
  if (record.details.contains("unreadable")) return;
  const auto end = [&](std::string_view place, std::string_view now) {
    const auto digest = base::digest_from_hex(place);
    const auto trust = digest ? trusted_.find(*digest) : trusted_.end();
    if (trust != trusted_.end() && base::digest_from_hex(now) != trust->second.policy)
      trust->second.ended = true;
  };
  end(record.detail("workspace"), record.detail("policy-repository"));
  const std::string parts = record.detail("parts");
  for (std::string_view rest = parts; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    const std::size_t colon = std::min(part.find(':'), part.size());
    end(part.substr(0, colon), part.substr(std::min(colon + 1, part.size())));
  }
}

bool Fold::concerns(const Record& record) const {
  if (record.type == Type::decision) return record.decision == "ASK";
  if (record.type == Type::outcome) return record.answers && asks_.contains(record.answers->sequence);
  return true;
}

void Fold::apply_to_mission(const Record& record) {
  const auto found = missions_.find(record.mission);
  if (record.type == Type::mission_start) {
    const auto key = base::digest_from_hex(record.detail("key"));
    if (found != missions_.end() || record.mission.empty() || !key) return;
    Mission& started = missions_[record.mission];
    started = {record.mission, *key, MissionState::active, record.sequence, {}};
    if (record.policy) started.policies[record.writer] = *record.policy;
    return;
  }
  if (found == missions_.end()) return;
  Mission& mission = found->second;
  if (record.type == Type::mission_end) {
    missions_.erase(found);
    std::erase_if(grants_, [&](const auto& each) { return each.second.mission == record.mission; });
  } else if (record.type == Type::mission_terminate) {
    mission.state = MissionState::terminated;
  } else if (record.type == Type::mission_pause && mission.state == MissionState::active) {
    mission.state = MissionState::paused;
  } else if (record.type == Type::mission_resume && mission.state == MissionState::paused) {
    mission.state = MissionState::active;
  } else if ((record.type == Type::policy_loaded || record.type == Type::policy_changed) && record.policy) {
    mission.policies[record.writer] = *record.policy;
  }
}

bool Fold::gives(const Record& grant) const {
  if (!grant.operator_ || grant.operator_->answer != "allow" || !grant.answers) return false;
  const Ask* at = ask(grant.answers->sequence);
  return at != nullptr && at->leaf == grant.answers->leaf && at->mission == grant.mission &&
         at->state == AskState::allowed && at->answer + 1 == grant.sequence;
}

void Fold::apply_to_grant(const Record& record, const base::Digest& leaf) {
  if (!record.operator_ || !record.answers || !missions_.contains(record.mission)) return;
  if (gives(record)) {
    grants_[record.sequence] = {record.sequence, leaf, record.mission, record.answers->sequence,
                                record.operator_->valid_until};
  } else if (const auto given = grants_.find(record.answers->sequence);
             record.operator_->answer == "deny" && given != grants_.end() &&
             given->second.leaf == record.answers->leaf && given->second.mission == record.mission) {
    grants_.erase(given);
  }
}

void Fold::open_ask(const Record& record, const base::Digest& leaf) {
  if (record.details.contains("joins")) return;  // waits on an ask that stands
  Ask ask;
  ask.decision = record.sequence;
  ask.leaf = leaf;
  ask.mission = record.mission;
  ask.server = record.server;
  ask.writer = record.writer;
  if (record.capability) {
    ask.tool = record.capability->tool;
    ask.call = record.capability->call;
  }
  ask.state = AskState::open;
  ask.asked = record.time;
  ask.expires = time_detail(record, "expires");
  asks_[record.sequence] = std::move(ask);
}

void Fold::apply_to_ask(const Record& record) {
  if (!record.answers) return;
  const auto found = asks_.find(record.answers->sequence);
  if (found == asks_.end() || found->second.leaf != record.answers->leaf) return;
  Ask& ask = found->second;
  const bool unanswered = ask.state == AskState::open || ask.state == AskState::detached;
  if (record.type == Type::answer && unanswered && record.operator_) {
    ask.state = record.operator_->answer == "allow" ? AskState::allowed : AskState::denied;
    ask.answer = record.sequence;
    ask.expires = record.operator_->valid_until;
  } else if (record.type == Type::detached && ask.state == AskState::open) {
    ask.state = AskState::detached;
    ask.repeat = base::digest_from_hex(record.detail("repeat")).value_or(ask.call);
  } else if (record.type == Type::expired || record.type == Type::withdrawn ||
             (record.type == Type::released && ask.state == AskState::allowed) ||
             (record.type == Type::outcome && ask.state == AskState::denied && !ask.detached())) {
    asks_.erase(found);
  }
}

const Mission* Fold::mission(const std::string& id) const {
  const auto found = missions_.find(id);
  return found == missions_.end() ? nullptr : &found->second;
}

const Mission* Fold::mission_by_key(const base::Digest& key) const {
  for (const auto& [id, mission] : missions_)
    if (mission.key == key) return &mission;
  return nullptr;
}

const Ask* Fold::ask(std::uint64_t decision) const {
  const auto found = asks_.find(decision);
  return found == asks_.end() ? nullptr : &found->second;
}

}  // namespace ledger
