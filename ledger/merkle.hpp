#pragma once
// The Merkle tree over the leaves of a ledger (RFC 6962, section 2.1), which checkpoints sign the root of,
// and its proofs. Pure.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/base/error.hpp"
#include "proxy/base/sha256.hpp"

namespace ledger {

// SHA-256(0x01 ‖ left ‖ right)
base::Digest node_of(const base::Digest& left, const base::Digest& right);

// A tree that grows at its end: the roots of its full subtrees, one for each bit of its size.
class Tree {
 public:
  void add(const base::Digest& leaf);
  std::uint64_t size() const { return size_; }
  base::Digest root() const;  // SHA-256 of nothing when it is empty

  // `SIZE HASH HASH …`, the subtrees from the left, as FORMAT.md has it.
  std::string text() const;
  static std::optional<Tree> from_text(std::string_view text);

  bool operator==(const Tree&) const = default;

 private:
  std::uint64_t size_ = 0;
  std::vector<base::Digest> subtrees_;  // from the left: the largest first
};

// Nodes of the tree, from the leaf's or the old tree's side up.
using Proof = std::vector<base::Digest>;

// The root over the leaves [begin, end), begin < end, asked for in ascending order within one proof.
using RangeRoot = std::function<base::Result<base::Digest>(std::uint64_t begin, std::uint64_t end)>;

// That the leaf `index` stands in the tree of `size` > index.
base::Result<Proof> inclusion_proof(std::uint64_t index, std::uint64_t size, const RangeRoot& root);
// The root that the proof leads to; nullopt: it has not exactly the nodes that such a proof has.
std::optional<base::Digest> root_of_inclusion(std::uint64_t index, std::uint64_t size,
                                              const base::Digest& leaf, const Proof& proof);

// That the tree of `first` leaves is the beginning of that of `second`; 1 <= first <= second.
base::Result<Proof> consistency_proof(std::uint64_t first, std::uint64_t second, const RangeRoot& root);
bool consistent(std::uint64_t first, const base::Digest& first_root, std::uint64_t second,
                const base::Digest& second_root, const Proof& proof);

}  // namespace ledger
