#include <sqlite3.h>

#include "ledger/checkpoint.hpp"
#include "ledger/checkpoint_store.hpp"
#include "ledger/store.hpp"
#include "proxy/base/check.hpp"

namespace ledger {

// The tree at the last checkpoint, and the leaves since. Nothing below it is ever signed anew.
base::Result<void> Store::load_tree() {
  auto tree = checkpoint_store::load(database_, ledger_id_);
  if (!tree) return tree.error();
  signed_size_ = tree->size();
  tree_ = std::move(*tree);
  auto leaves =
      database_.prepare("SELECT sequence, leaf, mission FROM record WHERE sequence >= ? ORDER BY sequence");
  if (!leaves) return leaves.error();
  leaves->bind_integer(1, static_cast<std::int64_t>(tree_.size()));
  for (;;) {
    const auto row = leaves->step();
    if (!row) return row.error();
    if (!*row) break;
    base::Digest leaf{};
    if (leaves->blob(1).size() == leaf.size())
      std::copy_n(leaves->blob(1).begin(), leaf.size(), leaf.begin());
    if (static_cast<std::uint64_t>(leaves->integer(0)) == tree_.size()) tree_.add(leaf);
    if (!leaves->text(2).empty()) missions_.emplace(leaves->text(2));
  }
  if (tree_.size() == head_.sequence + 1) return {};
  return base::Error(base::Code::conflict,
                     "the ledger was changed: records that its last checkpoint signs, or that "
                     "follow it, are missing");
}

base::Result<void> Store::sign_head() {
  CHECK(database_.in_transaction() && next_.tree.size() == next_.head.sequence + 1);
  const auto& public_key = (next_.fold ? *next_.fold : *fold_).checkpoint_key();
  const auto key = signer_.key(public_key.value_or(""));
  if (!key) return key.error();
  if (next_.tree.size() == next_.signed_size) return {};
  const Checkpoint checkpoint{ledger_id_, next_.tree.size(), next_.tree.root()};
  next_.note = sign(checkpoint, **key);
  if (auto saved = checkpoint_store::save(database_, next_.tree, next_.note, next_.missions); !saved)
    return saved;
  next_.signed_size = next_.tree.size();
  next_.missions.clear();
  return {};
}

base::Result<Reference> Store::rotate_key(const std::string& writer) {
  if (auto begun = begin(); !begun) return begun.error();
  const auto rotated = add_rotation(writer);
  if (!rotated) {
    rollback();
    return rotated.error();
  }
  if (auto committed = commit(); !committed) return committed.error();
  if (auto replaced = signer_.commit_rotation(); !replaced) return replaced.error();
  return *rotated;
}

base::Result<Reference> Store::add_rotation(const std::string& writer) {
  const std::string before = fold_->checkpoint_key().value_or("");
  const auto key = signer_.key(before);
  if (!key) return key.error();
  if (auto signed_before = sign_head(); !signed_before) return signed_before.error();
  const auto next = signer_.begin_rotation();
  if (!next) return next.error();
  const std::string after = base::public_hex(next->public_key());
  std::vector<Prepared> drafts(1);
  drafts[0].record.type = Type::key_rotation;
  drafts[0].record.details = {{"key", after},
                              {"signature", (*key)->sign_hex(rotation_text(ledger_id_, before, after))}};
  const auto written = add(drafts, {}, writer);
  if (!written) return written.error();
  return written->records.front();
}

}  // namespace ledger
