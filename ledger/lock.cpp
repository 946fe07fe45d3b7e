#include "ledger/lock.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>

#include "proxy/base/text.hpp"

namespace ledger {
namespace {

// SIGURG: ignored by default, so that a stray one does no harm; the handler only makes flock return EINTR.
constexpr int alarm_signal = SIGURG;

void on_alarm(int) {}

// Interrupts a system call of this thread after `wait`, and again each 20 ms, since the first may come before
// the call.
class Alarm {
 public:
  explicit Alarm(std::chrono::milliseconds wait) {
    struct sigaction action {};
    action.sa_handler = on_alarm;
    ::sigaction(alarm_signal, &action, nullptr);
    sigset_t mine;
    sigemptyset(&mine);
    sigaddset(&mine, alarm_signal);
    ::pthread_sigmask(SIG_UNBLOCK, &mine, &before_);
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = alarm_signal;
    event._sigev_un._tid = static_cast<pid_t>(::syscall(SYS_gettid));
    if (::timer_create(CLOCK_MONOTONIC, &event, &timer_) != 0) return;
    made_ = true;
    itimerspec when{};
    when.it_value.tv_sec = wait.count() / 1000;
    when.it_value.tv_nsec = wait.count() % 1000 * 1'000'000 + 1;
    when.it_interval.tv_nsec = 20'000'000;
    set_ = ::timer_settime(timer_, 0, &when, nullptr) == 0;
  }
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;
  ~Alarm() {
    if (made_) ::timer_delete(timer_);
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  bool set() const { return set_; }

 private:
  timer_t timer_{};
  sigset_t before_{};
  bool made_ = false;
  bool set_ = false;
};

}  // namespace

base::Result<Lock> Lock::open(const std::string& path, bool create) {
  const int flags = (create ? O_RDWR | O_CREAT : O_RDONLY) | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
  base::Descriptor file(::open(path.c_str(), flags, 0600));
  if (file) return Lock(std::move(file), path);
  if (errno == ENOENT || errno == ENOTDIR)
    return base::Error(base::Code::not_found, "no file " + base::quoted(path));
  return base::errno_error("cannot open the ledger's lock " + base::quoted(path), errno);
}

Lock::Held::~Held() {
  if (file_ >= 0) ::flock(file_, LOCK_UN);
}

base::Result<Lock::Held> Lock::checked(Held held) const {
  if (id_ == FileId::of(path_)) return held;
  return base::Error(base::Code::conflict, "the ledger's lock " + base::quoted(path_) +
                                               " was moved, removed or replaced while it was in use");
}

std::optional<Lock::Held> Lock::try_acquire() const {
  if (::flock(file_.get(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  auto held = checked(Held(file_.get()));
  if (!held) return std::nullopt;
  return std::move(*held);
}

base::Result<Lock::Held> Lock::acquire(std::chrono::milliseconds wait) const {
  const int file = file_.get();
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) return checked(Held(file));
  if (errno != EWOULDBLOCK) return base::errno_error("cannot lock the ledger", errno);
  const auto deadline = std::chrono::steady_clock::now() + wait;
  const Alarm alarm(wait);
  if (!alarm.set())
    return base::Error(base::Code::unavailable, "the ledger is locked and no timer can be had to wait");
  for (;;) {
    if (::flock(file, LOCK_EX) == 0) return checked(Held(file));
    if (errno != EINTR) return base::errno_error("cannot lock the ledger", errno);
    if (std::chrono::steady_clock::now() >= deadline)
      return base::Error(base::Code::unavailable, "another process has held the ledger's lock for " +
                                                      std::to_string(wait.count()) + " ms");
  }
}

}  // namespace ledger
