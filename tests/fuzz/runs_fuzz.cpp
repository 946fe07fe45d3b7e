// Any line, for any shell: something is told of it; what an allow may meet a deny of the same words meets
// too; and words that are quoted come back as they are.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "policy/catalogue/catalogue.hpp"
#include "policy/command/match_command.hpp"
#include "policy/command/runs.hpp"
#include "policy/review/cases.hpp"
#include "policy/shell/parse.hpp"
#include "proxy/base/check.hpp"

namespace {

std::vector<policy::Effect> effects_of(std::string_view line, policy::Shell shell) {
  static const policy::DescribedFiles files({{"/w/link", "/home/dev/.ssh"}});
  const policy::Scene scene{"/w", "/w", "/home/dev", "dev", &files};
  policy::EffectList list(scene, *policy::built_in_catalogue());
  policy::command::Place place;
  place.directory = "/w";
  policy::command::Runs(list, {}).line(line, shell, place);
  return list.take();
}

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

void check_matching(const policy::Effect& effect) {
  if (effect.command.words.empty() || effect.command.words.front().size() > 1000) return;
  std::string quoted = "\"" + effect.command.words.front() + "\"";
  if (effect.command.words.front().find('"') != std::string::npos) return;
  const auto pattern = policy::CommandPattern::compile(quoted);
  if (!pattern || effect.opaque) return;
  policy::Steps steps;
  if (policy::command::permits(*pattern, effect.command))
    CHECK(policy::command::restricts(*pattern, effect.command, steps) != policy::command::Meets::no);
}

void check_quoted(const policy::Effect& effect) {
  const policy::Command& command = effect.command;
  const bool plain = command.line.empty() && command.unknown.empty() && command.wrapped_in.empty();
  if (!plain || effect.opaque || command.words.empty()) return;
  std::string line;
  for (const std::string& word : command.words) line += shell_quoted(word) + ' ';
  if (line.size() > policy::shell::line_bytes_max) return;
  const std::vector<policy::Effect> again = effects_of(line, policy::Shell::bash);
  CHECK(std::any_of(again.begin(), again.end(),
                    [&](const policy::Effect& other) { return other.command.words == command.words; }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  constexpr policy::Shell shells[] = {policy::Shell::sh, policy::Shell::bash, policy::Shell::zsh,
                                      policy::Shell::none};
  const std::string_view line(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::vector<policy::Effect> effects = effects_of(line, shells[data[0] % 4]);
  for (const policy::Effect& effect : effects) {
    if (effect.kind != policy::EffectKind::run) continue;
    CHECK(effect.opaque == !effect.note.empty());
    check_matching(effect);
    check_quoted(effect);
  }
  return 0;
}
