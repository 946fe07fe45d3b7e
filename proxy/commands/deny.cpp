// callgate deny ID: refuse a waiting call.

#include "approvals/answer.hpp"
#include "proxy/commands/commands.hpp"
#include "proxy/commands/operator.hpp"

namespace proxy::commands {

void add_deny(CLI::App& app, int& exit) { add_answer_command(app, approvals::Verdict::deny, exit); }

}  // namespace proxy::commands
