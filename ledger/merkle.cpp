#include "ledger/merkle.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

#include "proxy/base/check.hpp"

namespace ledger {
namespace {

constexpr std::uint64_t size_max = std::uint64_t{1} << 53;

// The largest power of two below `count`, which is above 1.
std::uint64_t split_of(std::uint64_t count) { return std::bit_floor(count - 1); }

// PATH(m, D[n]) over [begin, end).
base::Result<void> add_path(std::uint64_t index, std::uint64_t begin, std::uint64_t end,
                            const RangeRoot& root, Proof& proof) {
  if (end - begin == 1) return {};
  const std::uint64_t middle = begin + split_of(end - begin);
  const bool left = index < middle;
  const auto other = left ? root(middle, end) : root(begin, middle);
  if (!other) return other.error();
  if (auto added =
          left ? add_path(index, begin, middle, root, proof) : add_path(index, middle, end, root, proof);
      !added)
    return added;
  proof.push_back(*other);
  return {};
}

// SUBPROOF(m, D[n], b): `known` as long as the old tree's root is that of this range.
base::Result<void> add_subproof(std::uint64_t first, std::uint64_t begin, std::uint64_t end, bool known,
                                const RangeRoot& root, Proof& proof) {
  if (first == end) {
    if (known) return {};
    const auto whole = root(begin, end);
    if (!whole) return whole.error();
    proof.push_back(*whole);
    return {};
  }
  const std::uint64_t middle = begin + split_of(end - begin);
  const bool left = first <= middle;
  const auto other = left ? root(middle, end) : root(begin, middle);
  if (!other) return other.error();
  if (auto added = left ? add_subproof(first, begin, middle, known, root, proof)
                        : add_subproof(first, middle, end, false, root, proof);
      !added)
    return added;
  proof.push_back(*other);
  return {};
}

}  // namespace

base::Digest node_of(const base::Digest& left, const base::Digest& right) {
  return base::sha256({std::string_view("\x01", 1), base::bytes_of(left), base::bytes_of(right)});
}

void Tree::add(const base::Digest& leaf) {
  base::Digest node = leaf;
  for (std::uint64_t bit = size_; (bit & 1) != 0; bit >>= 1) {
    node = node_of(subtrees_.back(), node);
    subtrees_.pop_back();
  }
  subtrees_.push_back(node);
  ++size_;
}

base::Digest Tree::root() const {
  if (subtrees_.empty()) return base::sha256("");
  base::Digest root = subtrees_.back();
  for (auto left = subtrees_.rbegin() + 1; left != subtrees_.rend(); ++left) root = node_of(*left, root);
  return root;
}

std::string Tree::text() const {
  std::string text = std::to_string(size_);
  for (const base::Digest& subtree : subtrees_) text += " " + base::hex(subtree);
  return text;
}

std::optional<Tree> Tree::from_text(std::string_view text) {
  Tree tree;
  const auto number = std::from_chars(text.data(), text.data() + text.size(), tree.size_);
  if (number.ec != std::errc{} || tree.size_ > size_max) return std::nullopt;
  std::string_view rest = text.substr(static_cast<std::size_t>(number.ptr - text.data()));
  while (rest.starts_with(' ')) {
    const auto hash = base::digest_from_hex(rest.substr(1, 64));
    if (!hash) return std::nullopt;
    tree.subtrees_.push_back(*hash);
    rest.remove_prefix(65);
  }
  const bool fits = tree.subtrees_.size() == static_cast<std::size_t>(std::popcount(tree.size_));
  if (!fits || tree.text() != text) return std::nullopt;
  return tree;
}

base::Result<Proof> inclusion_proof(std::uint64_t index, std::uint64_t size, const RangeRoot& root) {
  CHECK(index < size);
  Proof proof;
  if (auto added = add_path(index, 0, size, root, proof); !added) return added.error();
  return proof;
}

// RFC 9162, 2.1.3.2.
std::optional<base::Digest> root_of_inclusion(std::uint64_t index, std::uint64_t size,
                                              const base::Digest& leaf, const Proof& proof) {
  if (index >= size) return std::nullopt;
  base::Digest node = leaf;
  std::uint64_t at = index, last = size - 1;
  for (const base::Digest& other : proof) {
    if (last == 0) return std::nullopt;
    if ((at & 1) != 0 || at == last) {
      node = node_of(other, node);
      while ((at & 1) == 0 && at != 0) {
        at >>= 1;
        last >>= 1;
      }
    } else {
      node = node_of(node, other);
    }
    at >>= 1;
    last >>= 1;
  }
  if (last != 0) return std::nullopt;
  return node;
}

base::Result<Proof> consistency_proof(std::uint64_t first, std::uint64_t second, const RangeRoot& root) {
  CHECK(first >= 1 && first <= second);
  Proof proof;
  if (auto added = add_subproof(first, 0, second, true, root, proof); !added) return added.error();
  return proof;
}

// RFC 9162, 2.1.4.2.
bool consistent(std::uint64_t first, const base::Digest& first_root, std::uint64_t second,
                const base::Digest& second_root, const Proof& proof) {
  if (first == 0 || first > second) return false;
  if (first == second) return proof.empty() && first_root == second_root;
  Proof path = proof;
  if (std::has_single_bit(first)) path.insert(path.begin(), first_root);
  if (path.empty()) return false;
  std::uint64_t at = first - 1, last = second - 1;
  while ((at & 1) != 0) {
    at >>= 1;
    last >>= 1;
  }
  base::Digest old = path.front(), now = path.front();
  for (auto other = path.begin() + 1; other != path.end(); ++other) {
    if (last == 0) return false;
    if ((at & 1) != 0 || at == last) {
      old = node_of(*other, old);
      now = node_of(*other, now);
      while ((at & 1) == 0 && at != 0) {
        at >>= 1;
        last >>= 1;
      }
    } else {
      now = node_of(now, *other);
    }
    at >>= 1;
    last >>= 1;
  }
  return last == 0 && old == first_root && now == second_root;
}

}  // namespace ledger
