#pragma once
// What one server of a mission answered, as a value that can be answered from again, and as a file: a
// cassette (CASSETTE.md).

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ledger/reader.hpp"
#include "proxy/base/error.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/replay/mission_span.hpp"

namespace proxy::replay {

// A request and what came of it.
struct Exchange {
  std::uint64_t record = 0;  // of its decision
  std::string method, name;  // name: the tool's; of other methods empty
  std::string arguments;     // raw JSON, of other methods the params; empty: none
  std::string answer;        // raw JSON of the result, or of the error
  bool error = false;        // it is a JSON-RPC error
  std::string gone;          // why there is no answer to give; empty: there is
  bool operator==(const Exchange&) const = default;
};

struct Recording {
  std::string ledger, mission, server;
  std::string server_name, server_version, protocol;  // as the server's handshake had them; may be empty
  std::string workspace;
  std::vector<Exchange> exchanges;  // in the order of the decisions
  bool operator==(const Recording&) const = default;
};

// `server` empty: the only one. Code::not_found: no such server, none at all; Code::invalid: several, which
// one?
base::Result<Recording> read_recording(const ledger::Reader& reader, const MissionSpan& span,
                                       const std::string& server);

inline constexpr std::size_t cassette_bytes_max = 256u << 20;
std::string cassette_of(const Recording& recording);
// Code::invalid, with its line: not exactly what cassette_of() makes.
base::Result<Recording> recording_from(std::string_view cassette);

// `read_file`, `resources/read`
const std::string& called(const Exchange& exchange);
// By what two requests are the same (request_key.hpp).
base::Digest key_of(const Exchange& exchange, const std::string& workspace);

}  // namespace proxy::replay
