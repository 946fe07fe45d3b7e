#pragma once
// The operator's word for bytes in a place: that a repository's policy counts for one workspace, that a
// change of files is accepted (ledger/FORMAT.md, «Operator's signature», `policy_trusted`).

#include <string>
#include <string_view>

#include "ledger/record.hpp"
#include "ledger/writer.hpp"
#include "proxy/base/ed25519.hpp"
#include "proxy/base/sha256.hpp"

namespace approvals {

// The whole append, signed. `bytes` is the policy file; it becomes the payload `policy`.
ledger::Append make_trust(const std::string& ledger_id, const base::Digest& workspace, std::string_view bytes,
                          const base::SigningKey& key);
// Takes back what was trusted, whatever the file holds by now.
ledger::Append make_withdrawal(const std::string& ledger_id, const base::Digest& workspace,
                               const base::Digest& policy, const base::SigningKey& key);

// Whether this policy_trusted record was signed by `operator_key` (64 hex digits).
bool genuine_trust(const ledger::Record& record, const std::string& operator_key);

}  // namespace approvals
