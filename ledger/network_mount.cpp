#include "ledger/network_mount.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace ledger {
namespace {

constexpr std::array<std::string_view, 25> kinds{"nfs",
                                                 "nfs4",
                                                 "cifs",
                                                 "smb3",
                                                 "smbfs",
                                                 "ncpfs",
                                                 "afs",
                                                 "coda",
                                                 "ceph",
                                                 "lustre",
                                                 "glusterfs",
                                                 "beegfs",
                                                 "davfs",
                                                 "orangefs",
                                                 "fuse.sshfs",
                                                 "fuse.rclone",
                                                 "fuse.s3fs",
                                                 "fuse.gcsfuse",
                                                 "fuse.glusterfs",
                                                 "fuse.ceph",
                                                 "fuse.ceph-fuse",
                                                 "fuse.davfs",
                                                 "fuse.juicefs",
                                                 "fuse.curlftpfs",
                                                 "fuse.gvfsd-fuse"};

// Words of a line, by blanks.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return words;
}

// Blanks, tabs, line feeds and backslashes stand as three octal digits.
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto octal = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '7'; };
    if (text[i] == '\\' && octal(i + 1) && octal(i + 2) && octal(i + 3)) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

bool is_in(std::string_view path, std::string_view folder) {
  return folder == "/" ||
         (path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/'));
}

}  // namespace

std::optional<std::string> network_mount(std::string_view mountinfo, std::string_view path) {
  constexpr std::size_t mount_point_at = 4;
  std::string_view kind, options;
  std::size_t longest = 0;
  while (!mountinfo.empty()) {
    const std::size_t end = std::min(mountinfo.find('\n'), mountinfo.size());
    const auto words = words_of(mountinfo.substr(0, end));
    mountinfo.remove_prefix(std::min(end + 1, mountinfo.size()));
    const auto dash = std::find(words.begin(), words.end(), "-");
    if (words.size() <= mount_point_at || words.end() - dash < 4) continue;
    const std::string folder = unescaped(words[mount_point_at]);
    // The last of those on one folder covers the others.
    if (!is_in(path, folder) || folder.size() < longest) continue;
    longest = folder.size();
    kind = dash[1];
    options = dash[3];
  }
  const bool of_windows = kind == "9p" && options.find("aname=drvfs") != std::string_view::npos;
  if (of_windows || std::find(kinds.begin(), kinds.end(), kind) != kinds.end()) return std::string(kind);
  return std::nullopt;
}

}  // namespace ledger
