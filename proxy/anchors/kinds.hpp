#pragma once
// One maker a kind of anchor; what each needs stands in proxy/setup/CONFIGURATION.md.

#include <memory>

#include "proxy/anchors/anchor.hpp"

namespace proxy::anchors {

// Appended to a file, synced.
std::unique_ptr<Anchor> file_anchor(const AnchorConfig& config);
// A file of a commit on a ref, pushed where there is a remote. Runs nothing of the repository's own.
std::unique_ptr<Anchor> git_anchor(const AnchorConfig& config);
// One line to the system's log, read back from the journal or a log file.
std::unique_ptr<Anchor> syslog_anchor(const AnchorConfig& config);
// Posted, signed as Standard Webhooks has it where there is a secret; read back with a GET.
std::unique_ptr<Anchor> webhook_anchor(const AnchorConfig& config);

}  // namespace proxy::anchors
