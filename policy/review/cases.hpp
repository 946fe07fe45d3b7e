#pragma once
// Cases of `callgate policy test`: one JSON object a line,
// `{"id","tool":"SERVER/TOOL","arguments","expect":"allow|ask|deny","also"?:[…],"catalogue"?,"context"?}`
// with `context` `{cwd, home, workspace, user, env, links, folds, history}`: a described file system, and
// earlier calls that passed; nothing is read from the real one. `why` and `category` are for people, any
// other member is an error. OPERATING.md, «Cases».

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "policy/path/described_files.hpp"
#include "policy/policy.hpp"

namespace policy {

// A call of the mission that passed before.
struct EarlierCall {
  Call call;
  std::chrono::nanoseconds ago{};
};

struct Case {
  std::string id;
  Call call;
  std::vector<EarlierCall> history;  // in any order
  Tier expect = Tier::deny;
  std::vector<Tier> also;
  Scene scene;  // links is null: DescribedFiles of `links` goes there
  std::map<std::string, std::string> links;
  std::vector<std::string> folds;
  std::size_t line = 0;
};

struct ReadCases {
  std::vector<Case> cases;
  std::vector<base::Error> errors;  // the first of each line that has one, placed `file:line`
};
// Empty lines are skipped.
ReadCases read_cases(const std::string& file, std::string_view bytes);

// Every case, or the first error.
base::Result<std::vector<Case>> parse_cases(const std::string& file, std::string_view bytes);

struct CaseResult {
  std::string id;
  std::size_t line = 0;
  Tier expect = Tier::deny;
  bool passed = false;
  Decision decision;
};

// The policy is loaded anew for each workspace and home of the cases. Error: it does not load.
base::Result<std::vector<CaseResult>> run_cases(const std::vector<Source>& sources,
                                                const std::vector<Case>& cases);

}  // namespace policy
