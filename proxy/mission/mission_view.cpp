#include "proxy/mission/mission_view.hpp"

#include <cstdint>
#include <utility>

namespace proxy {
namespace {

std::uint64_t start_of(const std::string& mission, const ledger::Writer& writer) {
  const ledger::Fold fold = writer.state();
  const ledger::Mission* found = fold.mission(mission);
  return found == nullptr ? 0 : found->start;
}

}  // namespace

MissionView::MissionView(MissionParts parts)
    : policy_(std::move(parts.policy)), joined_(std::move(parts.joined)), agent_(std::move(parts.agent)) {
  if (parts.writer == nullptr) return;
  ledger::Writer& writer = *parts.writer;
  const ledger::Place place{parts.here.state_folder};
  if (parts.policy_file)
    updates_.emplace(parts.here, std::move(*parts.policy_file), policy_, joined_, writer,
                     std::move(parts.log));
  history_.emplace(place, joined_.mission, start_of(joined_.mission, writer), writer.id(), policy_.tallies());
  grants_.emplace(place, joined_.mission, agent_, policy::Anchors{parts.here.workspace, parts.here.home});
}

void MissionView::refresh() {
  if (!updates_) return;
  const base::Digest before = policy_.digest();
  updates_->look();
  if (policy_.digest() != before) history_->count(policy_.tallies());
}

}  // namespace proxy
