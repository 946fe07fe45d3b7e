#pragma once
// The string values of keys that name secrets, at every depth of JSON in JSON strings.

#include <string_view>
#include <vector>

#include "ledger/redact_regex.hpp"
#include "ledger/redact_spans.hpp"

namespace ledger {

// `match` is `"key"` (its quotes escaped n times), a colon, perhaps `[`, and the value's opening quote.
// Returns where to go on. Only a member of the document itself is taken out whatever it holds: inside a
// string the same bytes may be part of a command, and then no more than their inert beginning is.
std::size_t take_values(std::string_view text, Found match, std::vector<SecretSpan>& spans);

}  // namespace ledger
