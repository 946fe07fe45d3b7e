#pragma once
// A policy after loading: the values that decide() walks. Made by load/ only.

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "policy/command/shell_kind.hpp"
#include "policy/decision.hpp"
#include "policy/detect/content_pattern.hpp"
#include "policy/effect.hpp"
#include "policy/history.hpp"
#include "policy/pattern/pattern.hpp"

namespace policy {

// What a rule, or its exception, matches. Keys that are not empty are joined by AND, entries of a list by OR.
// An effect has one kind, so it is held against the list of its kind: `read` and `write` in one rule cover
// both.
struct Condition {
  Stance stance = Stance::restrict;

  // Of the call. Empty: any.
  std::vector<NamePattern> server;
  std::vector<NamePattern> tool;
  std::vector<NamePattern> method;
  std::vector<NamePattern> agent;
  std::vector<NamePattern> mission;
  std::vector<NamePattern> host_user;
  std::vector<ArgumentCondition> argument;  // all must match

  // Of the effect. With any of these five lists filled, an effect whose own list is empty is not matched;
  // with none filled, every effect is. `path` stands in the first three. A list that is added here is found
  // by index.cpp, too.
  std::vector<PathPattern> read;
  std::vector<PathPattern> write;
  std::vector<PathPattern> remove;
  std::vector<CommandPattern> run;
  std::vector<DestinationPattern> connect;

  // Text written or sent; an effect without content is not matched. Alone: any write or connect.
  std::vector<ContentPattern> content;

  // Of an ask: where it covers the whole workspace, it does not ask for a bare word (Effect::bare_word)
  // there.
  bool leaves_bare_words = false;

  // permit: the condition covers opaque effects too. restrict: it covers opaque effects only
  // (without it a deny or ask covers them as well).
  bool opaque = false;

  // Of run effects; an effect of another kind is not matched.
  std::optional<bool> elevated;
  std::vector<PathPattern> cwd;

  bool names_effects() const {
    return !read.empty() || !write.empty() || !remove.empty() || !run.empty() || !connect.empty();
  }
};

inline constexpr std::size_t effect_kinds = 8;
inline constexpr unsigned all_kinds = (1u << effect_kinds) - 1;
constexpr unsigned kind_bit(EffectKind kind) { return 1u << static_cast<unsigned>(kind); }

// What the organisation lets the layers after it do. Without `[delegate]`: everything.
struct Delegation {
  unsigned allow = all_kinds;  // kinds of effects that their allows count for
  bool mission = true;         // `--policy` may be given
  std::string place;           // `file:line`; empty: nobody states any
};

// What a rule rewrites in the calls that it matches, once, before they are passed on (redirect.hpp).
struct Redirect {
  struct Path {
    unsigned kinds = 0;    // of the effects whose paths it moves
    std::string from, to;  // absolute, without `.`, `..` or a final slash
  };
  struct Address {
    std::string to;  // as written, `https://host:port`
    network::Site from_site, to_site;
  };
  struct Argument {
    std::string pointer;
    base::json::Value value;  // a scalar
  };
  std::vector<Path> paths;
  std::optional<Address> address;
  std::vector<Argument> arguments;
};

// The rule holds only once earlier calls of the mission had such effects (earlier.hpp).
struct After {
  Condition effects;  // of each call any; the stance is the rule's
  std::size_t count = 1;
  std::optional<std::chrono::nanoseconds> within;  // none: the whole mission
  std::string text;                                // count and span, for people
  std::string tally;                               // by which calls are counted
};

// How many calls an allow lets pass in any span of that length; beyond it the effect is asked for.
struct Rate {
  std::size_t count = 0;
  std::chrono::nanoseconds span{};
  std::string text;  // as written
  std::string tally;
};

struct Rule {
  std::string id;
  Tier tier = Tier::deny;
  Layer layer = Layer::built_in;
  std::string place;  // `file:line`; empty: built in
  // False: of an untrusted repository. Its ask counts only where all else allows; `id` and `why` say whose
  // words they are.
  bool trusted = true;
  unsigned counts_for = all_kinds;  // of an allow: the kinds of effects that its layer may allow
  std::string why;
  Severity severity = Severity::medium;
  std::string violation_class;  // `malicious` or empty
  Condition condition;
  std::optional<Condition>
      except;  // where it matches, the rule does not; its stance is the opposite of the rule's
  std::optional<Redirect> redirect;  // of an allow or ask
  // Of a deny or ask in CompiledRules::result_rules: one must be found in what comes back.
  std::vector<ContentPattern> result;
  bool redact = false;  // what is found is cut out, the rest passes
  std::optional<After> after;
  std::optional<Rate> rate;  // allow only
};

// What an effect that nothing covers gets: deny or ask.
struct Default {
  Tier tier = Tier::deny;
  Layer layer = Layer::built_in;
  std::string place;  // `file:line`; empty: no layer states one
};

// What a tool's arguments mean. Lists hold JSON pointers into the arguments. Several may match one tool.
struct ToolDeclaration {
  NamePattern server;
  NamePattern tool;
  std::vector<std::string> read;
  std::vector<std::string> write;
  std::vector<std::string> remove;
  std::vector<std::string> run;
  std::vector<std::string> connect;
  std::vector<std::string> content;
  std::vector<std::string> cwd;
  std::vector<std::string> env;
  std::vector<std::string> method;
  std::vector<std::string> headers;
  std::vector<std::string> resource;
  std::vector<std::string> ignore;
  std::optional<Shell> shell;  // what reads a string under `run`; none said: not known
  Layer layer = Layer::built_in;
  std::string place;
  // From an untrusted layer, or one that may not allow `use`: its effects are guesses beside what else is
  // known of the tool, and do not make it a declared tool (`use` still needs an allow, unknown arguments stay
  // unknown). Its `ignore` is empty.
  bool adds_only = false;
};

// One bit for each EffectKind that the condition can match; 0: it never matches.
unsigned kinds_of(const Condition& condition);

struct Catalogue;  // catalogue/catalogue.hpp
class RuleIndex;   // index.hpp

struct CompiledRules {
  std::vector<Rule> rules;  // of all layers, built in first
  // Those with `result`: they say nothing of the call itself. Shared with decisions (decision.hpp).
  std::vector<std::shared_ptr<const Rule>> result_rules;
  std::vector<ToolDeclaration> declarations;
  std::vector<Tally> tallies;                  // of all rules, each once; empty: no history is needed
  std::array<Default, effect_kinds> defaults;  // by EffectKind
  Delegation delegation;
  Anchors anchors;
  bool baseline = false;                       // the embedded baseline stands
  std::shared_ptr<const Catalogue> catalogue;  // with what layers say of programs; never null
  std::shared_ptr<const RuleIndex> index;      // of `rules` as they are; nullptr: each is tried

  const Default& default_for(EffectKind kind) const { return defaults[static_cast<std::size_t>(kind)]; }
};

}  // namespace policy
