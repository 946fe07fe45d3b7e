#pragma once
// From the bytes of policy files to compiled rules, whole or not at all.

#include <vector>

#include "policy/policy.hpp"
#include "policy/rule/rule.hpp"

namespace policy {

// Every complaint about one file, by place (`file:line:column`). Empty: it loads.
std::vector<base::Error> check_source(const Source& source, const Anchors& anchors);

// All layers joined. What an untrusted repository says is bent here: its allows are dropped, its default
// counts only where it denies, its declarations only add. Nothing is added: no built-in rules, no baseline.
// Error: the first complaint of the first file that has one.
base::Result<CompiledRules> compile_sources(const std::vector<Source>& sources, const Anchors& anchors);

// What stands for these sources: sorted by layer, with the built-in denials, and with the baseline where no
// other layer that counts is given.
std::vector<Source> complete_sources(const std::vector<Source>& sources);

}  // namespace policy
