#pragma once
// Where the parts of a message lie that a proxy must know: filled by one scan, judged by message.cpp.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proxy/base/error.hpp"
#include "proxy/base/json_scan.hpp"

namespace transports {

// A size of 0: absent.
struct MessageFields {
  using Place = base::json::Place;
  Place top, jsonrpc, id, method, params, result, error;
  Place name, arguments, meta, request_id, progress_token;  // of params
  Place meta_progress_token;
  // The members of params that are none of name, arguments and _meta, by their unescaped keys.
  std::vector<std::pair<std::string, Place>> beside;
  bool more = false;  // members at the top beside these
  bool modern = false;
  bool result_is_error = false;
  std::string
      variant;  // a key that only differs in case from a known one: a lenient peer would take it for that
};

base::Result<MessageFields> read_fields(std::string_view text, std::size_t bytes_max, std::size_t depth_max);

// Equal after Unicode simple case folding, where `known` is ASCII: besides A–Z, `ſ` folds to s and the Kelvin
// sign to k; the Turkish i's, which some peers' case functions join with i, count too.
bool case_variant(std::string_view key, std::string_view known);

}  // namespace transports
