#include "ledger/worker.hpp"

#include <future>
#include <utility>

#include "proxy/base/check.hpp"

namespace ledger {
namespace {

std::size_t bytes_of(const PayloadDraft& payload) { return payload.bytes.size(); }
std::size_t bytes_of(const SealedPayload& payload) { return payload.stored.bytes.size(); }
const std::string& slot_of(const PayloadDraft& payload) { return payload.slot; }
const std::string& slot_of(const SealedPayload& payload) { return payload.stored.slot; }

// Of Draft or Prepared.
template <class Drafts>
std::size_t payload_bytes(const Drafts& drafts) {
  std::size_t bytes = 0;
  for (const auto& draft : drafts)
    for (const auto& payload : draft.payloads) bytes += bytes_of(payload);
  return bytes;
}

// What of an outcome may be left out: better a record that says so than none.
template <class Drafts>
void leave_payloads_out(Drafts& drafts) {
  for (auto& draft : drafts) {
    std::string slots;
    for (const auto& payload : draft.payloads) slots += (slots.empty() ? "" : " ") + slot_of(payload);
    draft.payloads.clear();
    draft.record.payloads.clear();  // of a Draft they are none yet
    if (!slots.empty()) draft.record.details["left_out"] = slots;
  }
}

}  // namespace

base::Result<Prepared> prepare(Draft draft, const Redactor& redactor, Sealer& sealer) {
  Prepared prepared{std::move(draft.record), {}};
  prepared.record.payloads.clear();
  prepared.record.redacted.clear();
  for (auto& part : draft.payloads) {
    if (part.bytes.size() > payload::bytes_max)
      return base::Error(base::Code::limit,
                         "a payload is larger than " + std::to_string(payload::bytes_max) + " bytes");
    const Redacted redacted = redactor.redact_given(std::move(part.bytes));
    for (const auto& [rule, count] : redacted.counts) prepared.record.redacted[rule] += count;
    SealedPayload sealed = sealer.seal(prepared.record.mission, std::move(part.slot), redacted.bytes);
    prepared.record.payloads.push_back(sealed.commitment);
    prepared.payloads.push_back(std::move(sealed));
  }
  return prepared;
}

Writer::Worker::Worker(Place at, std::unique_ptr<Store> opened, WriterFile mine, const WriterOptions& options)
    : place(std::move(at)),
      store(std::move(opened)),
      file(std::move(mine)),
      ledger_id(store->ledger_id()),
      redactor_(options.secrets),
      waits_for_disk_(options.durability == Durability::disk),
      queue_bytes_max_(options.queue_bytes_max),
      checkpoint_wait_(options.checkpoint_wait),
      published_(store->fold()),
      thread_([this] { run(); }) {}

Writer::Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void Writer::Worker::push(Job job) {
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    CHECK(!stopping_);
    const bool later = job.hurry == Hurry::later;
    std::size_t bytes = payload_bytes(job.append.drafts);
    if (later && bytes > queue_bytes_max_ - queue_bytes_) {
      leave_payloads_out(job.append.drafts);
      bytes = 0;
    }
    const std::size_t appends_max = later ? 2 * queue_appends_max : queue_appends_max;
    if (queue_.size() >= appends_max || bytes > queue_bytes_max_ - queue_bytes_) {
      job.append = {};
      job.overflow = true;
    } else {
      queue_bytes_ += bytes;
    }
    wake = job.hurry == Hurry::now ? urgent_ == 0 : asleep_ && job.hurry == Hurry::later;
    if (job.hurry == Hurry::now) ++urgent_;
    if (job.hurry == Hurry::gathered) ++gathered_;
    queue_.push_back(std::move(job));
  }
  if (wake) wake_.notify_one();
}

void Writer::Worker::append(Append append, Done done) { push({std::move(append), std::move(done), {}}); }

void Writer::Worker::append_later(Append append, Done done) {
  push({std::move(append), std::move(done), {}, Hurry::later});
}

void Writer::Worker::gather(Append append, Done done) {
  push({std::move(append), std::move(done), {}, Hurry::gathered});
}

void Writer::Worker::write_gathered() {
  if (!waits_for_disk_ && write_here()) return;
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    for (auto job = queue_.rbegin(); gathered_ > 0 && job != queue_.rend(); ++job) {
      if (job->hurry != Hurry::gathered) continue;
      job->hurry = Hurry::now;
      --gathered_;
      ++urgent_;
    }
    wake = urgent_ > 0;
  }
  if (wake) wake_.notify_one();
}

