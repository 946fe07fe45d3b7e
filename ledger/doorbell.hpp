#pragma once
// Wakes waiters when anybody appends: inotify on the high-water file (12 µs), only while waiting.

#include "ledger/writer.hpp"
#include "proxy/base/error.hpp"
#include "proxy/base/file.hpp"

namespace ledger {

class Doorbell {
 public:
  static base::Result<Doorbell> open(const Place& place);
  // Readable when the mark has changed since the last drain(). A slow poll must stand behind it. Without a
  // mark it rings when a file is made in the folder, which must exist.
  int descriptor() const { return inotify_.get(); }
  void drain();

 private:
  Doorbell(base::Descriptor inotify, std::string mark)
      : inotify_(std::move(inotify)), mark_(std::move(mark)) {}
  bool watch_mark();

  base::Descriptor inotify_;
  std::string mark_;
  bool watching_mark_ = false;
};

}  // namespace ledger
