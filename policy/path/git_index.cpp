#include "policy/path/git_index.hpp"

#include <algorithm>
#include <cstdint>

#include "policy/path/components.hpp"

namespace policy {

namespace {

constexpr std::size_t header_bytes = 12;
constexpr std::size_t checksum_bytes = 20;
constexpr std::size_t fixed_bytes = 62;  // of an entry, up to its flags
constexpr std::size_t mode_at = 24;
constexpr std::size_t flags_at = 60;
constexpr std::uint32_t extended = 0x4000;
constexpr std::uint32_t name_size = 0x0fff;  // or more
constexpr std::uint32_t left_out = 0x4000;   // of the further flags: skip-worktree
constexpr std::uint32_t submodule = 0160000;
constexpr std::uint32_t folder = 0040000;

// What is left of the file; past its end nothing is read any more.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : rest_(bytes) {}
  bool failed() const { return failed_; }
  std::string_view rest() const { return rest_; }

  std::string_view take(std::size_t size) {
    if (size > rest_.size()) {
      failed_ = true;
      return {};
    }
    const std::string_view taken = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return taken;
  }

  // 0 where there is no more.
  std::uint32_t number(std::size_t size) { return number_in(take(size), 0, size); }

  // 0 where `bytes` are fewer.
  static std::uint32_t number_in(std::string_view bytes, std::size_t at, std::size_t size) {
    std::uint32_t value = 0;
    if (bytes.size() < at + size) return 0;
    for (const char c : bytes.substr(at, size)) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }

  // How much of the name before is dropped.
  std::size_t dropped() {
    std::size_t value = 0;
    for (bool first = true;; first = false) {
      const std::uint32_t byte = number(1);
      if (failed_ || value > index_text_max) {
        failed_ = true;
        return 0;
      }
      value = ((value + (first ? 0 : 1)) << 7) | (byte & 0x7f);
      if ((byte & 0x80) == 0) return value;
    }
  }

  // Up to a NUL, which is dropped.
  std::string_view text() {
    const std::size_t end = rest_.find('\0');
    if (end == std::string_view::npos) {
      failed_ = true;
      return {};
    }
    const std::string_view taken = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    return taken;
  }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

// git itself refuses other names.
bool plain(std::string_view name) {
  if (name.empty() || name.front() == '/' || name.back() == '/') return false;
  if (name.find("//") != std::string_view::npos) return false;
  bool good = true;
  each_component(name, [&](std::string_view part) { good = good && part != "." && part != ".."; });
  return good;
}

// Whether all that is left is understood, or may be left unread.
bool known_extensions(Cursor cursor, bool sparse) {
  while (!cursor.failed() && !cursor.rest().empty()) {
    const std::string_view signature = cursor.take(4);
    cursor.take(cursor.number(4));
    if (sparse && signature == "sdir") continue;  // folders that are left out of the worktree
    if (cursor.failed() || signature.front() < 'A' || signature.front() > 'Z') return false;
  }
  return !cursor.failed();
}

// Each entry: its mode, its flags, the further ones, and its name; `use` says whether to go on. False:
// broken, not understood, or `use` did.
template <class Use>
bool each_entry(std::string_view bytes, bool sparse, Use use) {
  if (bytes.size() > index_bytes_max || bytes.size() < header_bytes + checksum_bytes) return false;
  Cursor cursor(bytes.substr(0, bytes.size() - checksum_bytes));
  if (cursor.take(4) != "DIRC") return false;
  const std::uint32_t version = cursor.number(4);
  const std::uint32_t count = cursor.number(4);
  if (version < 2 || version > 4) return false;
  std::string name;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::size_t start = cursor.rest().size();
    const std::string_view fixed = cursor.take(fixed_bytes);
    const std::uint32_t kind = Cursor::number_in(fixed, mode_at, 4) & 0170000;
    const std::uint32_t flags = Cursor::number_in(fixed, flags_at, 2);
    if ((flags & extended) != 0 && version < 3) return false;
    const std::uint32_t further = (flags & extended) != 0 ? cursor.number(2) : 0;
    if (version == 4) {
      const std::size_t dropped = cursor.dropped();
      if (cursor.failed() || dropped > name.size()) return false;
      name.resize(name.size() - dropped);
      name += cursor.text();
    } else {
      name = cursor.text();
      const std::size_t used = start - cursor.rest().size();
      const std::string_view padding = cursor.take((8 - used % 8) % 8);
      if (padding.find_first_not_of('\0') != std::string_view::npos) return false;
    }
    if (cursor.failed() ||
        !plain(kind == folder && name.ends_with('/') ? name.substr(0, name.size() - 1) : name))
      return false;
    if ((flags & name_size) != std::min<std::size_t>(name.size(), name_size)) return false;
    if (!use(kind, further, name)) return false;
  }
  return known_extensions(cursor, sparse);
}

}  // namespace

std::optional<std::vector<std::string>> read_git_index(std::string_view bytes) {
  std::vector<std::string> names;
  std::size_t text = 0;
  const bool known =
      each_entry(bytes, false, [&](std::uint32_t kind, std::uint32_t further, const std::string& name) {
        text += name.size();
        if (kind == submodule || kind == folder || (further & left_out) != 0) return false;
        if (names.size() >= index_names_max || text > index_text_max) return false;
        if (names.empty() || names.back() != name) names.push_back(name);  // once of a conflict
        return true;
      });
  if (!known) return std::nullopt;
  return names;
}

std::optional<std::vector<std::string>> read_submodules(std::string_view bytes) {
  std::vector<std::string> names;
  const bool known = each_entry(bytes, true, [&](std::uint32_t kind, std::uint32_t, const std::string& name) {
    if (kind == submodule) names.push_back(name);
    return names.size() <= index_names_max;
  });
  if (!known) return std::nullopt;
  return names;
}

}  // namespace policy
