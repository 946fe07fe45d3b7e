#pragma once
// The operator's private key: `state_folder`/keys/operator.key, the 32-byte seed in a key file
// (base/key_file.hpp).

#include <string>

#include "proxy/base/ed25519.hpp"
#include "proxy/base/error.hpp"

namespace approvals {

// Code::not_found when there is none; Code::refused when it is unsafe; Code::invalid when it is no key.
base::Result<base::SigningKey> load_key(const std::string& state_folder);

// Makes it on first use. Of several processes that do so at once, one makes it and all get the same.
base::Result<base::SigningKey> load_or_create_key(const std::string& state_folder);

// 64 hex digits.
std::string public_text(const base::SigningKey& key);

}  // namespace approvals
