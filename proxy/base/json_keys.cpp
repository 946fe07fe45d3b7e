#include "proxy/base/json_keys.hpp"

#include <cstring>

#include "proxy/base/check.hpp"
#include "proxy/base/file.hpp"

namespace base::json {
namespace {

constexpr std::size_t compared_max = 12;

struct Secret {
  std::uint64_t seed = 0;
  std::uint64_t factor = 0;
};

const Secret& secret() {
  static const Secret value = [] {
    const std::string bytes = random_bytes(sizeof(Secret));
    Secret drawn;
    std::memcpy(&drawn, bytes.data(), sizeof drawn);
    drawn.factor |= 1;
    return drawn;
  }();
  return value;
}

std::uint64_t folded(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

// Multiply and fold, as wyhash does.
std::uint64_t hash(std::string_view key) {
  const Secret& random = secret();
  std::uint64_t state = random.seed ^ key.size();
  while (key.size() >= 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, key.data(), 8);
    state = folded(state ^ word, random.factor);
    key.remove_prefix(8);
  }
  std::uint64_t word = 0;
  std::memcpy(&word, key.data(), key.size());
  return folded(folded(state ^ word, random.factor), random.seed | 1);
}

}  // namespace

void OpenKeys::open_object(std::size_t depth) { objects_.push_back({keys_.size(), depth, ++serial_, false}); }

void OpenKeys::close_object() {
  keys_.resize(objects_.back().first_key);
  objects_.pop_back();
}

bool OpenKeys::add(std::string_view key) {
  Open& open = objects_.back();
  const std::size_t count = keys_.size() - open.first_key;
  if (!open.hashed && count < compared_max) {
    for (std::size_t i = open.first_key; i < keys_.size(); ++i)
      if (keys_[i] == key) return false;
    keys_.push_back(key);
    return true;
  }
  keys_.push_back(key);
  if (tables_.size() <= open.depth) tables_.resize(open.depth + 1);
  Table& table = tables_[open.depth];
  if (!open.hashed || table.slots.size() < 2 * (count + 1)) {
    open.hashed = true;
    rebuild(open, table);
  }
  return insert(open, table, static_cast<std::uint32_t>(keys_.size() - 1));
}

void OpenKeys::rebuild(Open& open, Table& table) {
  const std::size_t count = keys_.size() - open.first_key;
  CHECK(keys_.size() < UINT32_MAX);
  std::size_t size = 64;
  while (size < 3 * count) size *= 2;
  if (table.slots.size() < size) table.slots.assign(size, Slot{});
  open.serial = ++serial_;
  for (std::size_t i = open.first_key; i + 1 < keys_.size(); ++i)
    insert(open, table, static_cast<std::uint32_t>(i));
}

bool OpenKeys::insert(const Open& open, Table& table, std::uint32_t key) {
  const std::size_t mask = table.slots.size() - 1;
  const std::uint64_t hashed = hash(keys_[key]);
  const auto top = static_cast<std::uint32_t>(hashed >> 32);
  for (std::size_t at = hashed & mask;; at = (at + 1) & mask) {
    Slot& slot = table.slots[at];
    if (slot.object != open.serial) {
      slot = {open.serial, key, top};
      return true;
    }
    if (slot.hash_top == top && keys_[slot.key] == keys_[key]) return false;
  }
}

}  // namespace base::json
