#pragma once
// The ledger's lock: flock on ledger.lock (FORMAT.md, «Lock»). The kernel's queue is fair, so waiting is a
// blocking flock that a timer interrupts, and no polling.

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "ledger/file_id.hpp"
#include "proxy/base/error.hpp"
#include "proxy/base/file.hpp"

namespace ledger {

inline constexpr std::chrono::milliseconds lock_wait_max{2000};

class Lock {
 public:
  // Makes the file when `create`, mode 0600; else Code::not_found when absent.
  static base::Result<Lock> open(const std::string& path, bool create);

  // Released when it goes out of scope. Must not outlive its Lock.
  class Held {
   public:
    explicit Held(int file) : file_(file) {}
    Held(Held&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    Held& operator=(Held&&) = delete;
    ~Held();

   private:
    int file_;
  };
  // Code::unavailable when others hold it for longer than `wait`; Code::conflict when the file is not the one
  // at its path any more, so that others may hold another.
  base::Result<Held> acquire(std::chrono::milliseconds wait = lock_wait_max) const;
  // Nothing when others hold it now, or acquire() would fail at once.
  std::optional<Held> try_acquire() const;

 private:
  Lock(base::Descriptor file, std::string path)
      : file_(std::move(file)), path_(std::move(path)), id_(FileId::of(file_.get())) {}
  base::Result<Held> checked(Held held) const;
  base::Descriptor file_;
  std::string path_;
  FileId id_;  // of file_
};

}  // namespace ledger
