#pragma once
// The subcommands of `callgate policy`, a file each or two; add_policy (commands.hpp) gathers them.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace proxy::commands {

void add_policy_check(CLI::App& policy, int& exit);                                      // policy_check.cpp
void add_policy_explain(CLI::App& policy, std::vector<std::string> command, int& exit);  // policy_explain.cpp
void add_policy_diff(CLI::App& policy, int& exit);                                       // policy_diff.cpp
void add_policy_log(CLI::App& policy, int& exit);                                        // policy_log.cpp
void add_policy_suggest(CLI::App& policy, int& exit);                                    // policy_suggest.cpp
void add_policy_test(CLI::App& policy, int& exit);                                       // policy_test.cpp
void add_policy_trust(CLI::App& policy, int& exit);                                      // policy_trust.cpp
void add_policy_accept(CLI::App& policy, int& exit);                                     // policy_trust.cpp

}  // namespace proxy::commands
