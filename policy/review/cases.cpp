#include "policy/review/cases.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "policy/catalogue/catalogue.hpp"
#include "policy/path/path.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/text.hpp"

namespace policy {

namespace {

using base::json::Value;

std::optional<Tier> tier_from(const std::string& text) {
  if (text == "allow") return Tier::allow;
  if (text == "ask") return Tier::ask;
  if (text == "deny") return Tier::deny;
  return std::nullopt;
}

// Complaints about one line; the first is told.
class CaseReader {
 public:
  CaseReader(const Value& value, std::string place) : value_(value), place_(std::move(place)) {}

  base::Result<Case> read() {
    Case read_case;
    if (!value_.is_object()) return error("a case is a JSON object");
    check_members(value_, "a case",
                  {"id", "tool", "arguments", "expect", "also", "catalogue", "context", "why", "category"});
    read_case.id = string(value_, "id", true);
    read_case.call = call_of(value_);
    read_case.expect = tier(value_.value("expect", Value()));
    for (const Value& other : value_.value("also", Value::array())) read_case.also.push_back(tier(other));
    read_context(value_.value("context", Value::object()), read_case);
    if (!trouble_.empty()) return error(trouble_);
    read_case.call.host_user = read_case.scene.user;
    for (EarlierCall& earlier : read_case.history) earlier.call.host_user = read_case.scene.user;
    return read_case;
  }

 private:
  base::Error error(std::string text) const { return {base::Code::invalid, std::move(text), place_}; }

  void complain(std::string text) {
    if (trouble_.empty()) trouble_ = std::move(text);
  }

  // A member that is misspelt would be left out without a word.
  void check_members(const Value& object, const char* what, const std::vector<std::string_view>& known) {
    for (const auto& [key, value] : object.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      const std::string_view near = base::nearest(key, known);
      complain(std::string(what) + " has an unknown member " + base::quoted(key) +
               (near.empty() ? std::string() : "; did you mean " + base::quoted(near) + "?"));
    }
  }

  std::string string(const Value& object, const char* key, bool needed) {
    const auto found = object.find(key);
    if (found != object.end() && found->is_string()) return found->get<std::string>();
    if (found != object.end() || needed) complain(base::quoted(key) + " must be a string");
    return {};
  }

  Tier tier(const Value& value) {
    const auto found = value.is_string() ? tier_from(value.get<std::string>()) : std::nullopt;
    if (!found) complain("an expected answer is `allow`, `ask` or `deny`");
    return found.value_or(Tier::deny);
  }

  void split_tool(const std::string& text, Call& call) {
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) return complain("`tool` is written `SERVER/TOOL`");
    call.server = text.substr(0, slash);
    call.tool = text.substr(slash + 1);
    call.method = "tools/call";
  }

  Call call_of(const Value& value) {
    Call call;
    split_tool(string(value, "tool", true), call);
    bind_entry(value, call);
    call.arguments = value.value("arguments", Value::object());
    return call;
  }

  void bind_entry(const Value& value, Call& call) {
    std::optional<std::string> asked;
    if (value.contains("catalogue")) asked = string(value, "catalogue", true);
    auto entry = entry_without_command(asked, call.server);
    if (!entry) return complain(entry.error().message());
    call.catalogue_entry = std::move(*entry);
  }

  std::map<std::string, std::string> strings(const Value& object, const char* key) {
    std::map<std::string, std::string> result;
    const auto found = object.find(key);
    if (found == object.end()) return result;
    if (!found->is_object()) complain(base::quoted(key) + " must be an object of strings");
    for (const auto& [name, value] : found->items()) {
      if (value.is_string())
        result.emplace(name, value.get<std::string>());
      else
        complain(base::quoted(key) + " must be an object of strings");
    }
    return result;
  }

  std::string absolute(const Value& context, const char* key, const std::string& otherwise) {
    if (!context.contains(key)) return otherwise;
    std::string path = string(context, key, true);
    if (!path.starts_with('/')) complain(base::quoted(key) + " must be an absolute path");
    return path;
  }

  void read_context(const Value& context, Case& into) {
    if (!context.is_object()) return complain("`context` must be an object");
    check_members(context, "`context`",
                  {"cwd", "home", "workspace", "user", "env", "links", "folds", "history"});
    into.scene.workspace = absolute(context, "workspace", "/workspace");
    into.scene.directory = absolute(context, "cwd", into.scene.workspace);
    into.scene.home = absolute(context, "home", "/home/user");
    into.scene.user = string(context, "user", false);
    strings(context, "env");  // of the format; no decision depends on it yet
    into.links = strings(context, "links");
    read_folds(context.value("folds", Value::array()), into.folds);
    read_history(context.value("history", Value::array()), into.history);
  }

