#pragma once
// The operator's private key: `state_folder`/keys/operator.key, the 32-byte seed as 64 hex digits and a line
// feed, mode 0600, in a folder of mode 0700. A key that others can read or that is not ours is refused, not
// repaired: it may have been read already.

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
