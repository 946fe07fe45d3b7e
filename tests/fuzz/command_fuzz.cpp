// Any line: what is not opaque can be quoted word by word and means the same; whatever an allow may match, a
// deny of the same words matches too.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/command.hpp"
#include "proxy/base/check.hpp"

namespace {

// So that every shell reads exactly this word.
std::string shell_quoted(std::string_view word) {
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'')
      out += "'\"'\"'";
    else
      out += c;
  }
  return out + "'";
}

bool same(const policy::CommandForm& a, const policy::CommandForm& b) {
  return a.program == b.program && std::ranges::equal(a.rest, b.rest);
}

void check_forms(const policy::Command& command, bool opaque) {
  const auto generous = policy::CommandForms::generous(command, opaque);
  CHECK(!command.elevated || policy::runs_elevated(generous));
  if (opaque) return;  // no allow looks at its forms
  const auto strict = policy::CommandForms::strict(command);
  for (const policy::CommandForm& form : strict.forms())
    CHECK(std::ranges::any_of(generous.forms(), [&](const auto& each) { return same(each, form); }));
}

void check_plain(const policy::LineReading& reading, policy::Shell shell) {
  CHECK(reading.commands.size() == 1);
  const policy::Command& command = reading.commands.front();
  CHECK(!command.words.empty() && !command.words.front().empty());
  if (policy::elevates(policy::base_name(command.words.front()))) CHECK(command.elevated);
  const auto argv = policy::read_argv(command.words, "/w");
  CHECK(argv.commands == reading.commands);
  if (shell == policy::Shell::none) return;
  std::string line;
  for (const std::string& word : command.words) line += shell_quoted(word) + ' ';
  const auto again = policy::read_command_line(line, shell, "/w");
  CHECK(!again.opaque);
  CHECK(again.commands == reading.commands);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr policy::Shell shells[] = {policy::Shell::sh, policy::Shell::bash, policy::Shell::zsh,
                                      policy::Shell::none};
  const policy::Shell shell = shells[data[0] % 4];
  const std::string line(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto reading = policy::read_command_line(line, shell, "/w");
  CHECK(!reading.commands.empty());
  CHECK(reading.opaque == !reading.note.empty());
  for (const policy::Command& command : reading.commands) {
    CHECK(command.directory == "/w");
    check_forms(command, reading.opaque);
  }
  if (!reading.opaque)
    check_plain(reading, shell);
  else if (shell != policy::Shell::none)
    CHECK(reading.commands.front().line == line);
  return 0;
}
