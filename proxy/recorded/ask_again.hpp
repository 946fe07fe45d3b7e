#pragma once
// An ask that waits, judged again in the operator's process: by the policy that it was asked under, and by
// the one that its session judges by now.

#include <optional>
#include <string>
#include <vector>

#include "ledger/reader.hpp"
#include "policy/path/file_system.hpp"
#include "policy/policy.hpp"
#include "policy/rule/rule.hpp"
#include "proxy/base/error.hpp"
#include "proxy/recorded/calls.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy {

class AskAgain {
 public:
  // `ask` is its decision. Code::not_found: the call or a policy is not on record whole, and why.
  static base::Result<AskAgain> read(const ledger::Reader& reader, const Surroundings& here,
                                     const ledger::StoredRecord& ask);

  // Whether its session has gone over to another policy since; read() takes longer.
  static base::Result<bool> policy_changed(const ledger::Reader& reader, const ledger::StoredRecord& ask);

  // What that makes of the call: nullopt, it is still asked for, and for the same reasons. What earlier calls
  // are counted for is not known here: where a policy counts them, it may be otherwise.
  std::optional<policy::Decision> decided_otherwise() const;
  policy::Anchors anchors() const { return {here_.workspace, here_.home}; }
  // What is asked of it and a grant by this rule would not cover, as summaries of effects.
  std::vector<std::string> not_covered(const policy::Rule& rule) const;

 private:
  AskAgain(const Surroundings& here, RecordedCall call, policy::Policy then, policy::Policy now);
  policy::Scene scene() const;

  policy::FileSystem files_;
  Surroundings here_;
  RecordedCall call_;
  policy::Policy then_, now_;
};

}  // namespace proxy
