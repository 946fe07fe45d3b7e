#pragma once
// What the operator's commands share: reading what waits and answering it. They need no running `callgate
// run`.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "approvals/answer.hpp"
#include "approvals/ask.hpp"
#include "ledger/reader.hpp"
#include "ledger/writer.hpp"
#include "proxy/base/ed25519.hpp"
#include "proxy/base/error.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {

// What waits for an answer, the first to expire first. No ledger: nothing waits.
base::Result<std::vector<approvals::AskView>> read_waiting(const ledger::Place& place,
                                                           const std::vector<approvals::AskView>& known = {});

struct Answered {
  approvals::AskView ask;
  std::uint64_t record = 0;  // sequence of the answer
  std::uint64_t grant = 0;   // of the grant beside it; 0: none
  // What the operator must know of it where its session has gone over to another policy since the call was
  // asked; empty: nothing.
  std::string note;
};

// What a grant is made of beside the answer; an error keeps the answer from being given, too.
using MakeGrant =
    std::function<base::Result<ledger::Draft>(const approvals::AskView& ask, const base::SigningKey& key)>;

// Signs and appends; with `grant`, both or neither. Errors: Code::not_found (no such approval),
// Code::conflict (answered, expired or withdrawn already: says by whom and when), Code::refused (the key; of
// allow also: a policy file of the session cannot be read, so that it would deny the call nevertheless), and
// what the ledger and `grant` say.
base::Result<Answered> answer_ask(const Surroundings& here, std::uint64_t id, approvals::Verdict verdict,
                                  const std::string& reason, const MakeGrant& grant = nullptr);

// Whether the operator means what was shown: at a terminal only `y` says so, and `yes` (`--yes`) stands for
// it. Code::invalid: there is no terminal to ask on.
base::Result<bool> confirmed(const std::string& question, bool yes);

// What `approve` and `deny` print of it.
void print_answered(const Answered& answered, approvals::Verdict verdict, bool json);

// The operator's key, where it is the one of this ledger. Code::refused: it is not.
base::Result<base::SigningKey> matching_key(const std::string& state_folder, const ledger::Fold& fold);
// To append with it to a ledger that stands.
base::Result<std::unique_ptr<ledger::Writer>> operator_writer(const std::string& state_folder,
                                                              const base::SigningKey& key);
// Code::invalid: too long, or no UTF-8.
base::Result<void> check_reason(const std::string& reason);

}  // namespace proxy::commands
