#include "policy/load/built_in.hpp"

#include "proxy/base/text.hpp"

namespace embedded {
extern const std::string_view policy_catalogue_baseline_toml;
extern const std::string_view policy_catalogue_tools_toml;
extern const std::string_view policy_catalogue_commands_toml;
extern const std::string_view policy_catalogue_commands_git_toml;
extern const std::string_view policy_catalogue_commands_languages_toml;
extern const std::string_view policy_catalogue_commands_network_toml;
extern const std::string_view policy_catalogue_commands_system_toml;
extern const std::string_view policy_catalogue_detectors_toml;
extern const std::string_view policy_catalogue_bip39_english_txt;
}  // namespace embedded

namespace policy {
namespace {

constexpr std::string_view unreadable = "policy-unreadable";
constexpr std::string_view unreadable_file = "unreadable";
constexpr std::size_t why_bytes_max = 1000;

constexpr std::string_view own_policies =
    R"toml(["**/.callgate/**", "~/.config/callgate/**", "/etc/callgate/**"])toml";

// Files that decide what an agent starts and what asks first.
constexpr std::string_view agent_settings = R"toml([
  "**/.mcp.json", "**/.*/mcp.json", "**/.*/settings/mcp.json", "~/.config/**/mcp.json", "~/Library/**/mcp.json",
  "**/mcp_config.json", "**/mcp-config.json", "**/mcp_settings.json", "**/cline_mcp_settings.json",
  "**/claude_desktop_config.json", "**/.claude.json", "**/.claude/settings*.json", "**/.claude/hooks/**",
  "**/.codex/config.toml", "**/.codex/hooks.json", "**/.codex/rules/**",
  "**/.cursor/hooks.json", "**/.cursor/cli.json", "**/.cursor/permissions.json",
  "**/.gemini/settings.json", "**/.gemini/policies/**", "**/.qwen/settings.json",
  "**/opencode.json", "**/opencode.jsonc", "**/.opencode/plugin/**", "**/.opencode/plugins/**",
  "~/.config/opencode/**", "**/.config/zed/settings.json", "**/.zed/settings.json",
  "**/.copilot/config.json", "**/.github/hooks/**",
])toml";

constexpr std::string_view operator_commands = R"toml([
  "callgate {approve,deny,pending,grants,console,token,unwrap}",
  "callgate policy {trust,accept}",
  "callgate mission {start,end,resume,terminate,note}",
  "callgate recover {apply,restore}",
  "callgate ledger {adopt,prune,hold}",
])toml";

// One deny of what nobody may loosen; `condition` is its keys in TOML.
std::string deny(std::string_view id, std::string_view why, const std::string& condition) {
  return "\n[[deny]]\nid = \"built-in/" + std::string(id) + "\"\nwhy = \"" + std::string(why) +
         "\"\nseverity = \"high\"\n" + condition;
}

std::string changes(std::string_view paths) {
  return "write = " + std::string(paths) + "\ndelete = " + std::string(paths) + "\n";
}

std::string deny_policies(std::string_view paths) {
  return deny("policies", "policies and configuration of callgate are the operator's to change",
              changes(paths));
}

std::string deny_state(std::string_view paths) {
  return deny("state", "ledger and keys of callgate are out of an agent's reach",
              "path = " + std::string(paths) + "\n");
}

std::string built_in() {
  return "version = 1\n" + deny_policies(own_policies) + deny_state(R"(["~/.local/state/callgate/**"])") +
         deny("agent-settings", "these files decide what an agent starts and what asks first",
              changes(agent_settings)) +
         deny("operator-commands", "only the operator answers for the operator",
              "run = " + std::string(operator_commands) + "\n");
}

// A TOML basic string.
std::string toml_string(std::string_view text) {
  static constexpr char digits[] = "0123456789ABCDEF";
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7F) {
      out += "\\u00";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string folder_list(const std::vector<std::string>& folders) {
  std::string list = "[";
  for (const std::string& folder : folders)
    if (!folder.empty()) list += toml_string(folder + "/**") + ", ";  // a wildcard in its name denies more
  return list + "]";
}

}  // namespace

Source built_in_source() { return {Layer::built_in, "built in", built_in(), true}; }

Source built_in_folders(const std::vector<std::string>& configuration,
                        const std::vector<std::string>& state) {
  std::string text = "version = 1\n";
  if (const std::string list = folder_list(configuration); list != "[]") text += deny_policies(list);
  if (const std::string list = folder_list(state); list != "[]") text += deny_state(list);
  return {Layer::built_in, "built in", std::move(text), true};
}

Source unreadable_source(std::string_view why) {
  return {Layer::built_in, std::string(unreadable_file),
          "version = 1\n[[deny]]\nid = \"" + std::string(unreadable) +
              "\"\nwhy = " + toml_string(base::printable(why, why_bytes_max)) + "\n",
          true};
}

bool is_unreadable(const Source& source) {
  return source.layer == Layer::built_in && source.file == unreadable_file;
}

bool is_unreadable(const Reason& reason) {
  return reason.layer == Layer::built_in && reason.rule == unreadable;
}

base::Digest built_in_digest() {
  const Source always = built_in_source();
  base::Sha256 sha;
  for (const std::string_view text :
       {std::string_view(always.bytes), embedded::policy_catalogue_baseline_toml,
        embedded::policy_catalogue_tools_toml, embedded::policy_catalogue_commands_toml,
        embedded::policy_catalogue_commands_git_toml, embedded::policy_catalogue_commands_languages_toml,
        embedded::policy_catalogue_commands_network_toml, embedded::policy_catalogue_commands_system_toml,
        embedded::policy_catalogue_detectors_toml, embedded::policy_catalogue_bip39_english_txt}) {
    const base::Digest part = base::sha256(text);
    sha.update(base::bytes_of(part));
  }
  return sha.finish();
}

Source baseline_source() {
  return {Layer::built_in, baseline_file, std::string(embedded::policy_catalogue_baseline_toml), true};
}

}  // namespace policy
