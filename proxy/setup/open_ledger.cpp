#include "proxy/setup/open_ledger.hpp"

#include <cstdio>
#include <utility>

#include "approvals/operator_key.hpp"
#include "policy/load/built_in.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/setup/known_ledgers.hpp"
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
  options.made = [folder = here.config_folder](const std::string& verifier_key) {
    if (const auto remembered = remember_ledger(folder, verifier_key); !remembered)
      std::fprintf(stderr, "callgate: the key of the new ledger is %s, but %s: keep it elsewhere\n",
                   verifier_key.c_str(), remembered.error().text().c_str());
  };
  return options;
}

base::Result<ledger::VerifyOptions> verify_options(const Surroundings& here) {
  auto known = known_ledgers(here.config_folder);
  if (!known) return known.error();
  ledger::VerifyOptions options;
  options.pins = std::move(*known);
  return options;
}

base::Result<std::unique_ptr<ledger::Writer>> open_ledger(
    const Surroundings& here, ledger::Durability durability, std::vector<std::string> secrets,
    std::function<void(const std::string&)> signed_head) {
  ledger::WriterOptions options = writer_options(here);
  options.durability = durability;
  options.secrets = std::move(secrets);
  options.signed_head = std::move(signed_head);
  return ledger::Writer::open({here.state_folder}, options);
}

}  // namespace proxy
