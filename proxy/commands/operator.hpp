#pragma once
// What the operator's commands share: reading what waits and answering it. They need no running `callgate
// run`.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "approvals/answer.hpp"
#include "approvals/ask.hpp"
#include "ledger/reader.hpp"
#include "ledger/writer.hpp"
#include "proxy/base/error.hpp"

namespace CLI {
class App;
}

namespace proxy::commands {

// What waits for an answer, the first to expire first. No ledger: nothing waits.
base::Result<std::vector<approvals::AskView>> read_waiting(const ledger::Place& place,
                                                           const std::vector<approvals::AskView>& known = {});

struct Answered {
  approvals::AskView ask;
  std::uint64_t record = 0;  // sequence of the answer
};

// Signs and appends. Errors: Code::not_found (no such approval), Code::conflict (answered, expired or
// withdrawn already: says by whom and when), Code::refused (the key), and what the ledger says.
base::Result<Answered> answer_ask(const std::string& state_folder, std::uint64_t id,
                                  approvals::Verdict verdict, const std::string& reason);

// Adds `approve` or `deny`.
void add_answer_command(CLI::App& app, approvals::Verdict verdict, int& exit);

}  // namespace proxy::commands
