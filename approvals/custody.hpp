#pragma once
// The operator's signed word on what is kept and what goes: holds, purges, erasures (ledger/custody.hpp).

#include <string>
#include <string_view>

#include "ledger/custody.hpp"
#include "ledger/fold.hpp"
#include "ledger/writer.hpp"
#include "proxy/base/ed25519.hpp"

namespace approvals {

// `hold` as it is to stand; `rationale` may be empty. `nonce`: 16 bytes of chance.
ledger::Draft make_hold(const std::string& ledger_id, const ledger::Hold& hold, std::string_view rationale,
                        const base::SigningKey& key, std::string_view nonce);
ledger::Draft release_hold(const std::string& ledger_id, const ledger::Hold& hold,
                           const base::SigningKey& key);

// Type::purge or Type::erase; of one record `target` is that.
ledger::Draft make_removal(const std::string& ledger_id, ledger::Type type, const ledger::Removal& removal,
                           const std::optional<ledger::Reference>& target, const base::SigningKey& key);

}  // namespace approvals
