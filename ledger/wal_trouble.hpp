#pragma once
// What is wrong with a write-ahead log as a file. SQLite takes what stands behind the first frame that does
// not fit for nothing, and says so to nobody (SQLite file format, «The Write-Ahead Log»).

#include <string>

namespace ledger {

// One sentence, or empty: it is whole, holds frames of before that are done with, or is not there.
std::string wal_trouble(const std::string& path);

}  // namespace ledger
