// Patterns of a shell among the words of a command, and links that stand where they lead.

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "policy/command/runs.hpp"
#include "policy/path/components.hpp"
#include "policy/path/path.hpp"
#include "policy/path/tree.hpp"

namespace policy::command {

namespace {

constexpr std::size_t glob_entries_max = 10'000;
constexpr std::size_t linked_max = 100;  // each is an effect

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

// Links that the names of a pattern stand for now, met on the way down.
class LinksMet {
 public:
  explicit LinksMet(const Links& links) : links_(links) {}

  // False: not known, or too many.
  bool follow(const std::string& directory, std::span<const NameGlob> names) {
    std::vector<std::pair<std::string, std::size_t>>
        folders;  // that a link leads to, and how many names are left
    const auto keep = [&](const Links::Entry& entry, const std::string& path, std::size_t more) {
      if (entry.kind == Links::Kind::link) found_.emplace_back(path, more > 0);
      const auto real =
          entry.kind == Links::Kind::link && more > 0 ? real_path(path, "/", links_) : std::nullopt;
      if (real && links_.is_directory(*real)) folders.emplace_back(*real, more);
      return entry.kind == Links::Kind::directory;
    };
    if (!each_match(links_, directory, names, left_, keep)) return false;
    for (const auto& [folder, more] : folders)
      if (!follow(folder, names.last(more))) return false;
    return true;
  }
  bool listed() const { return left_ < glob_entries_max; }
  // Each with whether names stand below it.
  const std::vector<std::pair<std::string, bool>>& found() const { return found_; }

 private:
  const Links& links_;
  std::size_t left_ = glob_entries_max;
  std::vector<std::pair<std::string, bool>> found_;
};

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

// Not what matches now alone: names may come before it runs. But links are followed as they are now.
void Runs::glob(const Roles& roles, const Argument& word, bool recursive, const Place& place) {
  Globbed globbed = take_apart(word.text);
  if (word.text.find("..") != std::string::npos)
    for (const EffectKind kind : kinds_of(roles))
      not_known(kind, "a pattern that may lead upwards: " + word.text, place);
  const std::size_t first = list_.effects().size();
  Place from = place;
  // Of a folder that is found all below it, whatever its name.
  if (recursive) from.kept.clear();
  from.visible = false;  // what is named counts
  path(roles, {Argument::Sort::known, globbed.directory}, true, from);
  for (Effect& effect : list_.since(first)) effect.reach.follows = true;
  if (place.found || (globbed.names.empty() && place.directory_known))
    return linked_below(roles, globbed.directory, from);
  if (!place.directory_known || list_.full()) return;
  const auto real = real_path(globbed.directory, place.directory, *list_.scene().links);
  if (!real) return;
  LinksMet met(*list_.scene().links);
  // Where nothing can be listed nothing is known of links either: a shell could not list it.
  if (!met.follow(*real, globbed.names) && met.listed()) return;
  for (Effect& effect : list_.since(first)) {
    if (recursive) break;
    effect.reach.recursive = false;
    effect.reach.names = globbed.names;
  }
  // What links lead to is reached as well; where one stands for a directory, with the names below it.
  for (const auto& [link, below] : met.found())
    path(roles, {Argument::Sort::known, link}, recursive || below, place);
}

// What links below the directory lead to, since a program that is given one follows it, and what is below it.
void Runs::linked_below(const Roles& roles, const std::string& directory, const Place& place) {
  const Links& links = *list_.scene().links;
  std::vector<std::string> waiting, found;
  std::set<std::string> seen;
  const auto enter = [&](const std::string& folder) {
    if (seen.insert(folder).second) waiting.push_back(folder);
  };
  const auto real = real_path(directory, place.directory, links);
  if (real) enter(*real);
  bool known = real.has_value();
  for (std::size_t left = tree_names_max; known && !waiting.empty();) {
    const std::string at = std::move(waiting.back());
    waiting.pop_back();
    const auto entries = links.entries(at, left);
    known = entries.has_value() || links.standing(at).kind == Links::Kind::file;
    if (!entries) continue;
    left -= entries->size();
    for (const Links::Entry& entry : *entries) {
      const std::string path = path_in(at, entry.name);
      const bool link = entry.kind == Links::Kind::link;
      const bool meant =
          place.kept.empty() || std::any_of(place.kept.begin(), place.kept.end(),
                                            [&](const NameGlob& name) { return name.matches(entry.name); });
      if (link && meant) found.push_back(path);
      const auto led = link ? real_path(path, "/", links) : std::nullopt;
      if (led && links.is_directory(*led)) enter(*led);
      if (entry.kind == Links::Kind::directory) enter(path);
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

}  // namespace policy::command
