#pragma once
// An answer on its way to whoever asked: held against the rules that look at results, and told of a redirect.
// Else it stays as it is, byte for byte; where rules look, members that a response does not have are left
// out. Pure, and never throws: what fails withholds the answer.

#include <memory>
#include <string>
#include <vector>

#include "policy/decision.hpp"
#include "transports/message.hpp"

namespace proxy {

// What one rule found.
struct ResultFinding {
  std::string rule;
  policy::Tier tier = policy::Tier::deny;  // of the rule
  policy::Layer layer = policy::Layer::built_in;
  std::string place;
  std::string why;
  std::string violation_class;
  policy::Severity severity = policy::Severity::medium;
  std::vector<std::string> detectors;
  bool withholds = false;  // it is the one by which the answer is withheld
};

struct CheckedAnswer {
  std::string line;    // what is passed on
  std::string result;  // raw value of result or error in it without the note, for the record; empty: withheld
  bool withheld = false;
  bool asks = false;  // not withheld, and a person says first whether it is passed on
  std::vector<ResultFinding> findings;
};

// `note`: of a redirect, for the agent; empty: none. It becomes the first item of a tool's `content`, where
// there is none `_meta["callgate/redirected"]`, and begins the message of an error.
CheckedAnswer check_answer(const transports::Message& request, const transports::Message& answer,
                           const std::vector<std::shared_ptr<const policy::Rule>>& rules,
                           const std::string& note);

// One that asks and cannot be held, since too much is.
CheckedAnswer without_room(const transports::Message& request, CheckedAnswer checked);

// As the record has it: `RULE DETECTOR,DETECTOR; RULE …`.
std::string findings_text(const std::vector<ResultFinding>& findings);

}  // namespace proxy
