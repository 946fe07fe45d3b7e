#include "proxy/setup/open_ledger.hpp"

#include <utility>

#include "approvals/operator_key.hpp"
#include "policy/load/built_in.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/setup/version.hpp"

namespace proxy {

std::string engine() { return std::string(version) + ' ' + base::hex(policy::built_in_digest()); }

ledger::WriterOptions writer_options(const Surroundings& here) {
  ledger::WriterOptions options;
  options.engine = engine();
  options.operator_key = [folder = here.state_folder]() -> base::Result<std::string> {
    const auto key = approvals::load_or_create_key(folder);
    if (!key) return key.error();
    return approvals::public_text(*key);
  };
  return options;
}

base::Result<std::unique_ptr<ledger::Writer>> open_ledger(const Surroundings& here,
                                                          ledger::Durability durability,
                                                          std::vector<std::string> secrets) {
  ledger::WriterOptions options = writer_options(here);
  options.durability = durability;
  options.secrets = std::move(secrets);
  return ledger::Writer::open({here.state_folder}, options);
}

}  // namespace proxy
