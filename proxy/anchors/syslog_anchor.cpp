#include <syslog.h>

#include <algorithm>

#include "proxy/anchors/kinds.hpp"
#include "proxy/anchors/program.hpp"
#include "proxy/base/file.hpp"

namespace proxy::anchors {
namespace {

constexpr const char* identifier = "callgate-checkpoint";
constexpr std::string_view begins = "checkpoint|";
constexpr std::size_t log_bytes_max = 64u << 20;

// A note on one line: no line of it holds a `|`.
std::string line_of(std::string note) {
  std::replace(note.begin(), note.end(), '\n', '|');
  return std::string(begins) + note;
}

// Whatever the log puts before it.
std::vector<std::string> notes_in(std::string_view log) {
  std::string notes;
  for (std::size_t at = log.find(begins); at != std::string_view::npos; at = log.find(begins, at + 1)) {
    std::string note(log.substr(at + begins.size(), log.find('\n', at) - at - begins.size()));
    std::replace(note.begin(), note.end(), '|', '\n');
    notes += note + "\n";  // what is no note may have no end of its own
  }
  return split_notes(notes);
}

class SyslogAnchor final : public Anchor {
 public:
  explicit SyslogAnchor(const AnchorConfig& config) : log_file_(config.place) {}

  std::string name() const override { return log_file_.empty() ? "journal" : "syslog " + log_file_; }

  // The system's logger says nothing of what became of it: only reading back shows that.
  base::Result<void> publish(const std::string& note) override {
    ::openlog(identifier, LOG_NDELAY, LOG_AUTH);
    ::syslog(LOG_NOTICE, "%s", line_of(note).c_str());
    ::closelog();
    return {};
  }

  base::Result<std::vector<std::string>> read() override {
    const auto log =
        log_file_.empty()
            ? run({{"journalctl", "--no-pager", "--quiet", "-o", "cat", "-t", identifier}, {}, {}})
            : base::read_file(log_file_, log_bytes_max);
    if (!log) return log.error();
    return notes_in(*log);
  }

 private:
  std::string log_file_;
};

}  // namespace

std::unique_ptr<Anchor> syslog_anchor(const AnchorConfig& config) {
  return std::make_unique<SyslogAnchor>(config);
}

}  // namespace proxy::anchors
