// Words that may be a directory with all below, among them git's pathspecs.

#include <algorithm>
#include <utility>

#include "policy/command/keep_first.hpp"
#include "policy/command/runs.hpp"
#include "policy/path/path.hpp"
#include "policy/path/worktree.hpp"

namespace policy::command {

namespace {

Pathspec read_pathspec(std::string_view text) {
  Pathspec spec;
  if (!text.starts_with(':')) {
    spec.path = text;
    return spec;
  }
  text.remove_prefix(1);
  if (text.starts_with('(')) {
    const std::size_t end = std::min(text.find(')'), text.size());
    const std::string_view magic = text.substr(1, end - 1);
    text.remove_prefix(std::min(end + 1, text.size()));
    spec.top = magic.find("top") != std::string_view::npos;
    spec.literal = magic.find("literal") != std::string_view::npos;
    // What is excluded leaves all else.
    spec.whole = magic.find("icase") != std::string_view::npos ||
                 magic.find("exclude") != std::string_view::npos ||
                 magic.find("prefix") != std::string_view::npos;
  } else {
    while (!text.empty() && (text.front() == '/' || text.front() == '!' || text.front() == '^')) {
      spec.top = spec.top || text.front() == '/';
      spec.whole = spec.whole || text.front() != '/';
      text.remove_prefix(1);
    }
    if (text.starts_with(':')) text.remove_prefix(1);
  }
  spec.path = text;
  return spec;
}

bool names_directory(std::string_view path) {
  return path.empty() || path.ends_with('/') || path == "." || path == ".." || path.ends_with("/.") ||
         path.ends_with("/..");
}

// What the last component of every path that a pathspec with wildcards matches looks like: they match `/`,
// too.
Glob last_name(std::string_view pattern) {
  if (pattern.find_first_of("[\\") != std::string_view::npos) return Glob("*");
  const std::string_view behind = pattern.substr(pattern.find_last_of("*?") + 1);
  const std::size_t slash = behind.rfind('/');
  if (slash != std::string_view::npos && slash + 1 < behind.size())
    return Glob::literally(behind.substr(slash + 1));
  Glob name("*");
  if (slash == std::string_view::npos) name.append(Glob::literally(behind));
  return name;
}

}  // namespace

void Runs::maybe_tree(Roles roles, const Argument& word, bool recursive, const Place& place,
                      std::string& trouble) {
  Place maybe = place;
  maybe.guessed = true;
  if (word.sort == Argument::Sort::glob) return path(roles, word, recursive, maybe);
  if (!word.known()) {
    if (!word.digits) keep_first(trouble, "a word that is not known before it runs");
    return guess(word.start, place);
  }
  if (roles.has(Role::pathspec)) return pathspec(roles, word.text, maybe);
  if (word.text.find("://") != std::string::npos) return guess(word.text, place);
  const auto real = real_path(word.text, place.directory, *list_.scene().links);
  const bool directory = names_directory(word.text) || (real && list_.scene().links->is_directory(*real));
  path(roles, word, recursive || directory, maybe);
}

void Runs::pathspec(const Roles& roles, std::string_view text, const Place& place) {
  Pathspec spec = read_pathspec(text);
  if (spec.whole) spec.path.clear();
  if (!spec.top) return pathspec_from(roles, spec, place);
  Place from = place;
  from.directory_known = true;
  std::vector<std::string> tops = worktree_tops(place);
  if (tops.empty()) tops.push_back(list_.scene().workspace);
  for (const std::string& top : tops) {
    from.directory = top;
    pathspec_from(roles, spec, from);
  }
}

void Runs::pathspec_from(const Roles& roles, const Pathspec& spec, const Place& from) {
  const std::size_t wild = spec.literal ? std::string::npos : spec.path.find_first_of("*?[\\");
  const std::size_t first = list_.effects().size();
  if (wild != std::string::npos) {
    const std::size_t slash = spec.path.rfind('/', wild);
    const std::string below = slash == std::string::npos ? "." : spec.path.substr(0, slash + 1);
    path(roles, {Argument::Sort::known, below}, true, from);
    const NameGlob last{last_name(spec.path)};
    for (Effect& effect : list_.since(first)) {
      effect.reach.recursive = false;
      effect.reach.names = {{Glob::deep()}, last};
    }
    return;
  }
  const std::string written = spec.path.empty() ? "." : spec.path;
  const auto real = real_path(written, from.directory, *list_.scene().links);
  const bool directory = names_directory(spec.path) || (real && list_.scene().links->is_directory(*real));
  path(roles, {Argument::Sort::known, written}, directory, from);
}

// Where `:/` starts: the top of git's worktree, or all that may be it. Empty: there is none.
std::vector<std::string> Runs::worktree_tops(const Place& place) const {
  const Scene& scene = list_.scene();
  if (!place.directory_known) return {};
  const auto& worktree = list_.worktrees().of(place.directory);
  if (!worktree) return {};
  if (worktree->known || same_or_below(scene.workspace, worktree->top)) return {worktree->top};
  return {scene.workspace, worktree->top};
}

bool Runs::may_be_revision(const SortedWords& sorted, std::span<const Argument> words,
                           const Place& place) const {
  const Links& links = *list_.scene().links;
  const auto end = std::find_if(words.rbegin(), words.rend(),
                                [](const Argument& word) { return word.known() && word.is("--"); });
  // git takes no word for both: before `--` it is a revision, without that it must not be a file, too.
  const std::size_t behind = end == words.rend() ? sorted.operands.size() : end - words.rbegin();
  for (std::size_t i = 0; i < sorted.operands.size(); ++i) {
    const Argument& word = sorted.operands[i].word;
    if (!sorted.operands[i].roles.has(Role::tracked)) continue;
    if (i + behind < sorted.operands.size() || !word.known() || !place.directory_known) return true;
    if (end != words.rend()) continue;
    const auto real = real_path(word.text, place.directory, links);
    const bool there = real && links.standing(*real).kind;
    if (word.text.starts_with(':') || !there) return true;
  }
  return false;
}

void Runs::labelled(std::string_view text, const Roles& roles, bool below, const Place& place) {
  Place from = place;
  from.guessed = place.guessed || roles.has(Role::tree);
  const auto read = [&](std::string_view piece) {
    if (!piece.empty()) path({Role::read}, {Argument::Sort::known, std::string(piece)}, below, from);
  };
  if (const std::size_t equals = text.find('='); equals != std::string_view::npos)
    read(text.substr(equals + 1));
  if (const std::size_t label = text.find('#'); label != std::string_view::npos) read(text.substr(0, label));
}

}  // namespace policy::command
