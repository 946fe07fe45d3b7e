#include "ledger/worker.hpp"

#include <future>
#include <utility>

#include "proxy/base/check.hpp"

namespace ledger {
namespace {

std::size_t payload_bytes(const Append& append) {
  std::size_t bytes = 0;
  for (const auto& draft : append.drafts)
    for (const auto& payload : draft.payloads) bytes += payload.bytes.size();
  return bytes;
}

}  // namespace

base::Result<Prepared> prepare(Draft draft, const Redactor& redactor) {
  Prepared prepared{std::move(draft.record), {}};
  prepared.record.payloads.clear();
  prepared.record.redacted.clear();
  for (auto& part : draft.payloads) {
    if (part.bytes.size() > payload::bytes_max)
      return base::Error(base::Code::limit,
                         "a payload is larger than " + std::to_string(payload::bytes_max) + " bytes");
    const Redacted redacted = redactor.redact(part.bytes);
    for (const auto& [rule, count] : redacted.counts) prepared.record.redacted[rule] += count;
    StoredPayload stored = payload::pack(std::move(part.slot), redacted.bytes);
    prepared.record.payloads.push_back(payload::commit(stored.slot, stored.salt, redacted.bytes));
    prepared.payloads.push_back(std::move(stored));
  }
  return prepared;
}

Writer::Worker::Worker(Place at, std::unique_ptr<Store> opened, WriterFile mine, const WriterOptions& options)
    : place(std::move(at)),
      store(std::move(opened)),
      file(std::move(mine)),
      ledger_id(store->ledger_id()),
      redactor_(options.secrets),
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
    const std::size_t bytes = payload_bytes(job.append);
    if (queue_.size() >= queue_appends_max || bytes > queue_bytes_max - queue_bytes_) {
      job.append = {};
      job.overflow = true;
    } else {
      queue_bytes_ += bytes;
    }
    wake = job.later ? asleep_ : urgent_ == 0;
    if (!job.later) ++urgent_;
    queue_.push_back(std::move(job));
  }
  if (wake) wake_.notify_one();
}

void Writer::Worker::append(Append append, Done done) { push({std::move(append), std::move(done), {}}); }

void Writer::Worker::append_later(Append append, Done done) {
  push({std::move(append), std::move(done), {}, false, true});
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
  published_ = std::move(fold);
}

// Until something hurries, or what does not hurry has waited long enough. For a while after each batch the
// worker looks again by itself, so that the outcome of a quick call costs no waking.
void Writer::Worker::await_work(std::unique_lock<std::mutex>& lock) {
  const auto look_again = std::chrono::steady_clock::now() + unhurried_wait;
  while (!stopping_ && urgent_ == 0) {
    if (wake_.wait_until(lock, look_again) == std::cv_status::no_timeout) continue;
    if (!queue_.empty() || !again_.empty() || stopping_) return;
    asleep_ = true;
    wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
    asleep_ = false;
    return;
  }
}

std::vector<Writer::Worker::Job> Writer::Worker::take() {
  std::unique_lock lock(mutex_);
  await_work(lock);
  std::vector<Job> jobs;
  std::size_t bytes = 0;
  while (!queue_.empty() && jobs.size() < batch_appends_max && (jobs.empty() || bytes < batch_bytes_max)) {
    const bool task = static_cast<bool>(queue_.front().task);
    if (task && !jobs.empty()) break;
    const std::size_t job_bytes = payload_bytes(queue_.front().append);
    bytes += job_bytes;
    queue_bytes_ -= job_bytes;
    if (!queue_.front().later) --urgent_;
    jobs.push_back(std::move(queue_.front()));
    queue_.pop_front();
    if (task) break;
  }
  return jobs;
}

void Writer::Worker::run() {
  for (;;) {
    auto jobs = take();
    if (jobs.empty() && again_.empty()) {
      const std::lock_guard lock(mutex_);
      if (stopping_ && queue_.empty()) return;
      continue;
    }
    if (jobs.empty()) {
      process({});
      const std::lock_guard lock(mutex_);
      if (stopping_ && queue_.empty()) break;
    } else if (jobs.front().task) {
      jobs.front().task();
    } else {
      process(std::move(jobs));
    }
  }
  finish(std::exchange(again_, {}), true);
}

Writer::Worker::Attempt Writer::Worker::prepare_all(Job job) const {
  Attempt attempt{std::move(job.done), std::move(job.append.preconditions), {}, Written{}, job.later};
  if (job.overflow) attempt.result = base::Error(base::Code::limit, "too many appends wait for the ledger");
  for (auto& draft : job.append.drafts) {
    auto prepared = prepare(std::move(draft), redactor_);
    if (!prepared) {
      attempt.result = prepared.error();
      break;
    }
    attempt.drafts.push_back(std::move(*prepared));
  }
  return attempt;
}

void Writer::Worker::process(std::vector<Job> jobs) {
  std::vector<Attempt> attempts = std::exchange(again_, {});
  for (auto& attempt : attempts) attempt.result = Written{};
  attempts.reserve(attempts.size() + jobs.size());
  for (auto& job : jobs) attempts.push_back(prepare_all(std::move(job)));
  const auto before = store->fold();
  write(attempts);
  if (store->fold() != before) publish();
  finish(std::move(attempts), false);
  if (!store->wants_checkpoint()) return;
  if (const auto held = store->lock()) store->checkpoint();
}

// Tells how each append ended. One without hurry that the ledger could not take is kept for the next batch:
// an outcome must not be lost for a lock that was held too long.
void Writer::Worker::finish(std::vector<Attempt> attempts, bool last) {
  for (auto& attempt : attempts) {
    const bool refused_for_now =
        !attempt.result && (attempt.result.error().code() == base::Code::unavailable ||
                            attempt.result.error().code() == base::Code::io);
    if (attempt.later && refused_for_now && !last && again_.size() < again_appends_max)
      again_.push_back(std::move(attempt));
    else if (attempt.done)
      attempt.done(std::move(attempt.result));
  }
}

void Writer::Worker::write(std::vector<Attempt>& attempts) {
  const auto fail = [&](const base::Error& error) {
    for (auto& attempt : attempts)
      if (attempt.result) attempt.result = error;
  };
  const auto held = store->lock();
  if (!held) return fail(held.error());
  if (const auto begun = store->begin(); !begun) return fail(begun.error());
  bool any = false;
  for (auto& attempt : attempts) {
    if (!attempt.result) continue;
    attempt.result = store->add(attempt.drafts, attempt.preconditions, file.id());
    if (store->broken()) {
      const base::Error error = attempt.result.error();
      store->rollback();
      return fail(error);
    }
    any = any || attempt.result;
  }
  if (!any) return store->rollback();
  if (const auto committed = store->commit(); !committed) fail(committed.error());
}

base::Result<Written> Writer::Worker::write_now(std::vector<Prepared> drafts) {
  std::vector<Attempt> attempts;
  attempts.push_back({{}, {}, std::move(drafts), Written{}, false});
  write(attempts);
  publish();
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
