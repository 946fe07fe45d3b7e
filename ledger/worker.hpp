#pragma once
// The thread behind a Writer: takes appends from the queue, many at a time, and commits them as one
// transaction. The thread that gathered a few small ones may do the same in its place (write_gathered).

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "ledger/redact.hpp"
#include "ledger/store.hpp"
#include "ledger/writer.hpp"
#include "ledger/writer_file.hpp"

namespace ledger {

inline constexpr std::chrono::milliseconds unhurried_wait{50};
inline constexpr std::size_t queue_appends_max = 65536;
inline constexpr std::size_t again_appends_max = 4096;
inline constexpr std::size_t again_bytes_max = 64u << 20;  // of payloads
inline constexpr std::size_t batch_appends_max = 256;
inline constexpr std::size_t batch_bytes_max = 16u << 20;  // of payloads; one append may exceed it alone
// What the gathering thread writes itself; more than that is worth waking the worker.
inline constexpr std::size_t own_appends_max = 8;
inline constexpr std::size_t own_bytes_max = 64u << 10;

// A draft with its payloads redacted, packed and committed to.
base::Result<Prepared> prepare(Draft draft, const Redactor& redactor, Sealer& sealer);

struct Writer::Worker {
  Worker(Place at, std::unique_ptr<Store> opened, WriterFile mine, const WriterOptions& options);
  ~Worker();  // drains the queue, then joins

  void append(Append append, Done done);
  void append_later(Append append, Done done);
  void gather(Append append, Done done);
  void write_gathered();
  // Runs `task` on the worker between two batches and waits for it.
  void call(const std::function<void()>& task);
  std::shared_ptr<const Fold> state() const;

  // One transaction of its own under the lock; on the worker only.
  base::Result<Written> write_now(std::vector<Prepared> drafts);
  base::Result<void> refresh();
  void publish();
  // Writes what could not be written before; false: something still could not. On the worker only.
  bool retry();

  const Place place;
  const std::unique_ptr<Store> store;
  WriterFile file;
  const std::string ledger_id;

 private:
  enum class Hurry { now, gathered, later };
  struct Job {
    Append append;
    Done done;
    std::function<void()> task;  // instead of an append
    Hurry hurry = Hurry::now;
    bool overflow = false;
  };
  struct Attempt {
    Done done;
    std::vector<Precondition> preconditions;
    std::vector<Prepared> drafts;
    base::Result<Written> result;
    bool later = false;
    bool kept = false;  // refused once already
  };
  void run();
  void push(Job job);
  void await_work();
  std::vector<Job> take();
  bool write_here();
  void process(std::vector<Job> jobs);
  Attempt prepare_all(Job job) const;
  std::vector<Attempt> prepare_batch(std::vector<Job> jobs);
  void write(std::vector<Attempt>& attempts);
  void write_all(std::vector<Attempt>& attempts);
  static void fail(std::vector<Attempt>& attempts, const base::Error& error);
  void finish(std::vector<Attempt> attempts);
  void keep_for_later(std::vector<Attempt>& attempts);
  static void tell(std::vector<Attempt> attempts);
  void tend_wal();
  void sign_when_due();

  const Redactor redactor_;
  const bool waits_for_disk_;
  const std::size_t queue_bytes_max_;
  const std::chrono::milliseconds checkpoint_wait_;
  std::mutex working_;  // held by who takes from the queue and uses the store, before mutex_
  std::vector<Attempt>
      again_;  // under working_: without hurry and not written yet, since the ledger could not be
  mutable std::mutex mutex_;  // all below but thread_
  std::condition_variable wake_;
  std::deque<Job> queue_;
  std::size_t queue_bytes_ = 0;
  std::size_t urgent_ = 0;    // jobs of the queue that hurry
  std::size_t gathered_ = 0;  // jobs of the queue that hurry once write() is called
  bool retry_ = false;        // again_ is not empty
  bool asleep_ = false;       // waits without a time: even a job without hurry must wake it
  bool stopping_ = false;
  std::optional<std::chrono::steady_clock::time_point> sign_at_;  // none: nothing is unsigned
  std::shared_ptr<const Fold> published_;
  std::thread thread_;
};

}  // namespace ledger
