// Paths and addresses among the words of a command.

#include <algorithm>
#include <array>
#include <set>

#include "policy/command/keep_first.hpp"
#include "policy/command/runs.hpp"
#include "policy/path/file_uri.hpp"
#include "policy/path/path.hpp"
#include "policy/path/tree.hpp"

namespace policy::command {

namespace {

std::vector<EffectKind> kinds_of(const Roles& roles) {
  std::vector<EffectKind> kinds;
  if (roles.has(Role::read) || roles.has(Role::script)) kinds.push_back(EffectKind::read);
  if (roles.has(Role::write)) kinds.push_back(EffectKind::write);
  if (roles.has(Role::remove)) kinds.push_back(EffectKind::remove);
  return kinds;
}

// Nothing is stored there, and nothing of anyone's read.
bool is_device(std::string_view path) {
  constexpr std::array<std::string_view, 8> devices{"/dev/null", "/dev/stdin",   "/dev/stdout", "/dev/stderr",
                                                    "/dev/zero", "/dev/urandom", "/dev/random", "/dev/tty"};
  if (std::find(devices.begin(), devices.end(), path) != devices.end()) return true;
  constexpr std::string_view descriptors = "/dev/fd/";
  return path.starts_with(descriptors) && path.size() > descriptors.size() &&
         path.find_first_not_of("0123456789", descriptors.size()) == std::string_view::npos;
}

constexpr std::size_t glob_entries_max = 10'000;
constexpr std::size_t linked_max = 100;  // each is an effect

}  // namespace

NameGlob name_glob(std::string_view component) {
  NameGlob name;
  name.hides_dots = !component.starts_with('.') && !component.starts_with('\\');
  for (std::size_t i = 0; i < component.size(); ++i) {
    const char c = component[i];
    if (c == '*' || c == '?') {
      name.glob.append(Glob(std::string_view(&c, 1)));
    } else if (c == '[') {
      // Where it ends, and what it holds, is not told apart: any name that begins like this.
      name.glob.append(Glob("*"));
      return name;
    } else {
      if (c == '\\' && i + 1 < component.size()) ++i;
      name.glob.append(Glob::literally(component.substr(i, 1)));
    }
  }
  return name;
}

Globbed take_apart(std::string_view pattern) {
  Globbed globbed;
  bool wild = false;
  bool deep = false;
  while (!pattern.empty()) {
    const std::size_t slash = std::min(pattern.find('/'), pattern.size());
    const NameGlob name = name_glob(pattern.substr(0, slash));
    const bool dots = name.glob.literal() && (name.glob.text() == ".." || name.glob.text() == ".");
    wild = wild || !name.glob.literal();
    deep = deep || (wild && (dots || pattern.substr(0, slash).find("**") != std::string_view::npos));
    if (wild && slash > 0) globbed.names.push_back(name);
    if (!wild) globbed.directory += name.glob.text() + (slash < pattern.size() ? "/" : "");
    pattern.remove_prefix(std::min(slash + 1, pattern.size()));
  }
  if (globbed.directory.empty()) globbed.directory = ".";
  if (deep) globbed.names.clear();
  return globbed;
}

namespace {

// Everything that the names stand for now, one below the other: `use` gets the entry, its path and how many
// names are left, and says whether to go on below it. False: not known, or too many.
template <class Use>
bool each_match(const Links& links, const std::string& directory, std::span<const NameGlob> names,
                std::size_t& left, Use use) {
  const auto entries = links.entries(directory, left);
  if (!entries) return false;
  left -= entries->size();
  for (const Links::Entry& entry : *entries) {
    if (!names.front().matches(entry.name)) continue;
    const std::string path = directory + (directory.ends_with('/') ? "" : "/") + entry.name;
    const bool below = use(entry, path, names.size() - 1);
    if (below && names.size() > 1 && !each_match(links, path, names.subspan(1), left, use)) return false;
  }
  return true;
}

std::string unescaped(std::string_view pattern) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
    text += pattern[i];
  }
  return text;
}

bool looks_like_file(std::string_view text) {
  constexpr std::array<std::string_view, 5> ends{".tgz", ".tar.gz", ".whl", ".zip", ".tar"};
  return text == "." || text == ".." || text.starts_with("./") || text.starts_with("../") ||
         text.starts_with('/') || text.starts_with('~') || text.starts_with("file:") ||
         std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return text.ends_with(end); });
}

bool starts_somewhere(std::string_view text) { return text.starts_with('/') || text.starts_with('~'); }

}  // namespace

void Runs::not_known(EffectKind kind, std::string note, const Place& place) {
  list_.add_opaque(kind, origin(place), std::move(note));
}

