#pragma once
// Appends to the ledger: group commit, on a worker thread or on the caller's; file lock, high-water mark
// (FORMAT.md).

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ledger/fold.hpp"
#include "ledger/record.hpp"
#include "proxy/base/error.hpp"

namespace ledger {

enum class Durability { disk, process };

// Where the ledger's files stand: `folder`/ledger.db, ledger.lock, ledger.mark, writers/.
struct Place {
  std::string folder;
};

struct WriterOptions {
  Durability durability = Durability::disk;
  // Called once, under the lock, when this writer creates the ledger: the operator's public key (64 hex
  // digits).
  std::function<base::Result<std::string>()> operator_key;
  // Called once it is made: the verifier key of its first checkpoints, for whoever pins it.
  std::function<void(const std::string& verifier_key)> made;
  std::size_t queue_bytes_max = 256u << 20;  // of payloads that wait to be written
  std::string engine;                        // what judges here, for writer_start; may be empty
  std::vector<std::string> secrets;          // exact values to redact (environment given to servers)
  // After the last record, until a checkpoint signs it.
  std::chrono::milliseconds checkpoint_wait{5000};
  // Called by the thread that writes, once a checkpoint stands, with its signed note; must not wait.
  std::function<void(const std::string& note)> signed_head;
  std::function<std::int64_t()> wall_clock;  // UTC ns; empty: the machine's
};

struct PayloadDraft {
  std::string slot;
  std::string bytes;  // before redaction
};

struct Draft {
  Record record;
  std::vector<PayloadDraft> payloads;
};

// All drafts are written in one transaction, in order, or none. A draft whose record.answers has sequence
// `answers_previous` refers to the draft before it in the same append.
struct Append {
  static constexpr std::uint64_t answers_previous = ~std::uint64_t{0};
  std::vector<Draft> drafts;
  std::vector<Precondition> preconditions;
};

struct Written {
  std::vector<Reference> records;  // one for each draft
};

class Writer {
 public:
  // Opens or creates. Code::conflict when the head is below the high-water mark (a loss): nothing is written
  // until the operator adopts it.
  static base::Result<std::unique_ptr<Writer>> open(const Place& place, const WriterOptions& options);
  // Writes writer_stop, drains the queue, joins the worker.
  ~Writer();
  // After open() failed for a loss and the operator has decided to go on: appends `degraded`, which names
  // both heads, and sets the mark to it. Code::refused when nothing is lost.
  static base::Result<Reference> adopt_loss(const Place& place, const WriterOptions& options);

  using Done = std::function<void(base::Result<Written>)>;
  // Queues. `done` runs on the thread that wrote, in order of the calls, after the commit is durable to the
  // chosen degree. Errors: Code::conflict (a precondition failed, or records are lost; nothing written),
  // Code::invalid and Code::limit (a draft that no record can hold, or too many appends queued), Code::io,
  // Code::unavailable. `done` may append;
  // it must not wait for the ledger. Nobody may append any more once the destructor has begun.
  void append(Append append, Done done);
  // Queues and wakes nobody: for one who has more to append before it calls write().
  void gather(Append append, Done done);
  // Has what is gathered written: by the calling thread, when that is a matter of microseconds (durability
  // process, little to write, the lock free, the worker idle), else by the worker.
  void write();
  // Queues without hurry: written with the next append, or within some 50 ms. Order is kept all the same.
  // When too much waits, its payloads are left out, and its details say so (FORMAT.md).
  void append_later(Append append, Done done);
  // Waits for it.
  base::Result<Written> append_now(Append append);

  // Another key signs the checkpoints from here on (FORMAT.md, «Checkpoints»).
  base::Result<Reference> rotate_key();

  // A purge or an erasure (custody.hpp), signed by the operator: how many payloads are gone. Code::refused: a
  // hold covers some of it, or FORMAT.md does not let it be.
  base::Result<std::uint64_t> remove(Draft signed_removal);

  // A copy of the fold at the last head this writer has seen. Thread-safe.
  Fold state() const;
  // Reads what others wrote since, under the lock, then state().
  base::Result<Fold> refresh();

  // Closes what dead writers left open: asks withdrawn, calls `unknown`. Returns how many writers were
  // closed. Reads all that was written since they started, on the calling thread; only the rest of it happens
  // under the lock.
  base::Result<std::size_t> close_dead_writers();

  const std::string& id() const;         // 32 hex digits
  const std::string& ledger_id() const;  // 32 hex digits

 private:
  struct Worker;
  explicit Writer(std::unique_ptr<Worker> worker);
  std::unique_ptr<Worker> worker_;
};

}  // namespace ledger
