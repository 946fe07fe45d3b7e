#pragma once
// The keys of every object that is open during one scan: says which key stands twice in its object.
// Few keys are compared one by one, many through a hash table whose hash is keyed with a secret of the
// process, so that no sender can choose keys that collide.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace base::json {

class OpenKeys {
 public:
  OpenKeys() { keys_.reserve(32); }
  void open_object(std::size_t depth);
  // False: the innermost object has this key already. The bytes must outlive the scan.
  bool add(std::string_view key);
  void close_object();

 private:
  // A slot of an older object counts as empty, so that a table is never cleared.
  struct Slot {
    std::uint32_t object = 0;
    std::uint32_t key = 0;
    std::uint32_t hash_top = 0;  // spares the look at the key's bytes
  };
  struct Table {
    std::vector<Slot> slots;
  };
  struct Open {
    std::size_t first_key = 0;
    std::size_t depth = 0;
    std::uint32_t serial = 0;
    bool hashed = false;
  };
  void rebuild(Open& open, Table& table);
  bool insert(const Open& open, Table& table, std::uint32_t key);

  std::vector<std::string_view> keys_;
  std::vector<Open> objects_;
  std::vector<Table> tables_;  // one a depth: of the objects at one depth only one is open
  std::uint32_t serial_ = 0;
};

}  // namespace base::json
