#include "proxy/anchors/anchor.hpp"

#include "ledger/checkpoint.hpp"
#include "proxy/anchors/kinds.hpp"

namespace proxy::anchors {

std::unique_ptr<Anchor> make_anchor(const AnchorConfig& config) {
  switch (config.kind) {
    case AnchorConfig::Kind::file: return file_anchor(config);
    case AnchorConfig::Kind::git: return git_anchor(config);
    case AnchorConfig::Kind::syslog: return syslog_anchor(config);
    case AnchorConfig::Kind::webhook: return webhook_anchor(config);
  }
  return nullptr;
}

std::vector<std::string> split_notes(std::string_view text) {
  constexpr std::size_t lines = 5;  // of a checkpoint
  std::vector<std::string> notes;
  while (!text.empty()) {
    std::size_t end = 0;
    for (std::size_t i = 0; i < lines && end != std::string_view::npos; ++i) {
      end = text.find('\n', end);
      if (end != std::string_view::npos) ++end;
    }
    const std::string_view candidate = text.substr(0, end);
    if (end != std::string_view::npos && ledger::read_note(candidate)) {
      notes.emplace_back(candidate);
      text.remove_prefix(candidate.size());
    } else {
      text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    }
  }
  return notes;
}

}  // namespace proxy::anchors
