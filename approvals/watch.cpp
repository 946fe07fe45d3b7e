#include "approvals/watch.hpp"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "approvals/answer.hpp"
#include "ledger/doorbell.hpp"
#include "ledger/reader.hpp"
#include "proxy/base/check.hpp"
#include "proxy/base/clock.hpp"

namespace approvals {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::chrono::seconds slow_poll{1};
// Without a doorbell (no inotify left) the poll alone keeps the promise of 250 ms.
constexpr std::chrono::milliseconds quick_poll{100};
// Records read in one turn of the event loop; others get theirs in between.
constexpr std::uint64_t records_per_turn = 512;

}  // namespace

class Watch::Impl : public std::enable_shared_from_this<Watch::Impl> {
 public:
  Impl(asio::any_io_executor executor, ledger::Place place, Report report)
      : executor_(std::move(executor)),
        place_(std::move(place)),
        report_(std::move(report)),
        poll_(executor_),
        bell_(executor_) {}

  const asio::any_io_executor& executor() const { return executor_; }

  // From now on `held` is told what is recorded, beginning with what was recorded since its decision.
  void enter(Held& held) {
    if (waiters_.empty() && !start()) return held.state_.unreadable(trouble_);
    if (const auto caught_up = catch_up(held); !caught_up)
      return held.state_.unreadable(caught_up.error().text());
    waiters_.push_back(&held);
  }

  // Of the answer that a waiting call was given.
  std::string rationale(const ledger::StoredRecord& answer) const {
    if (!reader_) return {};
    const auto payload = reader_->payload(answer, "rationale");
    return payload && *payload ? rationale_of(answer.record, **payload).value_or("") : "";
  }

  void leave(Held& held) {
    std::erase(waiters_, &held);
    if (waiters_.empty()) stop();
  }

  // Reads all that is recorded up to now.
  void read_all() {
    while (!waiters_.empty() && read_some()) {
    }
  }

  void close() {
    closed_ = true;
    stop();
  }

 private:
  bool start() {
    if (closed_) {
      trouble_ = "the watch has ended";
      return false;
    }
    const auto opened = open();
    if (!opened) {
      trouble_ = opened.error().text();
      return false;
    }
    ++generation_;
    if (doorbell_) listen(generation_);
    tick(generation_);
    return true;
  }

  void stop() {
    ++generation_;  // pending waits belong to an older one and end
    poll_.cancel();
    if (bell_.is_open()) bell_.release();  // the descriptor is the doorbell's
    doorbell_.reset();
    reader_.reset();
  }

  base::Result<void> open() {
    reader_.reset();
    if (!doorbell_) {
      auto bell = ledger::Doorbell::open(place_);  // before the head is read, so that nothing falls between
      if (bell) {
        doorbell_.emplace(std::move(*bell));
        bell_.assign(doorbell_->descriptor());
      }
    }
    auto reader = ledger::Reader::open(place_);
    if (!reader) return reader.error();
    reader_ = std::move(*reader);
    const auto head = reader_->head();
    if (!head) return head.error();
    if (!*head) return base::Error(base::Code::not_found, "the ledger is empty");
    next_ = (*head)->sequence + 1;
    return {};
  }

  // The decision and what was recorded about it before next_.
  base::Result<void> catch_up(Held& held) {
    const std::uint64_t ask = held.state_.terms().ask.sequence;
    const auto decision = reader_->record(ask);
    if (!decision) return decision.error();
    if (!*decision) return base::Error(base::Code::not_found, "no record " + std::to_string(ask));
    const auto state = reader_->state();
    if (!state) return state.error();
    held.state_.begin(**decision, state->operator_key().value_or(""));
    std::uint64_t from = ask + 1;
    // A detached ask may be minutes old: the fold says where its answer stands, and the record itself is
    // judged.
    if (const ledger::Ask* standing = state->ask(ask); standing != nullptr && standing->answer > ask)
      from = standing->answer;
    else if (standing != nullptr)
      from = next_;
    if (from >= next_) return {};
    return reader_->scan(from, next_ - from, [&](const ledger::StoredRecord& record) {
      tell(held, record);
      return true;
    });
  }

  void tell(Held& held, const ledger::StoredRecord& record) {
    if (!held.state_.observe(record))
      report_("record " + std::to_string(record.record.sequence) + " answers approval " +
              std::to_string(held.state_.terms().ask.sequence) +
              " without the operator's signature and is ignored");
  }

  // Hands out new records, at most one turn's. True: there may be more.
  bool read_some() {
    std::uint64_t count = 0;
    std::uint64_t expected = next_;
    const auto scanned = reader_->scan(next_, records_per_turn, [&](const ledger::StoredRecord& record) {
      if (record.record.sequence != expected) return false;
      ++expected;
      ++count;
      const bool about_an_ask = record.record.answers.has_value();
      if (about_an_ask)
        for (Held* held : waiters_) tell(*held, record);
      if (about_an_ask)
        for (Held* held : waiters_)
          if (*record.record.answers == held->state_.terms().ask) held->wake();
      return true;
    });
    next_ = expected;
    if (!scanned) {
      fail(scanned.error());
      return false;
    }
    return count == records_per_turn;
  }

