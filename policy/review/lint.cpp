#include "policy/review/lint.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "policy/catalogue/catalogue.hpp"
#include "policy/catalogue/only_used.hpp"
#include "policy/path/path.hpp"
#include "policy/review/less.hpp"
#include "policy/review/meets.hpp"
#include "policy/review/misread.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

class Linter {
 public:
  Linter(const CompiledRules& rules, const std::function<bool(const std::string&)>& is_folder)
      : rules_(rules), is_folder_(is_folder) {}

  std::vector<Warning> run() {
    for (const Rule& rule : rules_.rules) all_.push_back(&rule);
    for (const auto& rule : rules_.result_rules) all_.push_back(rule.get());
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (all_[i]->layer == Layer::built_in) continue;
      rule_ = all_[i];
      check_others(i);
      check_delegated();
      check_paths(rule_->condition);
      check_duplicates(rule_->condition);
      check_after();
      check_users(rule_->condition);
      if (rule_->except) check_users(*rule_->except);
      if (rule_->tier == Tier::allow) check_width(rule_->condition);
      if (rule_->tier == Tier::deny) check_blanket(rule_->condition);
      if (rule_->tier != Tier::allow) check_bundles(rule_->condition);
      check_braces(rule_->condition);
      check_folders(rule_->condition);
      check_misread();
      check_redirect();
    }
    check_declarations();
    return std::move(warnings_);
  }

 private:
  void warn(std::string message) { warnings_.push_back({rule_->place, rule_->id, std::move(message)}); }

  static std::string shown(const Rule& rule) {
    return "`" + rule.id + "`" + (rule.place.empty() ? " (built in)" : " (" + rule.place + ")");
  }

  static std::string named(const Rule& rule) {
    return (rule.tier == Tier::deny ? "the deny " : "the ask ") + shown(rule);
  }

  // Of a stricter rule: whether its exception keeps nothing of this one from it.
  bool covers_but_for_exception(const Rule& other) const {
    if (!other.except || may_meet(*other.except, rule_->condition)) return false;
    Rule whole = other;
    whole.except.reset();
    return covers(whole, *rule_, rules_.anchors);
  }

  // A stricter rule that takes in all of this one, an equal one before it, an id used elsewhere.
  void check_others(std::size_t index) {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const Rule& other = *all_[i];
      if (i == index) continue;
      if (i < index && other.id == rule_->id)
        warn("the id is also used by " + shown(other) + " of another layer");
      const bool part = other.tier < rule_->tier && covers_but_for_exception(other);
      if (part)
        warn("never decides: " + named(other) +
             " covers all of it, and nothing in the `except` there is for it");
      if (part || !covers(other, *rule_, rules_.anchors)) continue;
      if (other.tier < rule_->tier) {
        warn("never decides: " + named(other) + " covers all of it");
      } else if (other.tier == rule_->tier && !rule_->redirect &&
                 (i < index || !covers(*rule_, other, rules_.anchors))) {
        warn("adds nothing: " + shown(other) + " covers all of it");
      }
    }
  }

  // What is denied never passes, and nothing comes after it.
  void check_after() {
    if (!rule_->after) return;
    Rule waits;
    waits.tier = rule_->tier;
    waits.condition = rule_->after->effects;
    for (const Rule& other : rules_.rules)
      if (other.tier == Tier::deny && other.trusted && covers(other, waits, rules_.anchors)) {
        warn("never holds: the deny " + shown(other) + " covers all that it comes `after`");
        break;
      }
    check_paths(waits.condition);
    check_duplicates(waits.condition);
    check_braces(waits.condition);
  }

  void check_misread() {
    const auto warn_of = [&](const std::vector<std::string>& messages) {
      for (const std::string& message : messages) warn(message);
    };
    const bool restricts = rule_->tier != Tier::allow;
    warn_of(misread(rule_->condition, restricts));
    warn_of(misread(rule_->condition.content));
    warn_of(misread(rule_->result));
    if (rule_->except) {
      warn_of(misread(*rule_->except, !restricts));
      warn_of(misread(rule_->except->content));
    }
    if (rule_->after) {
      warn_of(misread(rule_->after->effects, restricts));
      warn_of(misread(rule_->after->effects.content));
    }
  }

  void check_users(const Condition& condition) {
    for (const NamePattern& pattern : condition.host_user)
      if (pattern.text().find_first_of(":/ \t") != std::string::npos)
        warn("never matches: no user's name holds what " + base::quoted(pattern.text()) + " does");
  }

  template <class Use>
  static void each_path_list(const Condition& condition, Use use) {
    for (const auto* list : {&condition.read, &condition.write, &condition.remove, &condition.cwd})
      use(*list);
  }

  static std::string names_of(unsigned kinds) {
    std::string text;
    for (std::size_t i = 0; i < effect_kinds; ++i)
      if ((kinds >> i & 1) != 0)
        text += (text.empty() ? "`" : ", `") + std::string(name(static_cast<EffectKind>(i))) + "`";
    return text.empty() ? "nothing" : text;
  }

  void check_delegated() {
    const unsigned covered = kinds_of(rule_->condition);
    if (rule_->tier != Tier::allow || (covered & ~rule_->counts_for) == 0) return;
    const unsigned counts = covered & rule_->counts_for;
    warn((counts == 0 ? std::string("does not count") : "counts for " + names_of(counts) + " only") +
         ": the organisation delegates " + names_of(rules_.delegation.allow) + " (" +
         rules_.delegation.place + ")");
  }

  // What a layer that may not allow `use` says of tools.
  void check_declarations() {
    if ((rules_.delegation.allow & kind_bit(EffectKind::use)) != 0) return;
    for (const ToolDeclaration& tool : rules_.declarations)
      if (tool.layer > Layer::organisation)
        warnings_.push_back({tool.place, tool.server.text() + "/" + tool.tool.text(),
                             "the declaration only adds guesses: the organisation does not delegate `use` (" +
                                 rules_.delegation.place + ")"});
  }

  void check_paths(const Condition& condition) {
    std::set<std::string> seen;  // `path` stands in three lists
    each_path_list(condition, [&](const std::vector<PathPattern>& list) {
      for (const PathPattern& pattern : list) {
        const std::string& text = pattern.text();
        const bool relative = !text.starts_with('/') && !text.starts_with('~') && !pattern.root().empty();
        const bool anywhere = text.starts_with("**") && pattern.root() == "/";
        if (relative && !anywhere && !same_or_below(pattern.root(), rules_.anchors.workspace) &&
            seen.insert(text).second)
          warn(base::quoted(text) + " leaves the workspace: it means " + base::quoted(pattern.canonical()));
      }
    });
  }

  void check_duplicates(const Condition& condition) {
    std::set<std::string> told;
    each_path_list(condition, [&](const std::vector<PathPattern>& list) {
      std::set<std::string> seen;
      for (const PathPattern& pattern : list)
        if (!seen.insert(pattern.canonical()).second && told.insert(pattern.text()).second)
          warn(base::quoted(pattern.text()) + " is there twice");
    });
    std::set<std::string> destinations;
    for (const DestinationPattern& pattern : condition.connect)
      if (!destinations.insert(pattern.text()).second) warn(base::quoted(pattern.text()) + " is there twice");
    std::set<std::string> commands;
    for (const CommandPattern& pattern : condition.run)
      if (!commands.insert(pattern.text()).second) warn(base::quoted(pattern.text()) + " is there twice");
  }

  void check_width(const Condition& condition) {
    const bool named = !condition.server.empty() && !condition.tool.empty();
    if (kinds_are_open(condition) && !only_uses(condition))
      warn(named ? "allows every effect of the tools it names: no effect key narrows it"
                 : "allows every effect of every tool in its scope: no effect key narrows it");
    if (condition.opaque) warn("allows what callgate cannot read: whatever the tool is told to run or reach");
    check_wide_paths(condition);
    for (const CommandPattern& pattern : condition.run) check_wide_command(pattern);
    for (const DestinationPattern& pattern : condition.connect) check_wide_destination(pattern);
  }

  static bool kinds_are_open(const Condition& condition) {
    return !condition.names_effects() && condition.content.empty() && !condition.elevated &&
           condition.cwd.empty() && condition.argument.empty();
  }

  // Whether every server that the catalogue knows these tools of declares them without effects.
  bool only_uses(const Condition& condition) const {
    const auto plain = [&](const NamePattern& tool) {
      if (!tool.literal()) return false;
      bool known = false;
      for (const auto& [name, server] : rules_.catalogue->servers) {
        const auto found = server.tools.find(tool.text());
        if (found == server.tools.end()) continue;
        if (!only_used(found->second.declaration)) return false;
        known = true;
      }
      return known && std::none_of(rules_.declarations.begin(), rules_.declarations.end(),
                                   [&](const ToolDeclaration& each) {
                                     return each.tool.matches(tool.text()) && !only_used(each);
                                   });
    };
    return !condition.tool.empty() && !condition.opaque &&
           std::all_of(condition.tool.begin(), condition.tool.end(), plain);
  }

  void check_wide_paths(const Condition& condition) {
    std::set<std::string> told;
    for (const auto* list : {&condition.read, &condition.write, &condition.remove})
      for (const PathPattern& pattern : *list) {
        if (!told.insert(pattern.text()).second) continue;
        if (pattern.matches_all_below("/")) {
          warn(base::quoted(pattern.text()) + " allows every path of the machine");
        } else if (!rules_.anchors.home.empty() && pattern.matches_all_below(rules_.anchors.home) &&
                   !same_or_below(rules_.anchors.home, rules_.anchors.workspace)) {
          warn(base::quoted(pattern.text()) + " allows the whole home folder, keys and tokens with it");
        }
      }
  }

  void check_wide_destination(const DestinationPattern& pattern) {
    using network::Reach;
    if (pattern.host() == nullptr) return;
    if (pattern.host()->is_any()) {
      if (!rules_deny(Reach::private_use))
        warn(base::quoted(pattern.text()) + " allows every host, the machine's own and private ones too");
    } else if (pattern.host()->reach() == Reach::private_use && !rules_deny(Reach::link_local)) {
      warn(base::quoted(pattern.text()) +
           " allows `@link-local` too, where machines in a cloud find their credentials");
    }
  }

  // Whether a deny or ask of all calls keeps an allow from there.
  bool rules_deny(network::Reach reach) const {
    return std::any_of(rules_.rules.begin(), rules_.rules.end(), [&](const Rule& rule) {
      const auto& list = rule.condition.connect;
      return rule.tier != Tier::allow && rule.trusted && !rule.except && rule.condition.server.empty() &&
             rule.condition.tool.empty() &&
             std::any_of(list.begin(), list.end(), [&](const DestinationPattern& pattern) {
               const network::HostPattern* host = pattern.host();
               const auto wanted = network::HostPattern::compile(
                   reach == network::Reach::link_local ? "@link-local" : "@private");
               return host != nullptr && wanted && host->covers(*wanted) && pattern.text().starts_with('@');
             });
    });
  }

  void check_wide_command(const CommandPattern& pattern) {
    static constexpr std::array<std::string_view, 33> runners{
        "bash",   "sh",      "zsh",   "dash",    "ksh",    "fish", "python", "python3", "node",
        "deno",   "bun",     "ruby",  "perl",    "php",    "lua",  "env",    "xargs",   "sudo",
        "doas",   "su",      "ssh",   "eval",    "exec",   "npx",  "uvx",    "watch",   "parallel",
        "script", "busybox", "nohup", "timeout", "docker", "make"};
    for (const Glob& program : pattern.words().front()) {
      if (!program.literal() && program.matches("sh") && program.matches("rm")) {
        warn(base::quoted(pattern.text()) + " allows any program");
        return;
      }
      if (pattern.words().size() > 1) continue;
      for (const std::string_view runner : runners)
        if (program.matches(runner)) {
          warn(base::quoted(pattern.text()) + " allows whatever `" + std::string(runner) +
               "` can be told to run; add words that say what");
          return;
        }
    }
  }

  void check_blanket(const Condition& condition) {
    const bool scoped = !condition.server.empty() || !condition.tool.empty() || !condition.method.empty() ||
                        !condition.agent.empty() || !condition.mission.empty();
    if (kinds_are_open(condition) && !scoped && !condition.opaque && !rule_->except)
      warn("denies every call");
  }

  // `-rf`, which `-r -f` and `-fr` do not match. One dash and several letters may also be one long option.
  void check_bundles(const Condition& condition) {
    const auto bundle = [](const std::string& word) {
      return word.size() == 3 && word[0] == '-' && std::all_of(word.begin() + 1, word.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
             });
    };
    for (const CommandPattern& pattern : condition.run)
      for (const std::vector<Glob>& word : pattern.words()) {
        const auto found =
            std::find_if(word.begin(), word.end(), [&](const Glob& glob) { return bundle(glob.text()); });
        if (found == word.end()) continue;
        const std::string text = found->text();
        warn(base::quoted(pattern.text()) + " does not match " + base::quoted(text) +
             " spelled apart or in another order, as `-" + text[1] + " -" + text[2] + "`");
        break;
      }
  }

  void check_braces(const Condition& condition) {
    const auto choices = [](const std::string& text) {
      const std::size_t open = text.find('{');
      const std::size_t comma = text.find(',', std::min(open, text.size()));
      return !text.starts_with("re:") && text.find('}', std::min(comma, text.size())) != std::string::npos;
    };
    std::set<std::string> told;
    const auto check = [&](const std::string& text) {
      if (choices(text) && told.insert(text).second)
        warn(base::quoted(text) + " holds braces, which are literal here; write one pattern for each choice");
    };
    each_path_list(condition, [&](const std::vector<PathPattern>& list) {
      for (const PathPattern& pattern : list) check(pattern.text());
    });
    for (const auto* list : {&condition.server, &condition.tool, &condition.method})
      for (const NamePattern& pattern : *list) check(pattern.text());
  }

  void check_folders(const Condition& condition) {
    if (!is_folder_) return;
    std::set<std::string> told;
    for (const auto* list : {&condition.read, &condition.write, &condition.remove})
      for (const PathPattern& pattern : *list)
        if (!pattern.root().empty() && pattern.root() == pattern.canonical() && is_folder_(pattern.root()) &&
            told.insert(pattern.text()).second)
          warn(base::quoted(pattern.text()) + " is a folder, and means nothing below it: write " +
               base::quoted(pattern.text() + "/") + " for all of it");
  }

  // Whether some rule is for what is redirected to this place. One without effect keys says so of an allow
  // only: an ask of whatever a tool does has nothing to do with it.
  template <class Matches>
  bool redirect_lands_in(Matches matches) const {
    return std::any_of(rules_.rules.begin(), rules_.rules.end(), [&](const Rule& rule) {
      const Condition& condition = rule.condition;
      const bool open = kinds_are_open(condition) && rule.tier == Tier::allow;
      return rule.tier != Tier::deny && rule.trusted && (matches(condition) || open);
    });
  }

  void check_redirect() {
    if (!rule_->redirect) return;
    const auto check = [&](const std::string& to, auto matches) {
      if (redirect_lands_in(matches)) return;
      warn("redirects to " + base::quoted(to) +
           ", which no allow covers: what is rewritten must be allowed, too");
    };
    for (const Redirect::Path& path : rule_->redirect->paths)
      for (const auto& [kind, list] :
           {std::pair(EffectKind::read, &Condition::read), std::pair(EffectKind::write, &Condition::write),
            std::pair(EffectKind::remove, &Condition::remove)}) {
        if ((path.kinds & kind_bit(kind)) == 0 || ((kinds_of(rule_->condition) & kind_bit(kind)) == 0))
          continue;
        const auto& patterns = list;
        check(path.to, [&](const Condition& condition) {
          const std::vector<PathPattern>& all = condition.*patterns;
          return std::any_of(all.begin(), all.end(), [&](const PathPattern& pattern) {
            return pattern.root().empty() || pattern.matches(path.to) || pattern.may_match_below(path.to);
          });
        });
      }
    if (const auto& address = rule_->redirect->address)
      check(address->to, [&](const Condition& condition) {
        return std::any_of(
            condition.connect.begin(), condition.connect.end(),
            [&](const DestinationPattern& pattern) { return pattern.may_reach(address->to_site); });
      });
  }

  std::vector<const Rule*> all_;
  const CompiledRules& rules_;
  const std::function<bool(const std::string&)>& is_folder_;
  const Rule* rule_ = nullptr;
  std::vector<Warning> warnings_;
};

}  // namespace

std::vector<Warning> lint(const CompiledRules& rules,
                          const std::function<bool(const std::string& path)>& is_folder) {
  return Linter(rules, is_folder).run();
}

}  // namespace policy
