#include "ledger/writer.hpp"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <future>

#include "ledger/leftovers.hpp"
#include "ledger/network_mount.hpp"
#include "ledger/worker.hpp"
#include "proxy/base/text.hpp"

namespace ledger {
namespace {

constexpr std::size_t mountinfo_bytes_max = 4u << 20;

// The folder, made where missing, as a path without links. Refused when others could write to it.
base::Result<Place> prepare_folder(const Place& place) {
  if (auto made = base::make_folders(place.folder); !made) return made.error();
  const std::unique_ptr<char, void (*)(void*)> real(::realpath(place.folder.c_str(), nullptr), ::free);
  struct stat status {};
  if (!real || ::stat(real.get(), &status) != 0)
    return base::errno_error("cannot open folder " + base::quoted(place.folder), errno);
  if (!S_ISDIR(status.st_mode))
    return base::Error(base::Code::invalid, base::quoted(place.folder) + " is not a folder");
  if (status.st_uid != ::geteuid())
    return base::Error(base::Code::refused,
                       "the ledger's folder " + base::quoted(place.folder) + " belongs to another user");
  if ((status.st_mode & 022) != 0)
    return base::Error(base::Code::refused,
                       "others may write to the ledger's folder " + base::quoted(place.folder));
  // Where there is no such file, nothing is known of mounts.
  const auto mounts = base::read_file("/proc/self/mountinfo", mountinfo_bytes_max);
  if (const auto kind = mounts ? network_mount(*mounts, real.get()) : std::nullopt)
    return base::Error(base::Code::refused, "the ledger's folder " + base::quoted(place.folder) +
                                                " is on a network file system (" + *kind +
                                                "), where its locks do not hold; set XDG_STATE_HOME to a "
                                                "folder on a disk of this machine");
  return Place{real.get()};
}

Prepared of_type(Type type, std::map<std::string, std::string> details) {
  Prepared draft;
  draft.record.type = type;
  draft.record.details = std::move(details);
  return draft;
}

// Makes writers/ID and appends writer_start, under one hold of the lock.
base::Result<WriterFile> start(Store& store, const Place& place, const WriterOptions& options) {
  const std::string id = base::hex(base::random_bytes(16));
  const auto held = store.lock();
  if (!held) return held.error();
  if (auto begun = store.begin(); !begun) return begun.error();
  auto file = WriterFile::create(writers_path(place), id, store.head().sequence + 1,
                                 options.durability == Durability::disk);
  if (!file) {
    store.rollback();
    return file.error();
  }
  std::vector<Prepared> drafts;
  drafts.push_back(of_type(Type::writer_start, {{"pid", std::to_string(::getpid())}}));
  if (!options.engine.empty()) drafts.back().record.details["engine"] = options.engine;
  const auto written = store.add(drafts, {}, id);
  if (!written) store.rollback();
  const auto committed = written ? store.commit() : base::Result<void>(written.error());
  if (committed) return std::move(*file);
  file->remove();
  return committed.error();
}

}  // namespace

Writer::Writer(std::unique_ptr<Worker> worker) : worker_(std::move(worker)) {}

base::Result<std::unique_ptr<Writer>> Writer::open(const Place& place, const WriterOptions& options) {
  const auto folder = prepare_folder(place);
  if (!folder) return folder.error();
  auto store = Store::open(*folder, options);
  if (!store) return store.error();
  auto file = start(**store, *folder, options);
  if (!file) return file.error();
  return std::unique_ptr<Writer>(
      new Writer(std::make_unique<Worker>(*folder, std::move(*store), std::move(*file), options)));
}

Writer::~Writer() {
  worker_->call([this] {
    // An outcome that is lost is closed as unknown by whoever finds the file.
    if (!worker_->retry()) return;
    std::vector<Prepared> drafts;
    drafts.push_back(of_type(Type::writer_stop, {{"reason", "ended"}}));
    // Unwritten, it leaves the file: the next writer closes this one.
    if (worker_->write_now(std::move(drafts))) worker_->file.remove();
    if (const auto held = worker_->store->lock()) worker_->store->checkpoint_at_end();
  });
}

base::Result<Reference> Writer::adopt_loss(const Place& place, const WriterOptions& options) {
  const auto folder = prepare_folder(place);
  if (!folder) return folder.error();
  auto store = Store::open(*folder, options, true);
  if (!store) return store.error();
  if ((*store)->lost().empty()) return base::Error(base::Code::refused, "the ledger has lost nothing");
  const auto held = (*store)->lock();
  if (!held) return held.error();
  if (auto begun = (*store)->begin(); !begun) return begun.error();
  const Reference head = (*store)->head();
  const auto& mark = (*store)->lost_mark();
  std::vector<Prepared> drafts;
  drafts.push_back(of_type(Type::degraded, {{"reason", "loss_adopted"},
                                            {"head_sequence", std::to_string(head.sequence)},
                                            {"head_leaf", base::hex(head.leaf)},
                                            {"mark_sequence", mark ? std::to_string(mark->sequence) : ""},
                                            {"mark_leaf", mark ? base::hex(mark->leaf) : ""}}));
  const auto written = (*store)->add(drafts, {}, std::string(32, '0'));
  if (!written) {
    (*store)->rollback();
    return written.error();
  }
  if (auto committed = (*store)->commit(); !committed) return committed.error();
  return written->records.front();
}

void Writer::append(Append append, Done done) { worker_->append(std::move(append), std::move(done)); }

void Writer::gather(Append append, Done done) { worker_->gather(std::move(append), std::move(done)); }

void Writer::write() { worker_->write_gathered(); }

void Writer::append_later(Append append, Done done) {
  worker_->append_later(std::move(append), std::move(done));
}

base::Result<Written> Writer::append_now(Append append) {
  std::promise<base::Result<Written>> promise;
  worker_->append(std::move(append),
                  [&](base::Result<Written> result) { promise.set_value(std::move(result)); });
  return promise.get_future().get();
}

base::Result<Reference> Writer::rotate_key() {
  base::Result<Reference> rotated = base::Error();
  worker_->call([&] {
    const auto held = worker_->store->lock();
    rotated = held ? worker_->store->rotate_key(id()) : base::Result<Reference>(held.error());
    worker_->publish();
  });
  return rotated;
}

base::Result<std::uint64_t> Writer::remove(Draft signed_removal) {
  base::Result<std::uint64_t> removed = base::Error();
  worker_->call([&] {
    const auto held = worker_->store->lock();
    removed = held ? worker_->store->remove(signed_removal, id()) : base::Result<std::uint64_t>(held.error());
    worker_->publish();
  });
  return removed;
}

Fold Writer::state() const { return *worker_->state(); }

base::Result<Fold> Writer::refresh() {
  base::Result<void> refreshed;
  worker_->call([&] { refreshed = worker_->refresh(); });
  if (!refreshed) return refreshed.error();
  return state();
}

const std::string& Writer::id() const { return worker_->file.id(); }
const std::string& Writer::ledger_id() const { return worker_->ledger_id; }

}  // namespace ledger
