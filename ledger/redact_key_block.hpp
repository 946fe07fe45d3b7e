#pragma once
// Private keys in their PEM form, however their lines are escaped, indented or cut: the whole block where
// only the lines of a key follow its begin line, else the long runs alone, so that no other line hides in it.

#include <string_view>
#include <vector>

#include "ledger/redact_regex.hpp"
#include "ledger/redact_spans.hpp"

namespace ledger {

class KeyBlocks {
 public:
  KeyBlocks();
  void search(std::string_view text, std::vector<SecretSpan>& spans) const;

 private:
  std::size_t block_end(std::string_view text, Found body) const;
  LazyRegex begin_, end_, bound_, header_;
};

}  // namespace ledger
