#include "examples/workshop/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

namespace workshop {

namespace {

constexpr std::size_t file_bytes_max = 16u << 20;
constexpr std::size_t names_max = 10000;

File failed(const char* what, const std::string& path, const char* why) {
  return {false, std::string("cannot ") + what + " `" + path + "`: " + why};
}

}  // namespace

File read_text(const std::string& path) {
  // Not blocking: a pipe without a writer would hold the whole server.
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return failed("read", path, std::strerror(errno));
  struct stat found {};
  File file;
  if (fstat(descriptor, &found) != 0 || !S_ISREG(found.st_mode)) {
    file = failed("read", path, "not a regular file");
  } else if (static_cast<std::size_t>(found.st_size) > file_bytes_max) {
    file = failed("read", path, "larger than 16 MiB");
  } else {
    file.good = true;
    char piece[65536];
    ssize_t count = 0;
    while (file.text.size() <= file_bytes_max && (count = read(descriptor, piece, sizeof piece)) > 0) {
      file.text.append(piece, static_cast<std::size_t>(count));
    }
    if (count < 0) file = failed("read", path, std::strerror(errno));
  }
  close(descriptor);
  return file;
}

File write_text(const std::string& path, const std::string& content) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0644);
  if (descriptor < 0) return failed("write", path, std::strerror(errno));
  std::size_t done = 0;
  while (done < content.size()) {
    const ssize_t count = write(descriptor, content.data() + done, content.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const File file = failed("write", path, std::strerror(errno));
      close(descriptor);
      return file;
    }
    done += static_cast<std::size_t>(count);
  }
  close(descriptor);
  return {true, "wrote " + std::to_string(content.size()) + " bytes to `" + path + "`"};
}

File list_names(const std::string& path) {
  std::error_code error;
  std::vector<std::string> names;
  for (std::filesystem::directory_iterator at(path, error), end; !error && at != end; at.increment(error)) {
    std::error_code unknown;
    names.push_back(at->path().filename().string() + (at->is_directory(unknown) ? "/" : ""));
    if (names.size() > names_max) return failed("list", path, "more than 10000 names");
  }
  if (error) return failed("list", path, error.message().c_str());
  std::sort(names.begin(), names.end());
  File listing{true, {}};
  for (const std::string& name : names) listing.text += name + "\n";
  return listing;
}

}  // namespace workshop
