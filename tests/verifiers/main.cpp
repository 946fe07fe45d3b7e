// first_verifier FOLDER: makes the ledger FOLDER/sample, and prints the verifier key of its first
// checkpoints. Then for each line `FOLDER` or `FOLDER KEY` of its input one line: EXIT LEVEL KIND RECORDS
// FINDINGS, as `callgate ledger verify [--key KEY]` would end there; `-` where there is no kind.

#include <cstdio>
#include <iostream>
#include <sstream>

#include "proxy/commands/verified.hpp"
#include "tests/ledger/verify_ledger.hpp"
#include "tests/verifiers/sample.hpp"

namespace {

std::string verdict(const std::string& folder, const std::string& pin) {
  ledger::VerifyOptions options;
  options.findings_max = 1;
  if (!pin.empty()) options.pins = {ledger::read_verifier_key(pin).value()};
  const auto report = ledger::verify({folder}, options);
  if (!report)
    return (report.error().code() == base::Code::not_found ? "1" : "4") + std::string(" UNREADABLE - 0 0");
  return std::to_string(proxy::commands::exit_of(*report)) + " " + name(report->level) + " " +
         (report->kind ? name(*report->kind) : "-") + " " + std::to_string(report->records) + " " +
         std::to_string(report->findings_count);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: first_verifier FOLDER\n", stderr);
    return 2;
  }
  const std::string root = argv[1];
  verifiers::make_sample(root + "/purged", true);
  std::cout << verifiers::make_sample(root + "/sample", false) << std::endl;
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    std::string folder, pin;
    words >> folder >> pin;
    std::cout << verdict(folder, pin) << std::endl;
  }
  return 0;
}
