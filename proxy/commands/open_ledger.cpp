#include "proxy/commands/open_ledger.hpp"

#include <cstdio>

#include "approvals/operator_key.hpp"

namespace proxy::commands {

base::Result<std::unique_ptr<ledger::Writer>> open_ledger(const Surroundings& here, ledger::Durability durability,
                                                          std::vector<std::string> secrets) {
  ledger::WriterOptions options;
  options.durability = durability;
  options.secrets = std::move(secrets);
  options.operator_key = [folder = here.state_folder]() -> base::Result<std::string> {
    const auto key = approvals::load_or_create_key(folder);
    if (!key) return key.error();
    return approvals::public_text(*key);
  };
  return ledger::Writer::open({here.state_folder}, options);
}

int fail(const base::Error& error) {
  std::fprintf(stderr, "callgate: %s\n", error.text().c_str());
  return error.code() == base::Code::invalid || error.code() == base::Code::not_found ? 2 : 1;
}

}  // namespace proxy::commands
