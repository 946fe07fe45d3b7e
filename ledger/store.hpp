#pragma once
// The ledger as one writer sees it: database, lock, mark, and the fold at the last head seen. Decides nothing
// about when to write; the worker does. Used by one thread at a time.

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ledger/custody.hpp"
#include "ledger/database.hpp"
#include "ledger/database_files.hpp"
#include "ledger/fold.hpp"
#include "ledger/lock.hpp"
#include "ledger/mark.hpp"
#include "ledger/merkle.hpp"
#include "ledger/sealer.hpp"
#include "ledger/signer.hpp"
#include "ledger/wal_room.hpp"
#include "ledger/writer.hpp"

namespace ledger {

std::string database_path(const Place& place);
std::string mark_path(const Place& place);
std::string lock_path(const Place& place);
std::string writers_path(const Place& place);

// A draft after redaction: `record` has its payload commitments, `payloads` stand in the same order.
struct Prepared {
  Record record;
  std::vector<SealedPayload> payloads;
};

// A checkpoint is signed in the transaction that brings so many records since the last (FORMAT.md).
inline constexpr std::uint64_t checkpoint_records = 256;

class Store {
 public:
  // Opens or creates, under the lock. `place.folder` exists. With `adopt` a loss is no error: see lost().
  static base::Result<std::unique_ptr<Store>> open(const Place& place, const WriterOptions& options,
                                                   bool adopt = false);

  const std::string& ledger_id() const { return ledger_id_; }
  std::shared_ptr<const Fold> fold() const { return fold_; }
  Reference head() const { return head_; }
  // Why the mark and the head do not fit; empty: they do. Only with `adopt`.
  const std::string& lost() const { return lost_; }
  const std::optional<Reference>& lost_mark() const { return lost_mark_; }

  base::Result<Lock::Held> lock() const { return lock_.acquire(); }
  std::optional<Lock::Held> try_lock() const { return lock_.try_acquire(); }

  // All of the following need the lock. begin(): reads the head, compares it with the mark, folds what others
  // wrote.
  base::Result<void> begin();
  Sealer& sealer() { return *sealer_; }
  // The same, if it is a matter of microseconds: nobody has the database, and others wrote little. Else
  // false, and no transaction is open.
  bool begin_promptly();
  // Adds to the open transaction, or leaves it as it was (Code::conflict, invalid, limit: this append only).
  // When broken() afterwards, the transaction is lost as a whole.
  base::Result<Written> add(std::vector<Prepared>& drafts, const std::vector<Precondition>& preconditions,
                            const std::string& writer);
  bool broken() const { return next_.broken; }
  // Of the open transaction, before commit(): signs a checkpoint of its head, whatever is due.
  base::Result<void> sign_head();
  // Another key signs from here on: a checkpoint by the old one, the record, a checkpoint by the new one, in
  // a transaction of its own. The old key is gone afterwards.
  base::Result<Reference> rotate_key(const std::string& writer);
  // A purge or an erasure, signed by the operator: takes the payloads that it names, and puts it on record,
  // in a transaction of its own. How many rows are gone. Code::refused: a hold covers some of it, the mission
  // has not ended, no checkpoint signs it all, or it is not old enough.
  base::Result<std::uint64_t> remove(const Draft& drafted, const std::string& writer);
  // Records that no checkpoint signs yet, as of the last commit.
  bool unsigned_records() const { return tree_.size() != signed_size_; }
  // Durable to the chosen degree; then writes the mark. Code::refused: only that failed, the records stand.
  base::Result<void> commit();
  void rollback();

  // Records from `first` on, to the head, of the database as it is now. Code::invalid when one does not
  // decode.
  base::Result<void> scan(std::uint64_t first,
                          const std::function<void(const Record&, const base::Digest&)>& each);

  bool wants_checkpoint() const { return wal_pages_ >= checkpoint_at_; }
  void checkpoint();  // as far as readers let it; a failure leaves everything in the WAL
  // With durability `disk` only; see WalRoom.
  bool wants_wal_room() const { return synced_ && wal_room_.short_after(wal_pages_); }
  void make_wal_room();
  // At a writer's end: empties a WAL that the next opening would have to read through, unless others use it.
  void checkpoint_at_end();

