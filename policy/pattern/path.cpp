// PathPattern. A pattern is folded to absolute components, `**` being one of them. The state of a match is
// the set of components that may come next, so a path costs |components of the pattern| × |path| at most.

#include <algorithm>
#include <bitset>

#include "policy/path/components.hpp"
#include "policy/path/unicode.hpp"
#include "policy/pattern/pattern.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

constexpr std::size_t path_pattern_bytes_max = 4096;
constexpr std::size_t path_parts_max = 128;

using Parts = std::vector<Glob>;
// Of each part whether it may come next, and at the end whether all matched; a final `/` adds a part.
using States = std::bitset<path_parts_max + 2>;

// `**` may match nothing: what follows it may come next too.
void close(States& states, const Parts& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (states[i] && parts[i].is_deep()) states[i + 1] = true;
}

States walk(const Parts& parts, std::string_view path) {
  States states;
  states[0] = true;
  close(states, parts);
  each_component(path, [&](std::string_view component) {
    States next;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!states[i]) continue;
      if (parts[i].is_deep()) {
        next[i] = true;
      } else if (parts[i].matches(component)) {
        next[i + 1] = true;
      }
    }
    close(next, parts);
    states = next;
  });
  return states;
}

// The states further down, past names that are known by their patterns.
template <class Meets>
States walk_names(const Parts& parts, States states, std::span<const NameGlob> names, Meets meets) {
  for (const NameGlob& name : names) {
    States next;
    if (name.glob.is_deep()) {
      for (std::size_t i = 0; i < parts.size(); ++i)
        if (states[i]) states[i + 1] = true;
      continue;
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!states[i]) continue;
      if (parts[i].is_deep()) {
        next[i] = true;
      } else if (meets(parts[i], name)) {
        next[i + 1] = true;
      }
    }
    close(next, parts);
    states = next;
  }
  return states;
}

// Adds the components of `text`, folding `.` and `..`.
base::Result<void> add_parts(std::string_view text, Parts& parts) {
  base::Result<void> result;
  each_component(text, [&](std::string_view component) {
    if (result.has_error() || component == ".") return;
    if (component == "..") {
      if (!parts.empty() && !parts.back().literal()) {
        result = base::Error(base::Code::invalid, "`..` after a wildcard has no one meaning");
      } else if (!parts.empty()) {
        parts.pop_back();
      }
    } else if (component == "**") {
      if (parts.empty() || !parts.back().is_deep()) parts.push_back(Glob::deep());
    } else if (component.find("**") != std::string_view::npos) {
      result = base::Error(base::Code::invalid, "`**` in " + base::quoted(component) +
                                                    " must be a whole component, as in `**/*.c`");
    } else {
      parts.emplace_back(component);
    }
  });
  if (!result.has_error() && parts.size() > path_parts_max)
    return base::Error(base::Code::limit,
                       "the path pattern has more than " + std::to_string(path_parts_max) + " components");
  return result;
}

// Where the pattern starts, as text before it; takes what stands for it off the pattern.
base::Result<std::string> take_anchor(std::string_view& text, const Anchors& anchors, Stance stance) {
  if (text.front() == '/') return std::string();
  if (text.front() == '~') {
    const std::string_view user = text.substr(1, text.find('/') - 1);
    if (text != "~" && !user.empty())
      return base::Error(base::Code::invalid,
                         "`~` must be followed by `/`: only the operator's own home has a name");
    if (anchors.home.empty())
      return base::Error(base::Code::invalid, "`~` means nothing here: no home is known");
    text.remove_prefix(1);
    return anchors.home;
  }
  if (stance == Stance::restrict && (text == "**" || text.starts_with("**/"))) return std::string();
  if (anchors.workspace.empty())
    return base::Error(base::Code::invalid, "a relative pattern means nothing here: no workspace is known");
  return anchors.workspace;
}

std::string root_of(const Parts& parts) {
  std::string root;
  for (const Glob& part : parts) {
    if (!part.literal()) break;
    root += "/" + part.text();
  }
  return root.empty() ? "/" : root;
}

}  // namespace

