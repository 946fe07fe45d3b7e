#pragma once
// A place outside the ledger that keeps copies of its signed heads, so that what they sign can no more be cut
// off or rewritten unnoticed. What stands there is read back by `callgate ledger verify`; it proves only what
// is signed.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/base/error.hpp"
#include "proxy/setup/config.hpp"

namespace proxy::anchors {

class Anchor {
 public:
  virtual ~Anchor() = default;
  // As it is shown: `file /mnt/anchor/notes`.
  virtual std::string name() const = 0;
  // Keeps the note beside those before. May take until its limit (a few seconds).
  virtual base::Result<void> publish(const std::string& note) = 0;
  // All notes that stand there, of any ledger.
  virtual base::Result<std::vector<std::string>> read() = 0;
};

std::unique_ptr<Anchor> make_anchor(const AnchorConfig& config);

// Notes one after another, as files and repositories keep them; what stands between is passed over.
std::vector<std::string> split_notes(std::string_view text);

}  // namespace proxy::anchors
