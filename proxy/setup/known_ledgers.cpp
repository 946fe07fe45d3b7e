#include "proxy/setup/known_ledgers.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "proxy/base/file.hpp"
#include "proxy/base/path_shown.hpp"
#include "proxy/base/text.hpp"

namespace proxy {
namespace {

constexpr std::size_t file_bytes_max = 1u << 20;

std::string path_in(const std::string& config_folder) { return config_folder + "/ledgers"; }

}  // namespace

base::Result<std::vector<ledger::VerifierKey>> known_ledgers(const std::string& config_folder) {
  const auto bytes = base::read_file(path_in(config_folder), file_bytes_max);
  std::vector<ledger::VerifierKey> known;
  if (!bytes && bytes.error().code() == base::Code::not_found) return known;
  if (!bytes) return bytes.error();
  std::size_t number = 0;
  for (std::string_view rest = *bytes; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    ++number;
    const auto key = ledger::read_verifier_key(line);
    if (!key)
      return base::Error(base::Code::invalid, "not the verifier key of a ledger",
                         path_in(config_folder) + ":" + std::to_string(number) + ":1");
    known.push_back(*key);
  }
  return known;
}

base::Result<void> remember_ledger(const std::string& config_folder, const std::string& verifier_key) {
  if (auto made = base::make_folders(config_folder); !made) return made;
  const std::string path = path_in(config_folder), line = verifier_key + "\n";
  const base::Descriptor file(
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
  const bool written = file &&
                       ::write(file.get(), line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
                       ::fsync(file.get()) == 0;
  if (written) return {};
  return base::errno_error("cannot write " + base::quoted(path, base::path_shown_bytes_max), errno);
}

}  // namespace proxy