base::Result<PathPattern> PathPattern::compile(std::string_view text, const Anchors& anchors, Stance stance) {
  if (text.empty()) return base::Error(base::Code::invalid, "the path pattern is empty");
  if (text.size() > path_pattern_bytes_max)
    return base::Error(base::Code::limit, "the path pattern is longer than " +
                                              std::to_string(path_pattern_bytes_max) + " bytes");
  PathPattern pattern;
  pattern.text_ = text;
  if (text.starts_with("re:")) {
    auto expression = Expression::compile(text.substr(3), stance, Expression::Text::bytes);
    if (expression.has_error()) return expression.error();
    pattern.expression_ = std::make_shared<const Expression>(std::move(*expression));
    if (stance == Stance::restrict) {
      auto folded =
          Expression::compile("(?i)" + std::string(text.substr(3)), stance, Expression::Text::bytes);
      if (folded.has_error()) return folded.error();
      PathPattern other = pattern;
      other.expression_ = std::make_shared<const Expression>(std::move(*folded));
      pattern.folded_ = std::make_shared<const PathPattern>(std::move(other));
    }
    return pattern;
  }
  if (text.starts_with("file:"))
    return base::Error(base::Code::invalid, "a path pattern is a path, not a `file:` address");
  if (may_be_respelled(text))
    return base::Error(base::Code::invalid, "the path pattern " + base::quoted(text) +
                                                " holds a character that Unicode can spell in other ways; "
                                                "write it composed (NFC), or `?` in its place");
  auto anchor = take_anchor(text, anchors, stance);
  if (anchor.has_error()) return anchor.error();
  // The folders themselves may hold `*` in their names.
  each_component(*anchor, [&](std::string_view name) { pattern.parts_.push_back(Glob::literally(name)); });
  if (auto added = add_parts(text, pattern.parts_); added.has_error()) return added.error();
  const bool ends_open = text.ends_with('/') && (pattern.parts_.empty() || !pattern.parts_.back().is_deep());
  if (ends_open) pattern.parts_.push_back(Glob::deep());
  pattern.root_ = root_of(pattern.parts_);
  if (stance == Stance::restrict) pattern.fold();
  return pattern;
}

void PathPattern::fold() {
  PathPattern folded = *this;
  for (Glob& part : folded.parts_)
    if (!part.is_deep()) part = part.folded();
  if (folded.parts_ == parts_) return;
  folded.root_ = base::lower(root_);
  folded_ = std::make_shared<const PathPattern>(std::move(folded));
}

std::size_t PathPattern::steps(std::string_view path) const {
  constexpr std::size_t walk_steps = 16;
  constexpr std::size_t expression_breadth = 4;
  const auto deep =
      std::find_if(parts_.begin(), parts_.end(), [](const Glob& part) { return part.is_deep(); });
  const auto breadth = expression_ ? expression_breadth : static_cast<std::size_t>(parts_.end() - deep);
  return (path.size() + walk_steps) * std::max<std::size_t>(breadth, 1);
}

bool PathPattern::matches(std::string_view absolute_path) const {
  if (expression_) return expression_->matches(absolute_path);
  return walk(parts_, absolute_path)[parts_.size()];
}

bool PathPattern::may_match_below(std::string_view directory) const {
  if (expression_) return true;
  const States states = walk(parts_, directory);
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (states[i]) return true;
  return false;
}

bool PathPattern::may_match_names(std::string_view directory, std::span<const NameGlob> names) const {
  if (expression_) return true;
  return walk_names(parts_, walk(parts_, directory), names, [](const Glob& part, const NameGlob& name) {
    return part.may_meet(name.glob) && !(name.hides_dots && part.begins_with('.'));
  })[parts_.size()];
}

bool PathPattern::matches_all_names(std::string_view directory, std::span<const NameGlob> names) const {
  if (matches_all_below(directory)) return true;
  const bool deep =
      std::any_of(names.begin(), names.end(), [](const NameGlob& name) { return name.glob.is_deep(); });
  if (expression_ || deep) return false;
  return walk_names(parts_, walk(parts_, directory), names, [](const Glob& part, const NameGlob& name) {
    return part == name.glob || part == Glob("*") || (name.glob.literal() && part.matches(name.glob.text()));
  })[parts_.size()];
}

bool PathPattern::matches_all_below(std::string_view directory) const {
  if (expression_ || parts_.empty() || !parts_.back().is_deep()) return false;
  return walk(parts_, directory)[parts_.size() - 1];
}

std::string PathPattern::canonical() const {
  if (expression_) return text_;
  std::string text;
  for (const Glob& part : parts_) text += "/" + part.text();
  return text.empty() ? "/" : text;
}

bool PathPattern::covers(const PathPattern& inner) const {
  if (canonical() == inner.canonical()) return true;
  if (inner.root().empty() || root().empty()) return false;  // a regular expression
  const bool one_path = inner.root() == inner.canonical();
  return matches(inner.root()) && (one_path || matches_all_below(inner.root()));
}

}  // namespace policy
