#include "ledger/wal_trouble.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "proxy/base/file.hpp"

namespace ledger {
namespace {

constexpr std::size_t header_bytes = 32;
constexpr std::size_t frame_header_bytes = 24;

std::uint32_t number(const unsigned char* at) {
  return static_cast<std::uint32_t>(at[0]) << 24 | static_cast<std::uint32_t>(at[1]) << 16 |
         static_cast<std::uint32_t>(at[2]) << 8 | at[3];
}

struct Checksum {
  std::uint32_t first = 0, second = 0;
  bool big_endian = false;

  void add(const unsigned char* bytes, std::size_t count) {
    for (std::size_t i = 0; i + 8 <= count; i += 8) {
      first += word(bytes + i) + second;
      second += word(bytes + i + 4) + first;
    }
  }
  std::uint32_t word(const unsigned char* at) const {
    return big_endian ? number(at) : __builtin_bswap32(number(at));
  }
  bool stands_at(const unsigned char* at) const { return number(at) == first && number(at + 4) == second; }
};

// As many bytes as there are, up to so many.
std::size_t read_some(int file, std::vector<unsigned char>& into) {
  std::size_t filled = 0;
  while (filled < into.size()) {
    const ssize_t count = ::read(file, into.data() + filled, into.size() - filled);
    if (count <= 0) break;
    filled += static_cast<std::size_t>(count);
  }
  return filled;
}

bool all_zero(const std::vector<unsigned char>& bytes, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (bytes[i] != 0) return false;
  return true;
}

class Frames {
 public:
  Frames(int file, const std::vector<unsigned char>& header, Checksum checksum)
      : file_(file),
        salts_(reinterpret_cast<const char*>(header.data()) + 16, 8),
        checksum_(checksum),
        frame_(frame_header_bytes + number(header.data() + 8)) {}

  std::string trouble() {
    for (std::size_t count = read_some(file_, frame_); count > 0; count = read_some(file_, frame_)) {
      ++at_;
      if (count < frame_.size()) return cut(count);
      look();
    }
    if (broken_ != 0)
      return "frame " + std::to_string(broken_) +
             " of the write-ahead log is damaged, and what stands behind it is lost";
    return {};
  }

 private:
  bool is_ours() const {
    return std::string_view(reinterpret_cast<const char*>(frame_.data()) + 8, 8) == salts_;
  }
  // A file that ends within a frame of this log; zeros and frames of before may end anywhere.
  std::string cut(std::size_t count) const {
    const bool ours = count >= 16 ? is_ours() : !all_zero(frame_, count) && stale_ == 0;
    if (broken_ == 0 && !ours) return {};
    return "the write-ahead log is cut off within frame " + std::to_string(at_);
  }
  void look() {
    if (!is_ours()) {
      if (stale_ == 0) stale_ = at_;
      return;
    }
    if (stale_ != 0 && broken_ == 0) broken_ = stale_;  // ours again behind one that is not
    if (broken_ != 0) return;
    checksum_.add(frame_.data(), 8);
    checksum_.add(frame_.data() + frame_header_bytes, frame_.size() - frame_header_bytes);
    if (!checksum_.stands_at(frame_.data() + 16)) broken_ = at_;
  }

  int file_;
  std::string salts_;
  Checksum checksum_;
  std::vector<unsigned char> frame_;
  std::size_t at_ = 0;      // frames seen
  std::size_t stale_ = 0;   // the first that is not this log's; 0: none
  std::size_t broken_ = 0;  // the first that does not fit, though it is
};

}  // namespace

std::string wal_trouble(const std::string& path) {
  const base::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!file) return {};
  std::vector<unsigned char> header(header_bytes);
  const std::size_t count = read_some(file.get(), header);
  if (all_zero(header, count)) return {};
  if (count < header_bytes) return "the write-ahead log is cut off within its header";
  const std::uint32_t magic = number(header.data());
  const std::uint32_t page = number(header.data() + 8);
  Checksum checksum{0, 0, (magic & 1) != 0};
  checksum.add(header.data(), 24);
  const bool right =
      (magic & ~1u) == 0x377f0682 && page >= 512 && page <= 65536 && checksum.stands_at(header.data() + 24);
  if (!right) return "the header of the write-ahead log is damaged, and what stands behind it is lost";
  return Frames(file.get(), header, checksum).trouble();
}

}  // namespace ledger
