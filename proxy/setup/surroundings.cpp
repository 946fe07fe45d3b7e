#include "proxy/setup/surroundings.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#include <cstdlib>

#include "proxy/base/text.hpp"

namespace proxy {
namespace {

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string real_path(const std::string& path) {
  char resolved[PATH_MAX];
  return ::realpath(path.c_str(), resolved) == nullptr ? "" : resolved;
}

bool exists(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

// The nearest folder upwards that has `.git`, else the folder itself.
std::string git_top_level(const std::string& directory) {
  for (std::string at = directory; !at.empty(); at.resize(at.rfind('/')))
    if (exists(at + "/.git")) return at;
  return directory;
}

// An XDG base folder: only absolute values count (XDG Base Directory Specification).
std::string xdg(const char* name, const std::string& fallback) {
  const std::string value = variable(name);
  return (value.starts_with('/') ? value : fallback) + "/callgate";
}

}  // namespace

base::Result<Surroundings> find_surroundings(const std::string& workspace) {
  Surroundings here;
  const passwd* account = ::getpwuid(::geteuid());
  here.home = variable("HOME");
  if (!here.home.starts_with('/') && account != nullptr) here.home = account->pw_dir;
  if (!here.home.starts_with('/'))
    return base::Error(base::Code::invalid, "no home folder: set HOME to an absolute path");
  here.user = account != nullptr ? account->pw_name : std::to_string(::geteuid());
  here.directory = real_path(".");
  if (here.directory.empty()) return base::Error(base::Code::io, "the working directory does not exist");
  here.workspace = workspace.empty() ? git_top_level(here.directory) : real_path(workspace);
  if (here.workspace.empty())
    return base::Error(base::Code::not_found, "no folder " + base::quoted(workspace) + " (--workspace)");
  here.config_folder = xdg("XDG_CONFIG_HOME", here.home + "/.config");
  here.state_folder = xdg("XDG_STATE_HOME", here.home + "/.local/state");
  return here;
}

// Desktop programs start servers in `/` or in the home folder: what a policy allows in a workspace is not
// meant of these.
base::Result<Surroundings> find_workspace(const std::string& workspace) {
  auto here = find_surroundings(workspace);
  if (!here || !workspace.empty()) return here;
  const std::string home = real_path(here->home);
  const bool whole = here->workspace == "/" || here->workspace == home;
  const bool above = (home + "/").starts_with(here->workspace + "/") && !exists(here->workspace + "/.git");
  if (!whole && !above) return here;
  return base::Error(base::Code::invalid, "the workspace would be all of " +
                                              base::quoted(here->workspace, 4096) +
                                              ": start callgate in the folder of a project, or name one with "
                                              "`--workspace FOLDER`");
}

base::Digest workspace_digest(const std::string& workspace) {
  return base::sha256({"callgate workspace\n", workspace});
}

}  // namespace proxy
