// callgate approve ID: allow a waiting call, once.

#include "approvals/answer.hpp"
#include "proxy/commands/commands.hpp"
#include "proxy/commands/operator.hpp"

namespace proxy::commands {

void add_approve(CLI::App& app, int& exit) { add_answer_command(app, approvals::Verdict::allow, exit); }

}  // namespace proxy::commands