// False: it is for the worker, and nothing was done.
bool Writer::Worker::write_here() {
  std::vector<Attempt> attempts;
  {
    const std::unique_lock working(working_, std::try_to_lock);
    if (!working || !again_.empty()) return false;
    {
      const std::lock_guard lock(mutex_);
      if (gathered_ == 0) return true;
      if (urgent_ > 0 || queue_.size() > own_appends_max || queue_bytes_ > own_bytes_max) return false;
    }
    {
      const auto held = store->try_lock();
      if (!held || !store->begin_promptly()) return false;
      attempts = prepare_batch(take());
      write_all(attempts);
    }
    keep_for_later(attempts);
    if (store->wants_checkpoint()) push({{}, {}, [this] { tend_wal(); }});
  }
  tell(std::move(attempts));
  return true;
}

void Writer::Worker::call(const std::function<void()>& task) {
  CHECK(std::this_thread::get_id() != thread_.get_id());
  std::promise<void> finished;
  push({{}, {}, [&] {
          task();
          finished.set_value();
        }});
  finished.get_future().wait();
}

std::shared_ptr<const Fold> Writer::Worker::state() const {
  const std::lock_guard lock(mutex_);
  return published_;
}

void Writer::Worker::publish() {
  auto fold = store->fold();
  const std::lock_guard lock(mutex_);
  published_.swap(fold);
  sign_at_.reset();
  if (store->unsigned_records()) sign_at_ = std::chrono::steady_clock::now() + checkpoint_wait_;
}

// Until something hurries, or what does not hurry has waited long enough. For a while after each batch the
// worker looks again by itself, so that the outcome of a quick call costs no waking.
void Writer::Worker::await_work() {
  std::unique_lock lock(mutex_);
  const auto look_again = std::chrono::steady_clock::now() + unhurried_wait;
  while (!stopping_ && urgent_ == 0) {
    if (wake_.wait_until(lock, look_again) == std::cv_status::no_timeout) continue;
    if (!queue_.empty() || retry_ || stopping_) return;
    asleep_ = true;
    const auto called = [this] { return stopping_ || retry_ || !queue_.empty(); };
    if (sign_at_)
      wake_.wait_until(lock, *sign_at_, called);
    else
      wake_.wait(lock, called);
    asleep_ = false;
    return;
  }
}

// The next batch, or one task. Whoever takes holds working_ until it is done, so that order is kept.
std::vector<Writer::Worker::Job> Writer::Worker::take() {
  const std::lock_guard lock(mutex_);
  std::vector<Job> jobs;
  std::size_t bytes = 0;
  while (!queue_.empty() && jobs.size() < batch_appends_max && (jobs.empty() || bytes < batch_bytes_max)) {
    const bool task = static_cast<bool>(queue_.front().task);
    if (task && !jobs.empty()) break;
    const std::size_t job_bytes = payload_bytes(queue_.front().append.drafts);
    bytes += job_bytes;
    queue_bytes_ -= job_bytes;
    if (queue_.front().hurry == Hurry::now) --urgent_;
    if (queue_.front().hurry == Hurry::gathered) --gathered_;
    jobs.push_back(std::move(queue_.front()));
    queue_.pop_front();
    if (task) break;
  }
  return jobs;
}

void Writer::Worker::run() {
  for (bool ended = false; !ended;) {
    await_work();
    const std::lock_guard working(working_);
    auto jobs = take();
    if (!jobs.empty() && jobs.front().task)
      jobs.front().task();
    else if (!jobs.empty() || !again_.empty())
      process(std::move(jobs));
    else
      sign_when_due();
    const std::lock_guard lock(mutex_);
    ended = stopping_ && queue_.empty();
  }
  tell(std::exchange(again_, {}));
}

Writer::Worker::Attempt Writer::Worker::prepare_all(Job job) const {
  Attempt attempt{
      std::move(job.done), std::move(job.append.preconditions), {}, Written{}, job.hurry == Hurry::later};
  if (job.overflow) attempt.result = base::Error(base::Code::limit, "too many appends wait for the ledger");
  for (auto& draft : job.append.drafts) {
    auto prepared = prepare(std::move(draft), redactor_, store->sealer());
    if (!prepared) {
      attempt.result = prepared.error();
      break;
    }
    attempt.drafts.push_back(std::move(*prepared));
  }
  return attempt;
}

std::vector<Writer::Worker::Attempt> Writer::Worker::prepare_batch(std::vector<Job> jobs) {
  std::vector<Attempt> attempts;
  attempts.reserve(jobs.size());
  for (auto& job : jobs) attempts.push_back(prepare_all(std::move(job)));
  return attempts;
}

