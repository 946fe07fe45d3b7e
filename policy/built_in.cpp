#include "policy/built_in.hpp"

#include "proxy/base/text.hpp"

namespace embedded {
extern const std::string_view policy_catalogue_baseline_toml;
}

namespace policy {
namespace {

constexpr std::string_view built_in = R"toml(version = 1

[[deny]]
id = "built-in/policies"
why = "policies and configuration of callgate are the operator's to change"
severity = "high"
write = ["**/.callgate/**", "~/.config/callgate/**", "/etc/callgate/**"]
delete = ["**/.callgate/**", "~/.config/callgate/**", "/etc/callgate/**"]

[[deny]]
id = "built-in/state"
why = "ledger and keys of callgate are out of an agent's reach"
severity = "high"
path = ["~/.local/state/callgate/**"]

[[deny]]
id = "built-in/agent-settings"
why = "these files decide what an agent starts and what asks first"
severity = "high"
write = [
  "**/.mcp.json", "**/.*/mcp.json", "**/.*/settings/mcp.json", "~/.config/**/mcp.json", "~/Library/**/mcp.json",
  "**/mcp_config.json", "**/mcp-config.json", "**/mcp_settings.json", "**/cline_mcp_settings.json",
  "**/claude_desktop_config.json", "**/.claude.json", "**/.claude/settings*.json", "**/.claude/hooks/**",
  "**/.codex/config.toml", "**/.codex/hooks.json", "**/.codex/rules/**",
  "**/.cursor/hooks.json", "**/.cursor/cli.json", "**/.cursor/permissions.json",
  "**/.gemini/settings.json", "**/.gemini/policies/**", "**/.qwen/settings.json",
  "**/opencode.json", "**/opencode.jsonc", "**/.opencode/plugin/**", "**/.opencode/plugins/**",
  "~/.config/opencode/**", "**/.config/zed/settings.json", "**/.zed/settings.json",
  "**/.copilot/config.json", "**/.github/hooks/**",
]
delete = [
  "**/.mcp.json", "**/.*/mcp.json", "**/.*/settings/mcp.json", "~/.config/**/mcp.json", "~/Library/**/mcp.json",
  "**/mcp_config.json", "**/mcp-config.json", "**/mcp_settings.json", "**/cline_mcp_settings.json",
  "**/claude_desktop_config.json", "**/.claude.json", "**/.claude/settings*.json", "**/.claude/hooks/**",
  "**/.codex/config.toml", "**/.codex/hooks.json", "**/.codex/rules/**",
  "**/.cursor/hooks.json", "**/.cursor/cli.json", "**/.cursor/permissions.json",
  "**/.gemini/settings.json", "**/.gemini/policies/**", "**/.qwen/settings.json",
  "**/opencode.json", "**/opencode.jsonc", "**/.opencode/plugin/**", "**/.opencode/plugins/**",
  "~/.config/opencode/**", "**/.config/zed/settings.json", "**/.zed/settings.json",
  "**/.copilot/config.json", "**/.github/hooks/**",
]

[[deny]]
id = "built-in/operator-commands"
why = "only the operator answers for the operator"
severity = "high"
run = [
  "callgate {approve,deny,pending,grants,console,token,unwrap}",
  "callgate policy trust",
  "callgate mission {start,end,resume,terminate,note}",
  "callgate recover {apply,restore}",
  "callgate ledger {prune,hold}",
]
)toml";

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

Source built_in_source() { return {Layer::built_in, "built in", std::string(built_in), true}; }

Source built_in_folders(const std::vector<std::string>& configuration,
                        const std::vector<std::string>& state) {
  std::string text = "version = 1\n";
  if (const std::string list = folder_list(configuration); list != "[]")
    text +=
        "[[deny]]\nid = \"built-in/policies\"\nwhy = \"policies and configuration of callgate are the "
        "operator's to "
        "change\"\nseverity = \"high\"\nwrite = " +
        list + "\ndelete = " + list + "\n";
  if (const std::string list = folder_list(state); list != "[]")
    text +=
        "[[deny]]\nid = \"built-in/state\"\nwhy = \"ledger and keys of callgate are out of an agent's "
        "reach\"\n"
        "severity = \"high\"\npath = " +
        list + "\n";
  return {Layer::built_in, "built in", std::move(text), true};
}

Source baseline_source() {
  return {Layer::built_in, baseline_file, std::string(embedded::policy_catalogue_baseline_toml), true};
}

}  // namespace policy
