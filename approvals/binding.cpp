#include "approvals/binding.hpp"

#include <array>
#include <cstdint>

namespace approvals {
namespace {

void add(base::Sha256& hash, std::string_view part) {
  std::array<char, 8> length{};
  std::uint64_t rest = part.size();
  for (std::size_t i = length.size(); i-- > 0; rest >>= 8) length[i] = static_cast<char>(rest & 0xFF);
  hash.update(std::string_view(length.data(), length.size()));
  hash.update(part);
}

}  // namespace

base::Digest call_digest(const Binding& binding) {
  base::Sha256 hash;
  add(hash, "callgate call 1");
  add(hash, binding.mission);
  add(hash, binding.agent);
  add(hash, binding.server);
  add(hash, binding.method);
  add(hash, binding.tool);
  add(hash, base::bytes_of(binding.definition));
  add(hash, binding.arguments);
  add(hash, binding.beside);
  add(hash, base::bytes_of(binding.policy));
  add(hash, binding.effects);
  return hash.finish();
}

CallDigests call_digests(const Binding& binding, const base::json::Value& arguments) {
  const std::string canonical = base::json::canonical(arguments);
  Binding repeat = binding;
  repeat.arguments = canonical;
  return {call_digest(binding), call_digest(repeat)};
}

base::Digest same_call(const Binding& binding, const base::json::Value& arguments,
                       std::string_view effects_alone) {
  const std::string canonical = base::json::canonical(arguments);
  Binding same = binding;
  same.arguments = canonical;
  same.policy = {};
  same.effects = effects_alone;
  return call_digest(same);
}

}  // namespace approvals