void Writer::Worker::process(std::vector<Job> jobs) {
  retry();
  if (!jobs.empty()) finish(prepare_batch(std::move(jobs)));
  tend_wal();
}

// What was kept, in a transaction of its own: it must not take others down with it.
bool Writer::Worker::retry() {
  if (again_.empty()) return true;
  std::vector<Attempt> attempts = std::exchange(again_, {});
  for (auto& attempt : attempts) attempt.result = Written{};
  finish(std::move(attempts));
  return again_.empty();
}

void Writer::Worker::finish(std::vector<Attempt> attempts) {
  if (const auto held = store->lock())
    write(attempts);
  else
    fail(attempts, held.error());
  keep_for_later(attempts);
  tell(std::move(attempts));
}

// Records stand unsigned, and none followed for a while.
void Writer::Worker::sign_when_due() {
  {
    const std::lock_guard lock(mutex_);
    if (!sign_at_ || std::chrono::steady_clock::now() < *sign_at_) return;
    sign_at_.reset();  // what cannot be signed now is signed with the next record
  }
  const auto held = store->lock();
  if (!held || !store->begin()) return;
  if (store->sign_head())
    static_cast<void>(store->commit());
  else
    store->rollback();
  publish();
}

// What a commit should not wait for.
void Writer::Worker::tend_wal() {
  if (!store->wants_checkpoint() && !store->wants_wal_room()) return;
  const auto held = store->lock();
  if (!held) return;
  if (store->wants_checkpoint()) store->checkpoint();
  if (store->wants_wal_room()) store->make_wal_room();
}

// Keeps for the next batch what is without hurry and could not be written now: an outcome must not be lost
// for a lock that was held too long.
void Writer::Worker::keep_for_later(std::vector<Attempt>& attempts) {
  std::size_t bytes = 0;
  for (auto& attempt : attempts) {
    const bool refused_for_now =
        !attempt.result && (attempt.result.error().code() == base::Code::unavailable ||
                            attempt.result.error().code() == base::Code::io);
    if (!attempt.later || !refused_for_now || again_.size() >= again_appends_max) continue;
    // Kept once with its payloads: a disk that has no room for them may have some for the record.
    const bool again = std::exchange(attempt.kept, true);
    const bool no_room = again && attempt.result.error().code() == base::Code::io;
    if (no_room || bytes + payload_bytes(attempt.drafts) > again_bytes_max)
      leave_payloads_out(attempt.drafts);
    bytes += payload_bytes(attempt.drafts);
    again_.push_back(std::exchange(attempt, Attempt{{}, {}, {}, Written{}}));
  }
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    retry_ = !again_.empty();
    wake = retry_ && asleep_;
  }
  if (wake) wake_.notify_one();
}

void Writer::Worker::tell(std::vector<Attempt> attempts) {
  for (auto& attempt : attempts)
    if (attempt.done) attempt.done(std::move(attempt.result));
}

void Writer::Worker::fail(std::vector<Attempt>& attempts, const base::Error& error) {
  for (auto& attempt : attempts)
    if (attempt.result) attempt.result = error;
}

// One transaction; under the ledger's lock.
void Writer::Worker::write(std::vector<Attempt>& attempts) {
  if (const auto begun = store->begin(); !begun) return fail(attempts, begun.error());
  write_all(attempts);
}

// The rest of a transaction that has begun.
void Writer::Worker::write_all(std::vector<Attempt>& attempts) {
  bool any = false;
  for (auto& attempt : attempts) {
    if (!attempt.result) continue;
    attempt.result = store->add(attempt.drafts, attempt.preconditions, file.id());
    if (store->broken()) {
      const base::Error error = attempt.result.error();
      store->rollback();
      return fail(attempts, error);
    }
    any = any || attempt.result;
  }
  if (!any) {
    store->rollback();
  } else if (const auto committed = store->commit(); !committed) {
    fail(attempts, committed.error());
  }
  publish();
}

base::Result<Written> Writer::Worker::write_now(std::vector<Prepared> drafts) {
  const auto held = store->lock();
  if (!held) return held.error();
  std::vector<Attempt> attempts;
  attempts.push_back({{}, {}, std::move(drafts), Written{}, false});
  write(attempts);
  return attempts.front().result;
}

base::Result<void> Writer::Worker::refresh() {
  const auto held = store->lock();
  if (!held) return held.error();
  if (const auto begun = store->begin(); !begun) return begun.error();
  store->rollback();
  publish();
  return {};
}

}  // namespace ledger
