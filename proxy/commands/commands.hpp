#pragma once
// One function a command: each adds its subcommand to the command line and sets `exit` when it has run.
// Results on stdout, all else on stderr. Exit codes: 0 done, 1 it could not be done or the answer is no, 2
// usage or configuration; `run`, `console`, `policy explain` and `ledger verify` have more, which stand where
// they are made and, for scripts, in their help.

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace proxy::commands {

// `command`: what stands behind `--`.
void add_run(CLI::App& app, std::vector<std::string> command, int& exit);
void add_pending(CLI::App& app, int& exit);
void add_approve(CLI::App& app, int& exit);
void add_deny(CLI::App& app, int& exit);
void add_grants(CLI::App& app, int& exit);  // list, revoke
void add_console(CLI::App& app, int& exit);
void add_init(CLI::App& app, int& exit);
void add_mission(CLI::App& app, int& exit);  // start, list, end
void add_policy(CLI::App& app, std::vector<std::string> command,
                int& exit);                 // check, explain, test, trust, accept, diff, log, suggest
void add_ledger(CLI::App& app, int& exit);  // list, show, verify, adopt
void add_replay(CLI::App& app, int& exit);
void add_diff(CLI::App& app, int& exit);  // of missions; policies have `policy diff`

}  // namespace proxy::commands
