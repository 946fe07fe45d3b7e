#include "proxy/trust.hpp"

#include "approvals/trust.hpp"
#include "ledger/reader.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/mission.hpp"

namespace proxy {

policy::Trusted trusted_on_record(const Surroundings& here) {
  return [&here](const base::Digest& bytes) {
    const auto reader = ledger::Reader::open({here.state_folder});
    if (!reader) return false;
    const auto fold = (*reader)->state();
    if (!fold || !fold->operator_key()) return false;
    const auto digest = workspace_digest(here.workspace);
    const auto found = fold->trusted().find(digest);
    if (found == fold->trusted().end() || found->second.policy != bytes) return false;
    const auto stored = (*reader)->record(found->second.record);
    if (!stored || !*stored) return false;
    const ledger::Record& record = (*stored)->record;
    const auto workspace = record.details.find("workspace");
    return record.policy == bytes && workspace != record.details.end() &&
           workspace->second == base::hex(digest) && approvals::genuine_trust(record, *fold->operator_key());
  };
}

}  // namespace proxy
