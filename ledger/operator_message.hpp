#pragma once
// What the operator's key signs (FORMAT.md, «Operator's signature»).

#include <string>

#include "ledger/record.hpp"

namespace ledger {

// `record` must have ledger, type, answers, operator_ (but for the signature) and details as they will be written.
std::string operator_message(const Record& record);

// Whether record.operator_ holds a valid signature by `key` (64 hex digits) over operator_message(record).
bool signed_by(const Record& record, const std::string& key);

}  // namespace ledger