void Runs::path(Roles roles, const Argument& word, bool recursive, const Place& place) {
  const std::size_t first = list_.effects().size();
  add_path(roles, word, recursive, place);
  for (Effect& effect : list_.since(first)) {
    effect.reach.settled = effect.reach.settled || roles.has(Role::outputs);
    effect.reach.listing = effect.reach.listing || roles.has(Role::listed);
    if (roles.has(Role::tracked) && !place.revision) effect.reach.part = GitPart::tracked;
    if (roles.has(Role::added)) effect.reach.part = GitPart::added;
    effect.reach.settled = effect.reach.settled || place.found;
    if (!effect.reach.recursive) continue;
    if (effect.kind == EffectKind::write) effect.reach.sources = place.sources;
    if (effect.kind == EffectKind::read) effect.reach.without = place.dropped;
  }
  const bool given = place.by_names && word.sort == Argument::Sort::glob;
  if (!place.kept.empty() && !given) keep_names(first, place);
  if (place.visible) leave_hidden(first);
}

// Once for each pattern of the names that are kept.
void Runs::keep_names(std::size_t first, const Place& place) {
  std::vector<Effect> more;
  for (Effect& effect : list_.since(first)) {
    const bool folder = list_.scene().links->is_directory(effect.path.real);
    const bool rewritten = place.by_names && effect.reach.settled;
    if (effect.kind != EffectKind::read && !place.found && !rewritten) continue;
    if (!effect.reach.recursive || !folder) continue;
    const std::string_view own = base_name(effect.path.lexical);
    if (std::any_of(place.kept.begin(), place.kept.end(),
                    [&](const NameGlob& name) { return place.found && name.matches(own); }))
      continue;
    for (const NameGlob& name : place.kept) {
      effect.reach.recursive = false;
      effect.reach.names = {{Glob::deep()}, name};
      if (&name != &place.kept.back()) more.push_back(effect);
    }
  }
  for (Effect& effect : more) list_.add(std::move(effect));
}

void Runs::add_path(Roles roles, const Argument& word, bool recursive, const Place& place) {
  const std::vector<EffectKind> kinds = kinds_of(roles);
  const bool removes = roles.has(Role::remove);
  if (word.known() && !removes && is_device(word.text)) return;
  if (word.is("-") && !removes && !roles.has(Role::write)) return;
  if (word.sort == Argument::Sort::glob) return glob(roles, word, recursive, place);
  const std::string& text = word.text;
  if (!word.known()) {
    for (const EffectKind kind : kinds)
      not_known(kind, "a path that is not known before it runs: " + word.text, place);
    if (!word.start.empty())
      list_.add_path(kinds, word.start, place.directory, {origin_.argument, true}, true);
    return;
  }
  if (place.directory_known || starts_somewhere(text))
    return list_.add_path(kinds, text, place.directory, origin(place), recursive);
  for (const EffectKind kind : kinds)
    not_known(kind, "a path in a directory that is not known: " + text, place);
  list_.add_path(kinds, text, place.directory, {origin_.argument, true}, recursive);
}

// Not what matches now alone: names may come before it runs. But links are followed as they are now.
void Runs::glob(const Roles& roles, const Argument& word, bool recursive, const Place& place) {
  Globbed globbed = take_apart(word.text);
  if (word.text.find("..") != std::string::npos)
    for (const EffectKind kind : kinds_of(roles))
      not_known(kind, "a pattern that may lead upwards: " + word.text, place);
  const std::size_t first = list_.effects().size();
  const Links& links = *list_.scene().links;
  Place from = place;
  // Of a folder that is found all below it, whatever its name.
  if (recursive) from.kept.clear();
  from.visible = false;  // what is named counts
  path(roles, {Argument::Sort::known, globbed.directory}, true, from);
  if (place.found) return linked_below(roles, globbed.directory, from);
  if (recursive || globbed.names.empty() || !place.directory_known || list_.full()) return;
  // What links lead to is reached as well; where one stands for a directory, with the names below it.
  std::vector<std::pair<std::string, std::size_t>> found;
  const auto keep_links = [&](const Links::Entry& entry, const std::string& path, std::size_t more) {
    if (entry.kind == Links::Kind::link) found.emplace_back(path, more);
    return entry.kind == Links::Kind::directory;
  };
  std::size_t left = glob_entries_max;
  const auto real = real_path(globbed.directory, place.directory, links);
  if (!real) return;
  // Where nothing can be listed nothing is known of links either: a shell could not list it.
  if (!each_match(links, *real, globbed.names, left, keep_links) && left < glob_entries_max) return;
  for (Effect& effect : list_.since(first)) {
    effect.reach.recursive = false;
    effect.reach.names = globbed.names;
  }
  for (const auto& [link, below] : found) path(roles, {Argument::Sort::known, link}, below > 0, place);
}

