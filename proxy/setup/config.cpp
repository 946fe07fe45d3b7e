#include "proxy/setup/config.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "proxy/base/clock.hpp"
#include "proxy/base/file.hpp"
#include "proxy/base/text.hpp"

namespace proxy {
namespace {

using namespace std::string_view_literals;
constexpr std::size_t config_bytes_max = 1u << 20;

constexpr std::array top_keys = {"pause_on"sv,    "pause_severity"sv, "restore"sv,      "unattended"sv,
                                 "ask_timeout"sv, "durability"sv,     "operator_key"sv, "limits"sv,
                                 "console"sv,     "telemetry"sv,      "ledger"sv,       "channels"sv,
                                 "alerts"sv,      "servers"sv,        "incident"sv};
// Checked to be there by right, acted on by a later version.
constexpr std::array inert_keys = {"pause_severity"sv, "restore"sv, "console"sv, "telemetry"sv,
                                   "channels"sv,       "alerts"sv,  "incident"sv};

class Parser {
 public:
  explicit Parser(std::string file) : file_(std::move(file)) {}

  base::Result<Config> parse(const toml::table& root) {
    for (const auto& [key, node] : root) top_level(std::string_view(key.str()), key.source(), node);
    if (failed_) return error_;
    return config_;
  }

 private:
  void fail(const toml::source_region& where, std::string message) {
    if (failed_) return;
    failed_ = true;
    error_ = base::Error(
        base::Code::invalid, std::move(message),
        file_ + ":" + std::to_string(where.begin.line) + ":" + std::to_string(where.begin.column));
  }

  void unknown(std::string_view key, const toml::source_region& where, const auto& known) {
    const std::string_view near = base::nearest(key, known);
    std::string advice = near.empty() ? "; known are" : "; did you mean " + base::quoted(near) + "?";
    if (near.empty())
      for (const auto each : known)
        advice += (each == *std::begin(known) ? " `" : ", `") + std::string(each) + "`";
    fail(where, "unknown key " + base::quoted(key) + advice);
  }

  std::string text(const toml::node& node, std::string_view key) {
    const auto value = node.value<std::string>();
    if (!node.is_string()) fail(node.source(), base::quoted(key) + " must be a string");
    return value.value_or("");
  }

  std::string one_of(const toml::node& node, std::string_view key, const auto& allowed) {
    const std::string value = text(node, key);
    for (const auto choice : allowed)
      if (value == choice) return value;
    std::string list;
    for (const auto choice : allowed) list += (list.empty() ? "`" : ", `") + std::string(choice) + "`";
    fail(node.source(), base::quoted(key) + " must be one of " + list);
    return value;
  }

  std::chrono::milliseconds duration(const toml::node& node, std::string_view key) {
    const auto value = base::duration_from_text(text(node, key));
    if (!value)
      fail(node.source(), base::quoted(key) + " must be a duration such as `90s` or `10m`");
    else if (value->count() == 0)
      fail(node.source(), base::quoted(key) + " must be longer than 0: nothing can be answered in no time");
    return value.value_or(std::chrono::milliseconds(0));
  }

  void top_level(std::string_view key, const toml::source_region& where, const toml::node& node) {
    if (std::find(top_keys.begin(), top_keys.end(), key) == top_keys.end())
      return unknown(key, where, top_keys);
    if (std::find(inert_keys.begin(), inert_keys.end(), key) != inert_keys.end())
      config_.inert.emplace_back(key);
    // This version pauses nothing, whatever is asked for.
    if (key == "pause_on" &&
        one_of(node, key, std::array{"violation"sv, "malicious"sv, "never"sv}) != "never")
      config_.inert.emplace_back(key);
    if (key == "pause_severity") one_of(node, key, std::array{"low"sv, "medium"sv, "high"sv, "critical"sv});
    if (key == "restore") one_of(node, key, std::array{"ask"sv, "auto"sv, "never"sv});
    if (key == "operator_key" && one_of(node, key, std::array{"file"sv, "pin"sv}) == "pin")
      fail(node.source(), "`operator_key = \"pin\"` is not supported by this version");
    if (key == "ask_timeout") config_.ask_timeout = duration(node, key);
    if (key == "durability")
      config_.durability = one_of(node, key, std::array{"disk"sv, "process"sv}) == "disk"
                               ? ledger::Durability::disk
                               : ledger::Durability::process;
    if (key == "unattended") {
      if (!node.is_boolean()) fail(node.source(), "`unattended` must be true or false");
      config_.unattended = node.value_or(false);
    }
    if (key == "limits") limits(node);
    if (key == "servers") servers(node);
    if (key == "ledger") ledger(node);
  }

  void ledger(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return fail(node.source(), "`ledger` must be a table");
    for (const auto& [key, value] : *table) {
      if (key.str() == "operational") {
        config_.operational = duration(value, key.str());
        continue;
      }
      const toml::array* anchors = value.as_array();
      if (key.str() != "anchors")
        return unknown(key.str(), key.source(), std::array{"anchors"sv, "operational"sv});
      if (anchors == nullptr) return fail(value.source(), "`ledger.anchors` must be a list of tables");
      for (const auto& each : *anchors) anchor(each);
    }
  }

