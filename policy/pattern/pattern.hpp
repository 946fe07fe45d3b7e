#pragma once
// What rules match with, compiled from the text a person wrote. Values: immutable, cheap to copy.
// Matching is linear in the text for a given pattern (regular expressions are RE2), so that text from an
// agent cannot make it slow. compile() fails with a sentence that has no place; the loader adds file, line
// and column.

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/network/host_pattern.hpp"
#include "policy/network/target.hpp"
#include "policy/pattern/glob.hpp"
#include "proxy/base/error.hpp"
#include "proxy/base/json.hpp"

namespace re2 {
class RE2;
}

namespace policy {

// How doubt is read. `permit` (an allow, the exception of a deny or ask) matches only what is certain;
// `restrict` (deny, ask, the exception of an allow) matches whatever might be meant. The zero value never
// permits.
enum class Stance { restrict, permit };

// What `~` and relative patterns mean. Both absolute, without `.`, `..` or a final slash.
struct Anchors {
  std::string workspace;
  std::string home;
};

// A piece of a text, in bytes.
struct Stretch {
  std::size_t offset = 0;
  std::size_t size = 0;
  bool operator==(const Stretch&) const = default;
};

// RE2. Under permit the whole text must match, under restrict a part of it. `.` matches a line feed too.
class Expression {
 public:
  enum class Text { utf8, bytes };  // bytes: paths, which need not be UTF-8
  static base::Result<Expression> compile(std::string_view text, Stance stance, Text kind = Text::utf8);
  bool matches(std::string_view text) const;
  // Every match, in order; one that is empty is not told.
  std::vector<Stretch> stretches(std::string_view text) const;
  std::string text() const;  // as written

 private:
  std::shared_ptr<const re2::RE2> compiled_;
  Stance stance_ = Stance::restrict;
};

// A glob on a name (server, tool, method, agent, mission): `*` any run, `?` any one character.
class NamePattern {
 public:
  static base::Result<NamePattern> compile(std::string_view text);
  bool matches(std::string_view name) const { return glob_.matches(name); }
  bool literal() const { return glob_.literal(); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  Glob glob_;
};

// Paths, as in README.md, «Paths». Paths given to it are absolute, without `.`, `..` or doubled slashes.
class PathPattern {
 public:
  static base::Result<PathPattern> compile(std::string_view text, const Anchors& anchors, Stance stance);
  bool matches(std::string_view absolute_path) const;
  // Whether some path below the directory (not itself) could match. May say true wrongly, never false.
  bool may_match_below(std::string_view directory) const;
  // Whether every path below the directory matches. May say false wrongly, never true.
  bool matches_all_below(std::string_view directory) const;
  // The same of the paths below the directory whose components match `names`.
  bool may_match_names(std::string_view directory, std::span<const NameGlob> names) const;
  bool matches_all_names(std::string_view directory, std::span<const NameGlob> names) const;
  // The part before the first wildcard: `/w/src` of `/w/src/**/*.c`. Empty: a regular expression.
  const std::string& root() const { return root_; }
  // One a component of the folded pattern; none of a regular expression.
  const std::vector<Glob>& parts() const { return parts_; }
  // `**/NAME`: by the name alone.
  bool names_only() const { return parts_.size() == 2 && parts_.front().is_deep(); }
  // What one of these questions costs (steps.hpp).
  std::size_t steps(std::string_view path) const;
  // Small letters (ASCII) in the place of capitals, as a volume that folds case is asked about. Under
  // restrict.
  const PathPattern& folded() const { return folded_ ? *folded_ : *this; }
  const std::string& text() const { return text_; }
  // Absolute and folded, for comparing patterns: `/w/src/**`; `re:…` as written.
  std::string canonical() const;
  // Whether it matches all that the other does. May say false wrongly, never true.
  bool covers(const PathPattern& inner) const;

 private:
  void fold();

  std::string text_;
  std::string root_;
  std::vector<Glob> parts_;  // one a component; Glob::deep() is `**`
  std::shared_ptr<const Expression> expression_;
  std::shared_ptr<const PathPattern> folded_;  // where it is another
};

// The words of one simple command; matches when they are its first words (README.md, «Commands»).
class CommandPattern {
 public:
  static base::Result<CommandPattern> compile(std::string_view text);
  bool matches(const std::vector<std::string>& words) const;
  bool matches(std::string_view program, std::span<const std::string> rest) const;
  // The words, each with its alternatives.
  const std::vector<std::vector<Glob>>& words() const { return words_; }
  bool complete() const { return complete_; }  // a final `$`: no further words
  // Whether it matches all that the other does. May say false wrongly, never true.
  bool covers(const CommandPattern& inner) const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<std::vector<Glob>> words_;
  bool complete_ = false;
};

// A test on the scalars that a JSON pointer reaches. On a list or object: under restrict one scalar inside
// must pass, under permit all (and at least one). An absent argument never matches.
class ArgumentCondition {
 public:
  // test: a glob, `re:…`, or a comparison (`<` `<=` `>` `>=` `==` `!=` and a number).
  static base::Result<ArgumentCondition> compile(std::string_view pointer, std::string_view test,
                                                 Stance stance);
  bool matches(const base::json::Value& arguments) const;
  std::string text() const { return pointer_ + " " + test_; }

 private:
  enum class Comparison { none, less, less_or_equal, greater, greater_or_equal, equal, unequal };
  bool scalar_matches(const base::json::Value& scalar) const;
  bool number_matches(long double number) const;

  std::string pointer_;
  std::string test_;
  Stance stance_ = Stance::restrict;
  Comparison comparison_ = Comparison::none;
  long double bound_ = 0;
  Glob glob_;
  std::shared_ptr<const Expression> expression_;
};

// A destination: `[METHOD ][scheme://]host[:port][/path]`, a range of addresses, or `re:` (README.md,
// «Destinations»).
class DestinationPattern {
 public:
  static base::Result<DestinationPattern> compile(std::string_view text, Stance stance);
  // Under restrict one reading of the target is enough, under permit all must match and agree.
  bool matches(const network::Target& target) const;
  // `URL` or `METHOD URL`, as examples have it.
  bool matches(std::string_view request) const;
  // Whether this matches whatever `inner` does. May say no wrongly.
  bool covers(const DestinationPattern& inner) const;
  // Whether some request to that scheme, host and port may match. May say yes wrongly.
  bool may_reach(const network::Site& site) const { return expression_ != nullptr || site_matches(site); }
  // What one question costs (steps.hpp).
  std::size_t steps(const network::Target& target) const;
  // nullptr: a regular expression.
  const network::HostPattern* host() const { return expression_ ? nullptr : &host_; }
  const std::string& method() const { return method_; }  // empty: any
  const std::string& text() const { return text_; }
  // The same for any method; for any scheme and port. Not of a regular expression.
  DestinationPattern without_method() const;
  DestinationPattern without_site() const;

 private:
  base::Result<void> read(std::string_view text);
  base::Result<std::string> take_authority(std::string_view& rest);
  base::Result<void> read_port(std::string_view port);
  base::Result<void> read_path(std::string_view path);
  bool site_matches(const network::Site& site) const;
  bool path_matches(const std::string& path) const;

  std::string text_;
  std::string method_;  // empty: any
  std::string scheme_;  // empty: any; under permit those of the web
  network::HostPattern host_;
  int port_ = 0;  // 0: any
  std::optional<PathPattern> path_;
  std::shared_ptr<const Expression> expression_;
  Stance stance_ = Stance::restrict;
};

}  // namespace policy