  // A ledger that went back, or is gone, is not one to be allowed by.
  void check_head() {
    const auto head = reader_->head();
    if (!head) return fail(head.error());
    if (!*head || (*head)->sequence + 1 < next_)
      fail(base::Error(base::Code::conflict, "the ledger has lost records that were there"));
  }

  void fail(const base::Error& error) {
    report_("the ledger cannot be read: " + error.text());
    for (Held* held : waiters_) {
      held->state_.unreadable(error.text());
      held->wake();
    }
  }

  void read_in_turns(std::uint64_t generation) {
    if (generation != generation_ || waiters_.empty() || !read_some()) return;
    asio::post(executor_, [self = shared_from_this(), generation] { self->read_in_turns(generation); });
  }

  void listen(std::uint64_t generation) {
    bell_.async_wait(asio::posix::stream_descriptor::wait_read,
                     [self = shared_from_this(), generation](const error_code& error) {
                       if (error || generation != self->generation_) return;
                       self->doorbell_->drain();
                       self->read_in_turns(generation);
                       if (generation == self->generation_) self->listen(generation);
                     });
  }

  // What a call waits for may have become pointless, without a word in the ledger.
  void ask_waiters() {
    for (Held* held : waiters_)
      if (held->overtaken_ && held->overtaken_()) {
        held->state_.overtake();
        held->wake();
      }
  }

  void tick(std::uint64_t generation) {
    if (doorbell_)
      poll_.expires_after(slow_poll);
    else
      poll_.expires_after(quick_poll);
    poll_.async_wait([self = shared_from_this(), generation](const error_code& error) {
      if (error || generation != self->generation_) return;
      self->check_head();
      self->read_in_turns(generation);
      self->ask_waiters();
      if (generation == self->generation_) self->tick(generation);
    });
  }

  asio::any_io_executor executor_;
  ledger::Place place_;
  Report report_;
  std::optional<ledger::Doorbell> doorbell_;
  std::unique_ptr<ledger::Reader> reader_;
  asio::steady_timer poll_;
  asio::posix::stream_descriptor bell_;
  std::vector<Held*> waiters_;
  std::uint64_t next_ = 0;        // first sequence not yet handed out
  std::uint64_t generation_ = 0;  // counts starts and stops
  std::string trouble_;
  bool closed_ = false;
};

Watch::Watch(asio::any_io_executor executor, ledger::Place place, Report report)
    : impl_(std::make_shared<Impl>(std::move(executor), std::move(place), std::move(report))) {}

Watch::~Watch() { impl_->close(); }

Held::Held(Watch& watch, HoldTerms terms, std::function<void(std::uint64_t)> progress,
           std::function<bool()> overtaken)
    : watch_(watch.impl_),
      state_(terms),
      progress_(std::move(progress)),
      overtaken_(std::move(overtaken)),
      timer_(watch_->executor()) {}

Held::~Held() {
  if (waiting_) watch_->leave(*this);
}

void Held::cancel() {
  state_.cancel();
  wake();
}

void Held::wake() { timer_.cancel(); }

asio::awaitable<Resolution> Held::wait() {
  CHECK(!waiting_);
  // A cancelled wait ends with a value: the caller has to write `withdrawn`.
  const bool throws = co_await asio::this_coro::throw_if_cancelled();
  co_await asio::this_coro::throw_if_cancelled(false);
  const asio::cancellation_state cancelled = co_await asio::this_coro::cancellation_state;
  waiting_ = true;
  watch_->enter(*this);
  for (;;) {
    if (cancelled.cancelled() != asio::cancellation_type::none) state_.cancel();
    const HoldAction action = state_.step(base::wall_now(), base::monotonic_now());
    if (action.step == HoldStep::done) break;
    if (action.step == HoldStep::progress) {
      if (progress_) progress_(state_.progress_sent());
    } else if (action.step == HoldStep::read) {
      watch_->read_all();
      state_.have_read();
    } else {
      timer_.expires_after(std::max<std::chrono::nanoseconds>(action.wait, std::chrono::milliseconds(1)));
      co_await timer_.async_wait(asio::as_tuple(asio::use_awaitable));
    }
  }
  Resolution resolution = state_.resolution();
  if (resolution.answer) resolution.rationale = watch_->rationale(*resolution.answer);
  watch_->leave(*this);
  waiting_ = false;
  co_await asio::this_coro::throw_if_cancelled(throws);
  co_return resolution;
}

}  // namespace approvals