// What links below the directory lead to, since a program that is given one follows it.
void Runs::linked_below(const Roles& roles, const std::string& directory, const Place& place) {
  const Links& links = *list_.scene().links;
  std::vector<std::string> waiting, found;
  const auto real = real_path(directory, place.directory, links);
  if (real) waiting.push_back(*real);
  bool known = real.has_value();
  for (std::size_t left = tree_names_max; known && !waiting.empty();) {
    const std::string at = std::move(waiting.back());
    waiting.pop_back();
    const auto entries = links.entries(at, left);
    known = entries.has_value();
    if (!known) break;
    left -= entries->size();
    for (const Links::Entry& entry : *entries) {
      const std::string path = at + (at.ends_with('/') ? "" : "/") + entry.name;
      const bool meant = place.kept.empty() || place.kept.front().matches(entry.name);
      if (entry.kind == Links::Kind::link && meant) found.push_back(path);
      if (entry.kind == Links::Kind::directory) waiting.push_back(path);
    }
  }
  if (!known || found.size() > linked_max)
    for (const EffectKind kind : kinds_of(roles)) not_known(kind, "what is found may be links", place);
  if (found.size() > linked_max) return;
  Place followed = place;
  followed.found = false;
  followed.kept.clear();
  for (const std::string& link : found) path(roles, {Argument::Sort::known, link}, true, followed);
}

void Runs::address(const Argument& word, const Place& place) {
  // `?` in an address means a glob to the shell, which finds no folder `https:`.
  if (word.sort == Argument::Sort::glob && word.start.find("://") != std::string::npos)
    return address({Argument::Sort::known, unescaped(word.text)}, place);
  if (!word.known())
    return not_known(EffectKind::connect, "an address that is not known before it runs: " + word.text, place);
  const bool whole = looks_like_url(word.text) || is_file_uri(cleaned_address(word.text));
  const std::size_t first = list_.effects().size();
  list_.add_url(whole ? word.text : "http://" + word.text, origin(place), place.request);
  if (!place.sent || !list_.reserve(place.sent->size(), list_.effects().size() - first)) return;
  for (Effect& effect : list_.since(first))
    if (effect.kind == EffectKind::connect) effect.content = place.sent;
}

// `HOST:PORT:ADDRESS,…`, `HOST:PORT:OTHER:PORT`, an address: any of them may be connected to.
void Runs::points(const Argument& word, const Place& place) {
  const Origin guess{origin_.argument, true};
  const std::string_view text = word.known() ? word.text : word.start;
  const bool whole = looks_like_url(text);
  list_.add_url((whole ? "" : "http://") + std::string(text), guess, place.request);
  std::size_t at = text.find(':');
  if (at != std::string_view::npos) at = text.find(':', at + 1);
  if (at == std::string_view::npos || whole) return;
  std::string_view rest = text.substr(at + 1);
  while (!rest.empty() && !list_.full()) {
    const std::string_view one = rest.substr(0, rest.find(','));
    list_.add_url("http://" + std::string(one), guess, place.request);
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
  }
}

// What a package manager installs: `name@1.2`, `@scope/name`, a folder, an archive, `git+https://…`,
// `user/repo`.
void Runs::package(const Argument& word, const Place& place, std::string& trouble) {
  if (!word.known()) return keep_first(trouble, "a package that is not known before it runs");
  std::string_view text = word.text;
  for (const std::string_view prefix : {"git+", "hg+", "svn+", "bzr+"})
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  if (const std::size_t at = text.find(" @ "); at != std::string_view::npos) text.remove_prefix(at + 3);
  if (looks_like_url(text)) return address({Argument::Sort::known, std::string(text)}, place);
  if (looks_like_file(text))
    return path({Role::read}, {Argument::Sort::known, std::string(text)}, true, place);
  const bool scoped = text.starts_with('@') && std::count(text.begin(), text.end(), '/') == 1;
  if (text.find_first_of("/:") != std::string_view::npos && !scoped)
    keep_first(trouble, "a package from a place that is not known");
  guess(word.text, place);
}

void Runs::host(const Argument& word, const Place& place) {
  if (!word.known())
    return not_known(EffectKind::connect, "a host that is not known before it runs: " + word.text, place);
  if (looks_like_url(word.text)) return list_.add_url(word.text, origin(place));
  if (word.text.starts_with('-'))
    return not_known(EffectKind::connect, "a host that looks like an option", place);
  list_.add_url("ssh://" + word.text.substr(word.text.rfind('@') + 1), origin(place));
}