  void anchor(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return fail(node.source(), "an anchor must be a table");
    using Kind = AnchorConfig::Kind;
    AnchorConfig made;
    int kinds = 0;
    const auto of = [&](Kind kind, std::string place) {
      made.kind = kind;
      made.place = std::move(place);
      ++kinds;
    };
    for (const auto& [key, value] : *table) {
      const std::string text_there = text(value, key.str());
      if (key.str() == "file")
        of(Kind::file, text_there);
      else if (key.str() == "git")
        of(Kind::git, text_there);
      else if (key.str() == "syslog")
        of(Kind::syslog, text_there == "journal" ? "" : text_there);
      else if (key.str() == "webhook")
        of(Kind::webhook, text_there);
      else if (key.str() == "ref")
        made.ref = text_there;
      else if (key.str() == "remote")
        made.remote = text_there;
      else if (key.str() == "secret_file")
        made.secret_file = text_there;
      else
        return unknown(
            key.str(), key.source(),
            std::array{"file"sv, "git"sv, "syslog"sv, "webhook"sv, "ref"sv, "remote"sv, "secret_file"sv});
    }
    if (kinds != 1) return fail(node.source(), "an anchor has one of `file`, `git`, `syslog`, `webhook`");
    check_anchor(node, made);
    if (made.kind == Kind::git && made.ref.empty()) made.ref = "refs/callgate/ledger";
    config_.anchors.push_back(std::move(made));
  }

  void check_anchor(const toml::node& node, const AnchorConfig& made) {
    using Kind = AnchorConfig::Kind;
    if (made.kind != Kind::git && !(made.ref.empty() && made.remote.empty()))
      fail(node.source(), "`ref` and `remote` go with `git`");
    if (made.kind != Kind::webhook && !made.secret_file.empty())
      fail(node.source(), "`secret_file` goes with `webhook`");
    if (made.kind == Kind::webhook) {
      if (!made.place.starts_with("https://") && !made.place.starts_with("http://"))
        fail(node.source(), "a webhook's address begins with `https://` or `http://`");
    } else if (made.kind != Kind::syslog || !made.place.empty()) {
      if (!made.place.starts_with('/')) fail(node.source(), "an anchor's path must be absolute");
    }
    if (!made.ref.empty() && !made.ref.starts_with("refs/")) fail(node.source(), "`ref` begins with `refs/`");
    if (made.remote.starts_with('-')) fail(node.source(), "`remote` is a name or an address");
  }

  void limits(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return fail(node.source(), "`limits` must be a table");
    for (const auto& [key, value] : *table) {
      const toml::table* clients = value.as_table();
      if (key.str() != "clients") return unknown(key.str(), key.source(), std::array{"clients"sv});
      if (clients == nullptr)
        return fail(value.source(), "`limits.clients` must be a table of client = duration");
      for (const auto& [client, limit] : *clients)
        config_.client_limits[std::string(client.str())] = duration(limit, client.str());
    }
  }

  void servers(const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return fail(node.source(), "`servers` must be a table of server tables");
    for (const auto& [name, value] : *table) {
      const toml::table* server = value.as_table();
      if (server == nullptr) return fail(value.source(), "a server's settings must be a table");
      for (const auto& [key, setting] : *server) {
        if (key.str() == "confinement") {
          if (one_of(setting, key.str(), std::array{"required"sv, "best-effort"sv, "off"sv}) == "required")
            fail(setting.source(), "`confinement = \"required\"` cannot be met by this version");
          config_.inert.push_back("servers." + std::string(name.str()) + ".confinement");
        } else if (key.str() == "env") {
          environment(setting, config_.servers[std::string(name.str())]);
        } else {
          unknown(key.str(), key.source(), std::array{"confinement"sv, "env"sv});
        }
      }
    }
  }

  void environment(const toml::node& node, ServerConfig& server) {
    const toml::array* names = node.as_array();
    if (names == nullptr) return fail(node.source(), "`env` must be a list of variable names");
    for (const auto& name : *names) server.environment.push_back(text(name, "env"));
  }

  std::string file_;
  Config config_;
  bool failed_ = false;
  base::Error error_;
};

}  // namespace

base::Result<Config> parse_config(const std::string& text, const std::string& path) {
  try {
    return Parser(path).parse(toml::parse(text, path));
  } catch (const toml::parse_error& error) {
    const auto& where = error.source().begin;
    return base::Error(base::Code::invalid, std::string(error.description()),
                       path + ":" + std::to_string(where.line) + ":" + std::to_string(where.column));
  }
}

base::Result<Config> load_config(const std::string& path) {
  const auto text = base::read_file(path, config_bytes_max);
  if (text) return parse_config(*text, path);
  if (text.error().code() == base::Code::not_found) return Config{};
  return text.error();
}

}  // namespace proxy
