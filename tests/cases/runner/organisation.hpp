#pragma once
// The organisation's policy of a case. Its place is fixed, so that the case gets an /etc of its own.

#include <filesystem>
#include <string>

namespace cases {

// Of this process and all that it starts: `folder`, with `policy` as callgate/policy.toml and the few files
// that programs need, stands in place of /etc. Before any thread is started. False: not allowed here.
bool stand_in_for_etc(const std::filesystem::path& folder, const std::string& policy);

}  // namespace cases