// `git diff /dev/null /etc/passwd` compares files, wherever they are.
void Runs::outside(const Argument& word, const Place& place) {
  const Scene& scene = list_.scene();
  if (!word.known())
    return list_.guess_words(std::vector<std::string>{word.start}, place.directory, origin(place));
  const std::string workspace = real_path(scene.workspace, "/", *scene.links).value_or(scene.workspace);
  const auto leads_out = [&](const PathReading& reading) {
    return !same_or_below(reading.path.lexical, scene.workspace) ||
           !same_or_below(reading.path.real, workspace);
  };
  const std::vector<PathReading> readings = read_path(word.text, place.directory, scene);
  if (std::any_of(readings.begin(), readings.end(), leads_out)) return path({Role::read}, word, true, place);
  list_.guess_words(std::vector<std::string>{word.text}, place.directory, origin(place));
}

// As scp, rsync and git read it: a colon before any slash ends a host.
void Runs::remote(Roles roles, const Argument& word, bool recursive, const Place& place) {
  const std::string& text = word.known() ? word.text : word.start;
  if (word.known() && looks_like_url(text)) return address(word, place);
  const std::size_t colon = text.find(':');
  const bool elsewhere = colon != std::string::npos && colon > 0 && text.find('/') > colon;
  if (!elsewhere && !word.known()) {
    not_known(EffectKind::connect, "a host or a path that is not known before it runs: " + word.text, place);
    return path(roles, word, recursive, place);
  }
  if (!elsewhere) return path(roles, word, recursive, place);
  host({Argument::Sort::known, text.substr(0, colon)}, place);
}

// Written into the directory: what the last of the names stands for, without any whatever there is.
void Runs::copied_below(const std::string& directory, const Globbed& sources, const Place& place,
                        const Origin& from) {
  const std::size_t first = list_.effects().size();
  constexpr std::array write{EffectKind::write};
  list_.add_path(write, directory, place.directory, from, sources.names.empty());
  if (sources.names.empty()) return;
  const Links& links = *list_.scene().links;
  std::set<std::string> now;
  std::size_t left = glob_entries_max;
  const auto real = real_path(sources.directory, place.directory, links);
  const auto keep_last = [&](const Links::Entry& entry, const std::string&, std::size_t more) {
    if (more == 0) now.insert(entry.name);
    return true;
  };
  const bool known = real && each_match(links, *real, sources.names, left, keep_last);
  for (Effect& effect : list_.since(first)) {
    effect.reach.names = {sources.names.back()};
    effect.reach.copied = known;
  }
  if (!known) return;
  for (const std::string& name : now) list_.add_path(write, directory + '/' + name, place.directory, from);
}

// A directory as destination means a name inside it.
void Runs::destinations(const SortedWords& sorted, bool below, const Place& place) {
  if (sorted.operands.size() < 2 || !sorted.operands.back().word.known() || !place.directory_known) return;
  const std::string& last = sorted.operands.back().word.text;
  const auto real = real_path(last, place.directory, *list_.scene().links);
  const bool inside = real && list_.scene().links->is_directory(*real);
  const bool maybe = sorted.operands.back().roles.has(Role::tree);
  if (maybe && looks_like_url(last)) return;
  constexpr std::array write{EffectKind::write};
  for (std::size_t i = 0; i + 1 < sorted.operands.size(); ++i) {
    const Argument& source = sorted.operands[i].word;
    const Origin from{origin_.argument, origin_.guessed || place.guessed || maybe || !inside};
    if (source.sort == Argument::Sort::glob) {
      copied_below(last, take_apart(source.text), place, from);
      continue;
    }
    if (!source.known() || base_name(source.text).empty()) continue;
    const std::size_t first = list_.effects().size();
    list_.add_path(write, last + '/' + std::string(base_name(source.text)), place.directory, from, below);
    if (i >= place.sources.size()) continue;
    for (Effect& effect : list_.since(first))
      if (effect.reach.recursive) effect.reach.sources = {place.sources[i]};
  }
}

// Where what a link leads to is looked for: the folder that it is made in.
Place Runs::beside_link(const SortedWords& sorted, const Place& place) const {
  Place beside = place;
  const Argument& made = sorted.operands.back().word;
  if (sorted.operands.size() < 2) return beside;  // in the working directory
  beside.directory_known = place.directory_known && made.known();
  if (!beside.directory_known) return beside;
  const auto real = real_path(made.text, place.directory, *list_.scene().links);
  const bool inside = real && list_.scene().links->is_directory(*real);
  beside.directory = fold_path(inside ? made.text : made.text + "/..", place.directory);
  return beside;
}

// Whether it may be a directory now.
bool Runs::is_whole(const Argument& word, const Place& place) const {
  if (!word.known() || word.text.ends_with('/') || !place.directory_known) return true;
  const Links& links = *list_.scene().links;
  const auto real = real_path(word.text, place.directory, links);
  return !real || links.is_directory(*real);
}

}  // namespace policy::command
