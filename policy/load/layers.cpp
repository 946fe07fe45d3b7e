#include "policy/load/layers.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>

#include "policy/load/built_in.hpp"
#include "policy/load/toml_reader.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

using Bytes = std::optional<std::string>;  // nullopt: not there

base::Result<Bytes> read_if_there(const std::string& path) {
  if (path.empty()) return Bytes();
  auto bytes = base::read_file(path, policy_bytes_max);
  if (bytes.has_value()) return Bytes(std::move(*bytes));
  if (bytes.error().code() == base::Code::not_found) return Bytes();
  return bytes.error();
}

// Opens `name` in the folder; an empty descriptor: nothing of that name stands there. Never follows a link.
base::Result<base::Descriptor> open_below(int folder, const char* name, int flags, const std::string& shown) {
  base::Descriptor opened(::openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | flags));
  if (opened || errno == ENOENT) return opened;
  const int reason = errno;
  struct stat status {};
  if (::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode))
    return base::Error(base::Code::refused,
                       base::quoted(shown) + " is a link; the repository's policy is not followed out");
  return base::errno_error("cannot open " + base::quoted(shown), reason);
}

base::Result<std::string> read_all(int file, const std::string& shown) {
  struct stat status {};
  if (::fstat(file, &status) != 0) return base::errno_error("cannot stat " + base::quoted(shown), errno);
  if (!S_ISREG(status.st_mode))
    return base::Error(base::Code::invalid, base::quoted(shown) + " is not a regular file");
  std::string bytes;
  char chunk[65536];
  for (;;) {
    const ssize_t count = ::read(file, chunk, sizeof chunk);
    if (count == 0) return bytes;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return base::errno_error("cannot read " + base::quoted(shown), errno);
    bytes.append(chunk, static_cast<std::size_t>(count));
    if (bytes.size() > policy_bytes_max)
      return base::Error(base::Code::limit, base::quoted(shown) + " is larger than " +
                                                std::to_string(policy_bytes_max) + " bytes");
  }
}

// The folder as named and as it really stands.
std::vector<std::string> both_names(const std::string& folder) {
  if (folder.empty()) return {};
  std::vector<std::string> names{folder};
  std::error_code error;
  const std::string real = std::filesystem::weakly_canonical(folder, error).string();
  if (!error && real != folder) names.push_back(real);
  return names;
}

std::string folder_of(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos || slash == 0 ? std::string() : file.substr(0, slash);
}

}  // namespace

std::string repository_file(const std::string& workspace) { return workspace + "/.callgate/policy.toml"; }

base::Result<std::optional<std::string>> read_repository(const std::string& workspace) {
  const std::string shown = repository_file(workspace);
  if (workspace.empty()) return Bytes();
  const base::Descriptor root(::open(workspace.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY));
  if (!root) return base::errno_error("cannot open the workspace " + base::quoted(workspace), errno);
  auto folder = open_below(root.get(), ".callgate", O_DIRECTORY, workspace + "/.callgate");
  if (folder.has_error()) return folder.error();
  if (!*folder) return Bytes();
  auto file = open_below(folder->get(), "policy.toml", 0, shown);
  if (file.has_error()) return file.error();
  if (!*file) return Bytes();
  auto bytes = read_all(file->get(), shown);
  if (bytes.has_error()) return bytes.error();
  return Bytes(std::move(*bytes));
}

base::Result<std::vector<Source>> read_layers(const LayerPlaces& places, const Trusted& trusted) {
  std::vector<Source> sources;
  const auto configuration = both_names(folder_of(places.user));
  const auto state = both_names(places.state_folder);
  if (!configuration.empty() || !state.empty()) sources.push_back(built_in_folders(configuration, state));

  const auto add = [&](Layer layer, const std::string& file,
                       base::Result<Bytes> bytes) -> base::Result<void> {
    if (bytes.has_error()) return base::Error(bytes.error().code(), bytes.error().message(), file);
    if (bytes->has_value()) sources.push_back({layer, file, std::move(**bytes), true});
    return {};
  };
  if (auto read = add(Layer::organisation, places.organisation, read_if_there(places.organisation));
      read.has_error())
    return read.error();
  if (auto read = add(Layer::user, places.user, read_if_there(places.user)); read.has_error())
    return read.error();
  const std::string repository = repository_file(places.workspace);
  if (auto read = add(Layer::repository, repository, read_repository(places.workspace)); read.has_error())
    return read.error();
  if (!sources.empty() && sources.back().layer == Layer::repository)
    sources.back().trusted = trusted && trusted(base::sha256(sources.back().bytes));
  if (places.mission.empty()) return sources;
  auto mission = base::read_file(places.mission, policy_bytes_max);
  if (mission.has_error()) return mission.error();
  sources.push_back({Layer::mission, places.mission, std::move(*mission), true});
  return sources;
}

}  // namespace policy
