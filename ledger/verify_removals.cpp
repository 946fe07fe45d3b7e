#include "ledger/verify_removals.hpp"

#include <algorithm>

#include "proxy/base/ed25519.hpp"
#include "proxy/base/text.hpp"

namespace ledger {

bool Removals::is_right(const Record& record, const Removal& removal, const Fold& state,
                        const std::set<std::uint64_t>& signed_sizes) {
  const auto wrong = [&](std::string what) {
    findings_.add(Kind::purge, record.sequence, std::move(what));
    return false;
  };
  const std::string act = std::string("`") + name(record.type) + "` ";
  if (removal.to >= record.sequence) return wrong(act + "takes what was not there yet");
  const Mission& mission = missions_[removal.mission];
  Touched touched{removal.mission, mission.agents, mission.first_time, mission.last_time};
  if (const Hold* hold = state.held(touched))
    return wrong(act + "takes what hold " + std::to_string(hold->record) + " covers");
  if (!removal.slots.empty()) return true;
  if (state.mission(removal.mission) != nullptr)
    return wrong(act + "takes from a mission that has not ended");
  if (!signed_sizes.contains(removal.size)) return wrong(act + "names no checkpoint that signs what it took");
  if (record.type == Type::purge && removal.before > record.time)
    return wrong(act + "takes what is not old yet");
  return true;
}

void Removals::add(const Record& record, const Fold& state, const std::set<std::uint64_t>& signed_sizes) {
  if (!record.mission.empty() && record.type != Type::purge && record.type != Type::erase) {
    Mission& mission = missions_[record.mission];
    if (record.agent) mission.agents.insert(record.agent->name);
    mission.first_time = mission.last_time == 0 ? record.time : std::min(mission.first_time, record.time);
    mission.last_time = std::max(mission.last_time, record.time);
  }
  if (record.type != Type::purge && record.type != Type::erase) return;
  const auto removal = removal_of(record);
  if (!removal) return findings_.add(Kind::purge, record.sequence, "a removal that names nothing");
  const bool is_signed =
      record.operator_ && record.operator_->answer == "allow" &&
      state.operator_key() == record.operator_->key &&
      base::verify_hex_signature(record.operator_->key, custody_text(record), record.operator_->signature);
  if (!is_signed)
    return findings_.add(Kind::purge, record.sequence, "the operator did not sign this removal");
  if (!is_right(record, *removal, state, signed_sizes)) return;
  if (removal->slots.empty())
    accounts_[removal->mission].push_back({*removal, record.sequence});
  else
    erased_[removal->from].insert(removal->slots.begin(), removal->slots.end());
}

void Removals::missing(const Record& record, const std::vector<std::string>& slots) {
  report_.removed += slots.size();
  const bool all = slots.size() == record.payloads.size();
  missing_[record.mission].push_back(
      {record.sequence, record.time, slots.size(), all ? std::vector<std::string>() : slots});
}

bool Removals::is_accounted(const std::string& mission, const Missing& missing) const {
  if (const auto accounts = accounts_.find(mission); !mission.empty() && accounts != accounts_.end())
    for (const Account& each : accounts->second) {
      const bool covers = each.removal.from <= missing.sequence && missing.sequence <= each.removal.to;
      if (covers && (each.removal.before == 0 || missing.time < each.removal.before)) return true;
    }
  const auto erased = erased_.find(missing.sequence);
  if (erased == erased_.end()) return false;
  if (missing.slots.empty()) return erased->second.size() == missing.count;
  return std::all_of(missing.slots.begin(), missing.slots.end(),
                     [&](const std::string& slot) { return erased->second.contains(slot); });
}

void Removals::finish() {
  for (const auto& [mission, all] : missing_)
    for (const Missing& each : all) {
      if (is_accounted(mission, each)) continue;
      const std::string which = each.slots.empty() ? "all of its payloads are"
                                                   : "payload " + base::quoted(each.slots.front()) + " is";
      findings_.add(Kind::purge, each.sequence, which + " missing, and no removal on record took it");
    }
}

}  // namespace ledger
