#include "ledger/doorbell.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "ledger/store.hpp"
#include "proxy/base/text.hpp"

namespace ledger {

base::Result<Doorbell> Doorbell::open(const Place& place) {
  base::Descriptor inotify(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  if (!inotify) return base::errno_error("cannot watch the ledger", errno);
  Doorbell bell(std::move(inotify), mark_path(place));
  if (bell.watch_mark()) return bell;
  if (::inotify_add_watch(bell.inotify_.get(), place.folder.c_str(), IN_CREATE | IN_MOVED_TO | IN_ONLYDIR) <
      0)
    return base::errno_error("cannot watch folder " + base::quoted(place.folder), errno);
  // It may have come in between.
  static_cast<void>(bell.watch_mark());
  return bell;
}

bool Doorbell::watch_mark() {
  if (!watching_mark_)
    watching_mark_ = ::inotify_add_watch(inotify_.get(), mark_.c_str(), IN_MODIFY | IN_DONT_FOLLOW) >= 0;
  return watching_mark_;
}

void Doorbell::drain() {
  std::array<char, 4096> events{};
  while (::read(inotify_.get(), events.data(), events.size()) > 0) {
  }
  static_cast<void>(watch_mark());
}

}  // namespace ledger
