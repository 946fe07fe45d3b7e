#include "approvals/operator_key.hpp"

#include <string_view>

#include "proxy/base/key_file.hpp"
#include "proxy/base/sha256.hpp"

namespace approvals {
namespace {

base::KeyFile file_in(const std::string& state_folder) {
  return {state_folder + "/keys", "operator.key", "the operator key"};
}

base::Result<base::SigningKey> key_of(const base::Result<std::string>& seed) {
  if (!seed) return seed.error();
  return base::SigningKey::from_seed(*seed);
}

}  // namespace

base::Result<base::SigningKey> load_key(const std::string& state_folder) {
  return key_of(file_in(state_folder).load());
}

base::Result<base::SigningKey> load_or_create_key(const std::string& state_folder) {
  auto key = load_key(state_folder);
  if (key || key.error().code() != base::Code::not_found) return key;
  return key_of(file_in(state_folder).load_or_create(base::SigningKey::generate().seed()));
}

std::string public_text(const base::SigningKey& key) { return base::public_hex(key.public_key()); }

}  // namespace approvals
