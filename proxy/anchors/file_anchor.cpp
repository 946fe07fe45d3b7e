#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "proxy/anchors/kinds.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/path_shown.hpp"
#include "proxy/base/text.hpp"

namespace proxy::anchors {
namespace {

constexpr std::size_t file_bytes_max = 64u << 20;

class FileAnchor final : public Anchor {
 public:
  explicit FileAnchor(const AnchorConfig& config) : path_(config.place) {}

  std::string name() const override { return "file " + path_; }

  base::Result<void> publish(const std::string& note) override {
    const base::Descriptor file(
        ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
    if (!file) return base::errno_error("cannot open " + shown(), errno);
    if (::write(file.get(), note.data(), note.size()) != static_cast<ssize_t>(note.size()) ||
        ::fsync(file.get()) != 0)
      return base::errno_error("cannot write " + shown(), errno);
    return {};
  }

  base::Result<std::vector<std::string>> read() override {
    const auto text = base::read_file(path_, file_bytes_max);
    if (!text) return text.error();
    return split_notes(*text);
  }

 private:
  std::string shown() const { return base::quoted(path_, base::path_shown_bytes_max); }
  std::string path_;
};

}  // namespace

std::unique_ptr<Anchor> file_anchor(const AnchorConfig& config) {
  return std::make_unique<FileAnchor>(config);
}

}  // namespace proxy::anchors
