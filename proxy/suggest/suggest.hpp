#pragma once
// Allow rules that would have let recorded calls through: gathered from their effects, and kept only as far
// as judging the calls again shows that they help.

#include <string>
#include <vector>

#include "policy/policy.hpp"
#include "proxy/base/error.hpp"
#include "proxy/recorded/calls.hpp"
#include "proxy/suggest/pattern_for.hpp"

namespace proxy::suggest {

struct Rule {
  std::string id;
  std::string server;
  std::string key;                    // of Entry
  std::vector<std::string> patterns;  // of that key
  std::vector<std::uint64_t> calls;   // that need it
  std::string tools;                  // theirs, for people
};
// TOML, with a comment before it.
std::string rule_text(const Rule& rule);

struct Refusal {
  std::uint64_t call = 0;
  std::string tool, effect, why;
};

struct Suggestions {
  std::vector<Rule> rules;
  std::vector<std::uint64_t> helped;   // calls that pass with all of the rules
  std::vector<std::uint64_t> passing;  // that pass without any by now
  std::vector<Refusal> refusals;       // one for each other call
  bool baseline = false;  // no policy file stands: the rules were tried beside a copy of the baseline
};

// `calls` are of one workspace, each with the history that it is judged with. `sources` as read_layers gives
// them, `scene` without workspace and directory.
base::Result<Suggestions> suggest(const std::vector<RecordedCall>& calls, std::vector<policy::Source> sources,
                                  const policy::Scene& scene);

}  // namespace proxy::suggest
