#include "ledger/mark.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "proxy/base/text.hpp"

namespace ledger {
namespace {

constexpr std::string_view magic("cgmark1\0", 8);

}  // namespace

std::string encode_mark(const Reference& head) {
  std::string bytes(magic);
  for (int shift = 56; shift >= 0; shift -= 8) bytes += static_cast<char>(head.sequence >> shift & 0xff);
  bytes += base::bytes_of(head.leaf);
  bytes += base::bytes_of(base::sha256(bytes)).substr(0, 16);
  return bytes;
}

base::Result<Reference> decode_mark(std::string_view bytes) {
  Reference head;
  if (bytes.size() == mark_bytes) {
    for (const char byte : bytes.substr(8, 8))
      head.sequence = head.sequence << 8 | static_cast<unsigned char>(byte);
    std::copy_n(bytes.begin() + 16, 32, head.leaf.begin());
    if (encode_mark(head) == bytes) return head;
  }
  return base::Error(base::Code::invalid, "the ledger's high-water mark is damaged");
}

base::Result<Mark> Mark::open(const std::string& path) {
  base::Descriptor file(::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (file) return Mark(std::move(file), path);
  if (errno == ENOENT || errno == ENOTDIR)
    return base::Error(base::Code::not_found, "no file " + base::quoted(path));
  return base::errno_error("cannot open " + base::quoted(path), errno);
}

// Under another name until it is whole: an empty mark would be a loss.
base::Result<Mark> Mark::create(const std::string& path, const Reference& head) {
  const std::string unfinished = path + ".new";
  ::unlink(unfinished.c_str());
  base::Descriptor file(::open(unfinished.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) return base::errno_error("cannot make " + base::quoted(unfinished), errno);
  Mark mark(std::move(file), path);
  if (auto written = mark.write(head); !written) return written.error();
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  const base::Descriptor parent(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (::fsync(mark.file_.get()) != 0 || ::rename(unfinished.c_str(), path.c_str()) != 0 || !parent ||
      ::fsync(parent.get()) != 0)
    return base::errno_error("cannot make " + base::quoted(path), errno);
  return mark;
}

base::Result<Reference> Mark::read() const {
  std::array<char, mark_bytes + 1> bytes{};
  if (id_ != FileId::of(path_))
    return base::Error(base::Code::invalid,
                       "the ledger's high-water mark was moved, removed or replaced while it was in use");
  const ssize_t count = ::pread(file_.get(), bytes.data(), bytes.size(), 0);
  if (count < 0) return base::errno_error("cannot read the ledger's high-water mark", errno);
  return decode_mark({bytes.data(), static_cast<std::size_t>(count)});
}

base::Result<void> Mark::write(const Reference& head) const {
  const std::string bytes = encode_mark(head);
  const ssize_t count = ::pwrite(file_.get(), bytes.data(), bytes.size(), 0);
  if (count == static_cast<ssize_t>(bytes.size())) return {};
  return base::errno_error("cannot write the ledger's high-water mark", count < 0 ? errno : ENOSPC);
}

}  // namespace ledger