  void read_folds(const Value& list, std::vector<std::string>& into) {
    if (!list.is_array()) return complain("`folds` must be a list of absolute paths");
    for (const Value& each : list) {
      if (!each.is_string() || !each.get_ref<const std::string&>().starts_with('/'))
        return complain("`folds` must be a list of absolute paths");
      into.push_back(each);
    }
  }

  void read_history(const Value& list, std::vector<EarlierCall>& into) {
    if (!list.is_array()) return complain("`history` must be a list of calls");
    for (const Value& each : list) {
      if (!each.is_object()) return complain("a call of `history` is a JSON object");
      check_members(each, "a call of `history`", {"tool", "arguments", "ago", "catalogue"});
      const auto ago = base::duration_from_text(each.contains("ago") ? string(each, "ago", true) : "0s");
      if (!ago) complain("`ago` must be a duration such as `30s` or `10m`");
      into.push_back({call_of(each), ago.value_or(std::chrono::milliseconds(0))});
    }
  }

  const Value& value_;
  std::string place_;
  std::string trouble_;
};

}  // namespace

ReadCases read_cases(const std::string& file, std::string_view bytes) {
  ReadCases all;
  for (std::size_t line = 1; !bytes.empty(); ++line) {
    const std::string_view text = bytes.substr(0, bytes.find('\n'));
    bytes.remove_prefix(std::min(text.size() + 1, bytes.size()));
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const std::string place = file + ":" + std::to_string(line);
    auto value = base::json::parse(text);
    if (!value) {
      all.errors.emplace_back(value.error().code(), value.error().message(), place);
      continue;
    }
    auto read = CaseReader(*value, place).read();
    if (!read) {
      all.errors.push_back(read.error());
      continue;
    }
    read->line = line;
    all.cases.push_back(std::move(*read));
  }
  return all;
}

base::Result<std::vector<Case>> parse_cases(const std::string& file, std::string_view bytes) {
  ReadCases all = read_cases(file, bytes);
  if (!all.errors.empty()) return all.errors.front();
  return std::move(all.cases);
}

namespace {

// Of cases: any that is late enough for what happened before.
constexpr std::int64_t case_time = std::chrono::nanoseconds(std::chrono::hours(24 * 365 * 50)).count();

History history_of(const Case& of, const Policy& policy, const Scene& scene) {
  History history = History::empty();
  if (policy.tallies().empty()) return history;
  std::vector<std::size_t> order(of.history.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return of.history[a].ago > of.history[b].ago; });
  for (const std::size_t at : order) {
    const EarlierCall& earlier = of.history[at];
    history.set_now(case_time - earlier.ago.count());
    const Decision decision = policy.judge(earlier.call, scene, history);
    for (const Tally& tally : policy.tallies())
      if (std::binary_search(decision.tallies.begin(), decision.tallies.end(), tally.id))
        history.add(tally, {at + 1, history.now()});
  }
  history.set_now(case_time);
  return history;
}

}  // namespace

base::Result<std::vector<CaseResult>> run_cases(const std::vector<Source>& sources,
                                                const std::vector<Case>& cases) {
  std::map<std::pair<std::string, std::string>, Policy> policies;
  if (cases.empty()) {
    if (auto loaded = Policy::load(sources, "/workspace", "/home/user"); !loaded) return loaded.error();
  }
  std::vector<CaseResult> results;
  for (const Case& each : cases) {
    const std::pair key(each.scene.workspace, each.scene.home);
    auto found = policies.find(key);
    if (found == policies.end()) {
      auto loaded = Policy::load(sources, each.scene.workspace, each.scene.home);
      if (!loaded) return loaded.error();
      found = policies.emplace(key, std::move(*loaded)).first;
    }
    const DescribedFiles files(each.links, each.folds);
    Scene scene = each.scene;
    scene.links = &files;
    CaseResult result;
    result.id = each.id;
    result.line = each.line;
    result.expect = each.expect;
    result.decision = found->second.judge(each.call, scene, history_of(each, found->second, scene));
    result.passed = result.decision.tier == each.expect ||
                    std::find(each.also.begin(), each.also.end(), result.decision.tier) != each.also.end();
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace policy
