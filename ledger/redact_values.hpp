#pragma once
// Exact secret values: which of those given are worth looking for, and how each may be written.

#include <string>
#include <string_view>
#include <vector>

namespace ledger {

// False for what is short or stands in every environment.
bool worth_redacting(std::string_view value);

struct SecretForm {
  std::string bytes;
  bool text_only = false;  // holds `"` or a line end: in JSON these bytes can only be structure
};

// As it is, as JSON strings hold it (several escapings), and as JSON in a JSON string. Long values come in
// pieces.
std::vector<SecretForm> forms_of(std::string_view value);

}  // namespace ledger
