#include "proxy/suggest/pattern_for.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "policy/network/reach.hpp"
#include "policy/network/target.hpp"
#include "policy/path/path.hpp"
#include "policy/variable_note.hpp"
#include "proxy/base/path_shown.hpp"
#include "proxy/base/text.hpp"

namespace proxy::suggest {
namespace {

using policy::EffectKind;

base::Error no(std::string why) { return {base::Code::refused, std::move(why)}; }

// What is shown as it stands, and means itself in every pattern.
bool literal(const std::string& text) {
  return base::printable(text, text.size() + 1) == text && text.find_first_of("*?{}") == std::string::npos;
}

base::Error by_rule(const policy::Reason& reason) {
  const std::string rule =
      "the rule " + base::quoted(reason.rule) +
      (reason.place.empty() ? "" : " at " + base::quoted(reason.place, base::path_shown_bytes_max));
  if (!reason.history.empty()) return no(rule + " decides by what came before: " + reason.history);
  if (reason.tier == policy::Tier::ask) return no(rule + " asks, and no allow changes that");
  if (!reason.violation_class.empty()) return no(rule + " denies it as " + reason.violation_class);
  return no(rule + " denies it, severity " + policy::name(reason.severity) + ", and no allow changes that");
}

// Whether the policy has an answer for such effects already, and says when it is yes.
bool conditioned(const policy::Almost& almost) {
  static constexpr std::array<std::string_view, 6> keys{"after",    "argument", "content",
                                                        "elevated", "cwd",      "except"};
  return std::find(keys.begin(), keys.end(), almost.key) != keys.end();
}

base::Result<Entry> path_entry(const policy::Effect& effect, const policy::Anchors& anchors) {
  const std::string& path = effect.path.lexical;
  if (effect.path.real != path) return no("a link leads from " + base::quoted(path) + " elsewhere");
  if (!literal(path)) return no("the path holds characters that patterns read otherwise");
  const bool inside = path.starts_with(anchors.workspace + "/");
  if (!inside && effect.kind != EffectKind::read) return no("it changes what lies outside the workspace");
  if (effect.reach.recursive && (!inside || effect.kind != EffectKind::read))
    return no("it concerns a whole tree");
  if (path == anchors.workspace) return no("it concerns the workspace as a whole");
  std::string pattern = inside ? path.substr(anchors.workspace.size() + 1) : path;
  if (pattern.starts_with('~') || pattern.starts_with("re:")) pattern = path;
  return Entry{policy::name(effect.kind), pattern + (effect.reach.recursive ? "/" : "")};
}

bool runs_others(std::string_view program) {
  static constexpr std::array<std::string_view, 56> runners{
      "bash",    "sh",     "zsh",    "dash",     "ksh",     "fish",  "csh",     "tcsh",
      "busybox", "python", "node",   "nodejs",   "deno",    "bun",   "ruby",    "perl",
      "php",     "lua",    "awk",    "gawk",     "mawk",    "sed",   "ed",      "vi",
      "vim",     "emacs",  "env",    "xargs",    "find",    "sudo",  "doas",    "su",
      "ssh",     "eval",   "exec",   "source",   ".",       "npx",   "pnpx",    "bunx",
      "uvx",     "pipx",   "watch",  "parallel", "script",  "nohup", "timeout", "nice",
      "stdbuf",  "time",   "docker", "podman",   "kubectl", "make",  "tclsh",   "osascript"};
  return std::find(runners.begin(), runners.end(), program) != runners.end() ||
         program.starts_with("python") || program.starts_with("perl") || program.starts_with("ruby") ||
         program.starts_with("php") || program.starts_with("lua");
}

// Whose words after it only choose what is looked at.
bool looks_only(const std::vector<std::string>& words) {
  static constexpr std::array<std::string_view, 8> subcommands{"status", "log",      "diff",     "show",
                                                               "blame",  "shortlog", "ls-files", "rev-parse"};
  return words.size() > 1 && words[0] == "git" &&
         std::find(subcommands.begin(), subcommands.end(), words[1]) != subcommands.end();
}

base::Result<Entry> run_entry(const policy::Command& command) {
  if (command.elevated) return no("it runs as another user");
  if (command.elsewhere) return no("it does what another directory than the workspace tells it to");
  if (!command.unknown.empty() || command.words.empty()) return no("not all of its words are known");
  const std::string& program = command.words.front();
  if (program.find('/') != std::string::npos)
    return no("whoever may write " + base::quoted(program) + " says what it does");
  if (runs_others(program)) return no(base::quoted(program) + " runs whatever it is told to");
  if (looks_only(command.words)) return Entry{"run", "git " + command.words[1]};
  if (program == "git" && command.words.size() == 1) return no("`git` alone would allow all of git");
  std::string pattern;
  for (const std::string& word : command.words) {
    if (word.find('\'') != std::string::npos || base::printable(word, word.size() + 1) != word)
      return no("a word holds characters that a pattern cannot");
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789-_./:=@,+%") == std::string::npos;
    pattern += (plain ? word : "'" + word + "'") + " ";
  }
  return Entry{"run", pattern + "$"};
}

base::Result<Entry> connect_entry(const policy::Effect& effect) {
  namespace network = policy::network;
  const network::Target target = network::read_target(effect.destination, effect.request);
  if (!target.agreed() || target.sites.size() != 1 || target.any_path || target.paths.size() != 1 ||
      !target.path_doubt.empty())
    return no("its address may be read in several ways");
  const network::Site& site = target.sites.front();
  if ((site.host.address && network::lies_in(*site.host.address, network::Reach::private_use)) ||
      network::is_localhost(site.host.name) ||
      network::may_lie_in(site.host.name, network::Reach::private_use))
    return no("it lies on this machine or a private network");
  const std::string& path = target.paths.front();
  if (path.ends_with('/') || path.empty()) return no("a pattern for that address would cover the whole host");
  if (!literal(path)) return no("its path holds characters that patterns read otherwise");
  const bool method = !target.any_method && target.methods.size() == 1;
  return Entry{"connect", (method ? target.methods.front() + " " : "") + network::text_of(site) + path};
}

}  // namespace

base::Result<Entry> pattern_for(const policy::Call& call, const policy::Effect& effect,
                                const policy::Reason& reason, const policy::Anchors& anchors) {
  if (!literal(call.server)) return no("the server's name holds characters that patterns read otherwise");
  if (!effect.refused.empty()) return no("no rule may allow " + effect.refused);
  if (!reason.rule.empty() && effect.caution.empty()) return by_rule(reason);
  if (conditioned(reason.almost)) return no(reason.almost.text + "; a rule without that would undo it");
  if (const std::string variable = policy::variable_of(effect.note); effect.opaque && !variable.empty())
    return no("it is not understood: " + effect.note + "; if " + variable +
              " changes nothing, `neutral_variables` of the operator's policy may name it");
  if (effect.opaque) return no("it is not understood: " + effect.note);
  if (!effect.caution.empty()) return no("an allow is not enough: " + effect.caution);
  if (effect.guessed) return no("what its arguments mean is guessed");
  switch (effect.kind) {
    case EffectKind::read:
    case EffectKind::write:
    case EffectKind::remove: return path_entry(effect, anchors);
    case EffectKind::run: return run_entry(effect.command);
    case EffectKind::connect: return connect_entry(effect);
    case EffectKind::use:
      if (call.method != "tools/call" || call.tool.empty() || !literal(call.tool))
        return no("it is no tool that a rule can name");
      return Entry{"tool", call.tool};
    case EffectKind::sample:
    case EffectKind::elicit: return no("a server asks for it, and a person answers");
  }
  return no("it is not known");
}

}  // namespace proxy::suggest