 private:
  struct Statements {
    Statement begin, commit, rollback, head, leaf, records, insert_record, insert_payload, insert_cipher,
        payload;
  };
  Store(Database database, Lock lock, const Place& place, const WriterOptions& options)
      : place_(place),
        lock_(std::move(lock)),
        database_(std::move(database)),
        wall_clock_(options.wall_clock),
        signed_head_(options.signed_head),
        signer_(place.folder),
        synced_(options.durability == Durability::disk) {}

  base::Result<void> start_transaction();
  base::Result<void> join_head();
  base::Result<void> create(const WriterOptions& options);
  base::Result<void> open_existing();
  base::Result<void> prepare_statements();
  base::Result<void> check_mark();
  base::Result<void> loss(std::string what);
  base::Result<std::optional<Reference>> read_head();
  base::Result<std::optional<base::Digest>> read_leaf(std::uint64_t sequence);
  base::Result<void> catch_up(const Reference& head);
  base::Result<void> complete(std::vector<Prepared>& drafts, const std::string& writer, std::int64_t now,
                              std::vector<std::string>& bodies, Written& written);
  base::Result<void> check_answers(const Reference& answers, const Written& written);
  base::Result<void> insert(const std::vector<Prepared>& drafts, const std::vector<std::string>& bodies,
                            const Written& written);
  base::Result<void> insert_payload(const SealedPayload& sealed, std::int64_t id, const std::string& mission);
  base::Result<void> keep_cipher(std::int64_t id, const std::string& mission);
  base::Result<void> leave_out_lost(Prepared& draft);
  base::Result<Written> append(std::vector<Prepared>& drafts, const std::string& writer, std::int64_t now);
  base::Result<void> note_clock_step(const std::string& writer, std::int64_t now);
  base::Result<void> load_tree();
  std::int64_t wall_now() const;  // UTC ns
  base::Result<std::uint64_t> remove_in_transaction(const Draft& drafted, const std::string& writer);
  base::Result<void> collect_slots(const Removal& removal, Touched& touched, std::vector<std::int64_t>& ids,
                                   std::vector<Commitment>& commitments);
  base::Result<void> remove_rows(const std::vector<std::int64_t>& ids,
                                 const std::vector<Commitment>& commitments, std::uint64_t& removed);
  base::Result<void> remove_ciphers(const std::string& mission);
  base::Result<void> scan_some(std::uint64_t first, std::uint64_t count,
                               const std::function<void(const Record&, const base::Digest&)>& each);
  base::Result<Reference> add_rotation(const std::string& writer);
  void settle();

  Place place_;
  Lock lock_;
  Database database_;
  DatabaseFiles files_;  // as they were when it was opened
  std::optional<Mark> mark_;
  Statements statements_;  // after database_, so that they go first
  std::string ledger_id_;
  bool adopt_ = false;
  std::string lost_;
  std::optional<Reference> lost_mark_;

  Reference head_;                            // committed, as last seen
  std::shared_ptr<const Fold> fold_;          // at head_
  std::function<std::int64_t()> wall_clock_;  // empty: the machine's
  std::function<void(const std::string&)> signed_head_;
  std::optional<Sealer> sealer_;
  Signer signer_;
  Tree tree_;                                 // at head_
  std::uint64_t signed_size_ = 0;             // of the last checkpoint
  std::set<std::string> missions_;            // that have records since
  std::set<std::int64_t> ciphers_;            // ours that stand
  std::optional<std::int64_t> clock_offset_;  // wall − monotonic at our last record, ns

  // What the open transaction makes of the above once it is committed.
  struct Next {
    Reference head;
    std::shared_ptr<Fold> fold;  // null: as fold_
    Tree tree;
    std::uint64_t signed_size = 0;
    std::set<std::string> missions;
    std::set<std::int64_t> ciphers;
    std::optional<std::int64_t> clock_offset;
    struct Content {
      std::string mission;
      base::Digest digest{};
      std::int64_t id = 0;
    };
    std::vector<Content> contents;  // payloads that others may refer to then
    std::string note;               // of the checkpoint that it holds; empty: none
    bool checkpoint = false;        // one is due, however few records there are
    bool broken = false;
  };
  Next next_;
  bool synced_;  // each commit
  WalRoom wal_room_;
  int wal_pages_ = 0;
  int checkpoint_at_ = 0;
};

}  // namespace ledger
