// callgate init: a first policy for this repository. Makes one file that was not there, or prints it.

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>

#include "policy/load/layers.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/path_shown.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/commands.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/setup/known_ledgers.hpp"
#include "proxy/setup/open_ledger.hpp"
#include "proxy/setup/surroundings.hpp"
#include "proxy/starter/find.hpp"

namespace proxy::commands {
namespace {

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return ::fsync(file) == 0;
}

// Where nothing of that name stands, a dangling link included. Follows no link: the repository may hold some.
base::Result<void> make_policy(const std::string& workspace, std::string_view text) {
  const std::string folder = workspace + "/.callgate";
  const std::string shown = policy::repository_file(workspace);
  if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST)
    return base::errno_error("cannot make " + base::quoted(folder, base::path_shown_bytes_max), errno);
  const base::Descriptor opened(::open(folder.c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW));
  if (!opened)
    return base::errno_error("cannot open the folder " + base::quoted(folder, base::path_shown_bytes_max),
                             errno);
  const base::Descriptor file(
      ::openat(opened.get(), "policy.toml", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0666));
  if (!file && errno == EEXIST)
    return base::Error(base::Code::conflict,
                       base::quoted(shown, base::path_shown_bytes_max) +
                           " stands already and is left as it is; `--print` shows what would be written");
  if (!file)
    return base::errno_error("cannot make " + base::quoted(shown, base::path_shown_bytes_max), errno);
  if (write_all(file.get(), text)) return {};
  const int reason = errno;
  ::unlinkat(opened.get(), "policy.toml", 0);
  return base::errno_error("cannot write " + base::quoted(shown, base::path_shown_bytes_max), reason);
}

std::string summary(const starter::Found& found) {
  std::string languages, servers;
  for (const starter::Language* language : found.languages)
    languages += (languages.empty() ? "" : ", ") + language->title;
  for (const starter::Server& server : found.servers)
    servers += (servers.empty() ? "" : ", ") + base::printable(server.key, 64);
  return "languages: " + (languages.empty() ? "none that it knows" : languages) +
         "; servers: " + (servers.empty() ? "none" : servers);
}

// Where there is no ledger yet it is made, so that its key can be written down before anything happens.
void print_ledger_key(const Surroundings& here) {
  {
    const auto writer = open_ledger(here);
    if (!writer) return complain("the ledger cannot be opened: " + writer.error().text());
  }
  const auto known = known_ledgers(here.config_folder);
  if (!known || known->empty()) return;
  std::printf("The ledger's key, for `callgate ledger verify --key` elsewhere:\n  %s\n",
              ledger::verifier_key(known->back().ledger, known->back().key).c_str());
}

int make_starter(const std::string& workspace, bool print) {
  const auto here = find_workspace(workspace);
  if (!here) return fail(here.error());
  const starter::Search search = starter::find(here->workspace);
  for (const std::string& each : search.unread) complain(each);
  const std::string text = starter::policy_text(search.found);
  if (print) {
    std::fputs(text.c_str(), stdout);
    return 0;
  }
  if (const auto made = make_policy(here->workspace, text); !made) return fail(made.error());
  std::printf(
      "wrote %s\n%s\n"
      "Next: read it and change what does not fit, then\n"
      "  callgate policy check    says what is wrong with it, or wider than it looks\n"
      "  callgate policy trust    lets its allow rules count; until then only what it denies and asks does\n",
      base::printable(policy::repository_file(here->workspace), base::path_shown_bytes_max).c_str(),
      summary(search.found).c_str());
  print_ledger_key(*here);
  return 0;
}

}  // namespace

void add_init(CLI::App& app, int& exit) {
  struct Options {
    std::string workspace;
    bool print = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "init",
      "Write a first policy for this repository, .callgate/policy.toml, from its languages and the MCP "
      "servers "
      "in\n.mcp.json, .cursor/mcp.json and .vscode/mcp.json. A policy that stands is never written over.\n"
      "Example: callgate init --print");
  command->add_option("--workspace", options->workspace, "Workspace (default: the git top level)")
      ->type_name("FOLDER");
  command->add_flag("--print", options->print, "Write it to stdout, not to the file");
  command->callback([options, &exit] { exit = make_starter(options->workspace, options->print); });
}

}  // namespace proxy::commands
