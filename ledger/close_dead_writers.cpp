// Writer::close_dead_writers: finds the files whose writers died, reads what they left, appends what closes
// it.

#include "ledger/leftovers.hpp"
#include "ledger/reader.hpp"
#include "ledger/worker.hpp"

namespace ledger {
namespace {

struct Dead {
  WriterFile file;  // its lock is ours, so nobody else closes it
  Leftovers leftovers;
};

// Under the ledger's lock: no writer is between making its file and locking it.
base::Result<std::vector<Dead>> find(const Place& place) {
  const auto lock = Lock::open(lock_path(place), true);
  if (!lock) return lock.error();
  const auto held = lock->acquire();
  if (!held) return held.error();
  auto files = dead_writer_files(writers_path(place));
  if (!files) return files.error();
  std::vector<Dead> dead;
  for (auto& file : *files) {
    Leftovers leftovers(file.id());
    dead.push_back({std::move(file), std::move(leftovers)});
  }
  return dead;
}

// The long part, without the lock.
base::Result<void> read_ahead(const Place& place, std::vector<Dead>& dead) {
  const auto reader = Reader::open(place);
  if (!reader) return reader.error();
  for (auto& one : dead) {
    auto scanned = (*reader)->scan(one.file.first(), ~std::uint64_t{0}, [&](const StoredRecord& stored) {
      one.leftovers.add(stored.record, stored.leaf);
      return true;
    });
    if (!scanned) return scanned;
  }
  return {};
}

base::Result<void> close(Store& store, Dead& dead, const std::string& writer) {
  const auto held = store.lock();
  if (!held) return held.error();
  if (auto begun = store.begin(); !begun) return begun;
  const std::uint64_t next = std::max(dead.file.first(), dead.leftovers.next());
  auto closed = store.scan(
      next, [&](const Record& record, const base::Digest& leaf) { dead.leftovers.add(record, leaf); });
  std::vector<Prepared> drafts;
  if (closed)
    for (auto& record : dead.leftovers.closing(*store.fold())) drafts.push_back({std::move(record), {}});
  if (closed && !drafts.empty()) {
    if (const auto written = store.add(drafts, {}, writer); !written) closed = written.error();
  }
  if (!closed || drafts.empty()) {
    store.rollback();
  } else {
    closed = store.commit();
  }
  if (closed) dead.file.remove();
  return closed;
}

}  // namespace

base::Result<std::size_t> Writer::close_dead_writers() {
  auto dead = find(worker_->place);
  if (!dead) return dead.error();
  if (dead->empty()) return std::size_t{0};
  if (auto read = read_ahead(worker_->place, *dead); !read) return read.error();
  base::Result<void> closed;
  worker_->call([&] {
    for (auto& one : *dead)
      if (closed) closed = close(*worker_->store, one, worker_->file.id());
    worker_->publish();
  });
  if (!closed) return closed.error();
  return dead->size();
}

}  // namespace ledger
