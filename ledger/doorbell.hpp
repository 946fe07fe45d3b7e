#pragma once
// Wakes waiters when anybody appends: inotify on the high-water file (12 µs), only while waiting.

#include "ledger/writer.hpp"
#include "proxy/base/error.hpp"
#include "proxy/base/file.hpp"

namespace ledger {

class Doorbell {
 public:
  static base::Result<Doorbell> open(const Place& place);
  // Readable when the mark has changed since the last drain(). A slow poll must stand behind it.
  int descriptor() const { return inotify_.get(); }
  void drain();

 private:
  explicit Doorbell(base::Descriptor inotify) : inotify_(std::move(inotify)) {}
  base::Descriptor inotify_;
};

}  // namespace ledger
