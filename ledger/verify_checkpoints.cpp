#include "ledger/verify_checkpoints.hpp"

#include <algorithm>
#include <utility>

#include "proxy/base/text.hpp"

namespace ledger {
namespace {

// No writer leaves more records than that between two checkpoints (FORMAT.md).
constexpr std::uint64_t gap_max = 4096;

std::string first_records(std::uint64_t size) { return "the first " + std::to_string(size) + " records"; }

bool is_signed(const SignedCheckpoint& note, const std::string& key) {
  const auto bytes = base::digest_from_hex(key);
  return bytes && is_signed_by(note, *bytes);
}

}  // namespace

base::Result<Checkpoints> Checkpoints::open(const Database& database, const VerifyOptions& options,
                                            Report& report, Findings& findings) {
  auto rows = database.prepare("SELECT size, note FROM checkpoint ORDER BY size");
  if (!rows) return rows.error();
  Checkpoints checkpoints(std::move(*rows), database, report, findings);
  checkpoints.pins_ = options.pins;
  checkpoints.take_copies(options);
  if (auto first = checkpoints.next(); !first) return first.error();
  return checkpoints;
}

void Checkpoints::take_copies(const VerifyOptions& options) {
  for (const AnchorReading& anchor : options.anchors) {
    report_.anchors.push_back({anchor.name, 0, anchor.trouble});
    for (const std::string& text : anchor.notes)
      if (auto note = read_note(text)) copies_.push_back({report_.anchors.size() - 1, std::move(*note)});
  }
  std::sort(copies_.begin(), copies_.end(),
            [](const Copy& a, const Copy& b) { return a.note.checkpoint.size < b.note.checkpoint.size; });
}

base::Result<void> Checkpoints::next() {
  const auto row = rows_.step();
  if (!row) return row.error();
  there_ = *row;
  return {};
}

void Checkpoints::check_pin(const std::string& key) {
  const auto bytes = base::digest_from_hex(key);
  if (!bytes) return findings_.add(Kind::checkpoint, 0, "genesis holds no key that signs checkpoints");
  const VerifierKey first{report_.ledger, *bytes};
  report_.first_key = verifier_key(first.ledger, first.key);
  report_.pinned = std::find(pins_.begin(), pins_.end(), first) != pins_.end();
  if (!pins_.empty() && !report_.pinned)
    findings_.add(Kind::checkpoint, 0,
                  "its first key is " + report_.first_key + ", which is none of those that are pinned");
}

base::Result<void> Checkpoints::add(const base::Digest& leaf, const std::string& key,
                                    const std::string& mission) {
  tree_.add(leaf);
  if (!mission.empty()) missions_.insert(mission);
  if (tree_.size() == 1) check_pin(key);
  while (there_ && rows_.integer(0) <= static_cast<std::int64_t>(tree_.size())) {
    check_row(key);
    if (auto checked = check_missions(); !checked) return checked;
    if (auto moved = next(); !moved) return moved;
  }
  check_copies(key);
  return {};
}

// Of the derived table `part`.
base::Result<void> Checkpoints::check_missions() {
  if (!parts_) {
    auto parts = database_.prepare("SELECT mission FROM part WHERE size = ?");
    if (!parts) return parts.error();
    parts_.emplace(std::move(*parts));
  }
  parts_->bind_integer(1, rows_.integer(0));
  std::set<std::string> there;
  for (;;) {
    const auto row = parts_->step();
    if (!row) return row.error();
    if (!*row) break;
    there.emplace(parts_->text(0));
  }
  parts_->reset();
  if (there != missions_)
    findings_.add(Kind::altered, tree_.size() - 1,
                  "the derived table `part` differs from what the records give");
  missions_.clear();
  return {};
}

void Checkpoints::check_gap(std::uint64_t to) {
  if (to > last_ + gap_max)
    findings_.add(Kind::checkpoint,
                  "a checkpoint is missing between " + first_records(last_) + " and " + first_records(to));
  last_ = std::max(last_, to);
}

void Checkpoints::check_row(const std::string& key) {
  const auto size = static_cast<std::uint64_t>(rows_.integer(0));
  if (size != tree_.size()) return findings_.add(Kind::checkpoint, "a checkpoint signs no records");
  check_gap(size);
  signed_tree_ = tree_;
  const auto note = read_note(rows_.blob(1));
  if (!note || note->checkpoint.size != size || note->checkpoint.ledger != report_.ledger)
    return findings_.add(Kind::checkpoint, size - 1, "its checkpoint is no signed note of these records");
  if (!is_signed(*note, key))
    return findings_.add(Kind::checkpoint, size - 1,
                         "the signature of its checkpoint is not valid under the key of then");
  if (note->checkpoint.root != tree_.root()) {
    if (!std::exchange(mismatched_, true))
      findings_.add(
          Kind::checkpoint, size - 1,
          "its checkpoint signs other records than these: of " + first_records(size) + " some were changed");
    return;
  }
  ++report_.checkpoints;
  report_.signed_size = size;
  sizes_.insert(size);
}

void Checkpoints::check_copies(const std::string& key) {
  for (; next_copy_ < copies_.size(); ++next_copy_) {
    const Checkpoint& checkpoint = copies_[next_copy_].note.checkpoint;
    if (checkpoint.size > tree_.size()) return;
    if (checkpoint.ledger == report_.ledger) check_copy(copies_[next_copy_], key);
  }
}

void Checkpoints::check_copy(const Copy& copy, const std::string& key) {
  Report::Anchor& anchor = report_.anchors[copy.anchor];
  const std::uint64_t size = tree_.size();
  if (!is_signed(copy.note, key)) {
    // Whoever can write to an anchor can put nonsense there: it proves nothing, and accuses nobody.
    anchor.trouble = "it holds a checkpoint that the ledger's key did not sign";
  } else if (copy.note.checkpoint.root == tree_.root()) {
    anchor.size = size;
    report_.anchored_size = std::max(report_.anchored_size, size);
  } else if (size > adopted_from_ && size <= adopted_to_) {
    findings_.note(size - 1, "anchor " + base::quoted(anchor.name) +
                                 " holds a checkpoint of records that are lost, which was adopted");
  } else {
    findings_.add(Kind::checkpoint, size - 1,
                  "anchor " + base::quoted(anchor.name) + " holds a signed checkpoint of other records: of " +
                      first_records(size) + " some were rewritten");
  }
}

void Checkpoints::require_checkpoint() {
  if (last_ != tree_.size())
    findings_.add(Kind::checkpoint, tree_.size(),
                  "the key changes here, and no checkpoint by the key before stands");
}

void Checkpoints::adopted_loss(std::uint64_t head, std::uint64_t mark) {
  adopted_from_ = head + 1;
  adopted_to_ = mark + 1;
}

base::Result<void> Checkpoints::finish() {
  check_gap(tree_.size());
  const std::string there_are = ", and there are " + std::to_string(tree_.size());
  // Where the head is no less, records are missing before it: the chain tells which.
  const auto fewer = [&](std::uint64_t size, const std::string& what) {
    if (report_.records == 0 || size > report_.head.sequence + 1)
      loss_ = what + first_records(size) + there_are;
    else
      findings_.add(Kind::checkpoint, what + first_records(size) + there_are);
  };
  while (there_) {
    fewer(static_cast<std::uint64_t>(rows_.integer(0)), "a checkpoint signs ");
    if (auto moved = next(); !moved) return moved;
  }
  for (; next_copy_ < copies_.size(); ++next_copy_) {
    const Copy& copy = copies_[next_copy_];
    const std::uint64_t size = copy.note.checkpoint.size;
    const bool adopted = size > adopted_from_ && size <= adopted_to_;
    if (copy.note.checkpoint.ledger == report_.ledger && !adopted)
      fewer(size, "anchor " + base::quoted(report_.anchors[copy.anchor].name) + " holds a checkpoint of ");
  }
  const auto too_many =
      database_.integer("SELECT count(*) FROM part WHERE size NOT IN (SELECT size FROM checkpoint)");
  if (!too_many) return too_many.error();
  if (*too_many != 0) findings_.add(Kind::altered, "the derived table `part` has a row too many");
  return check_tree();
}

base::Result<void> Checkpoints::check_tree() {
  auto row = database_.prepare("SELECT value FROM state WHERE name = 'tree'");
  if (!row) return row.error();
  const auto there = row->step();
  if (!there) return there.error();
  const bool right = *there ? row->text(0) == signed_tree_.text() : signed_tree_.size() == 0;
  if (!right && loss_.empty())
    findings_.add(Kind::altered, "the derived table `state` differs from the tree at the last checkpoint");
  return {};
}

}  // namespace ledger
