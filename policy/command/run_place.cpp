// Where a command works, and under what the command inside it runs.

#include <algorithm>
#include <array>

#include "policy/command/keep_first.hpp"
#include "policy/command/runs.hpp"
#include "policy/path/components.hpp"
#include "policy/path/hidden.hpp"
#include "policy/path/path.hpp"
#include "policy/path/submodules.hpp"
#include "policy/path/worktree.hpp"

namespace policy::command {

bool Runs::elsewhere(const Entry& entry, const Place& place) const {
  if (!entry.own_directory && !entry.own_repository) return false;
  if (!place.directory_known) return true;
  if (!entry.own_repository) return list_.outside(place.directory);
  // In the workspace's own repository git does what it does there: one that lies in the workspace need not be
  // it.
  return list_.away(place.directory) && !list_.worktrees().same(place.directory, list_.scene().workspace);
}

// Whether git may start itself in a repository that is not the worktree's own.
std::string Runs::other_repository(const SortedWords& sorted, const Place& place) {
  const bool asked = std::any_of(sorted.options.begin(), sorted.options.end(), [](const Meaning& each) {
    return each.option == "--submodule" || each.option == "--recurse-submodules";
  });
  if (!place.directory_known || (!sorted.entry->visits_submodules && !asked)) return {};
  const Links& links = *list_.scene().links;
  const auto& worktree = list_.worktrees().of(place.directory);
  if (!worktree) return {};
  constexpr const char* trouble = "a submodule whose repository is not kept in the worktree's own";
  const auto [enters, fresh] = enters_others_.try_emplace(worktree->git);
  if (fresh) enters->second = may_enter_other_repository(*worktree, links);
  if (enters->second) return trouble;
  for (const Meaning& each : sorted.operands) {
    const auto real = each.word.known() ? real_path(each.word.text, place.directory, links) : std::nullopt;
    if (real && *real != worktree->top && links.is_directory(*real) &&
        links.standing(path_in(*real, ".git")).kind == Links::Kind::directory)
      return "another repository becomes a submodule";
  }
  return {};
}

Place Runs::inside(const Entry& entry, bool transparent, std::span<const Argument> outer, const Place& place,
                   bool whole) const {
  Place inner = place;
  ++inner.depth;
  inner.input = {};
  inner.parameters.reset();
  inner.elevated = place.elevated || entry.elevates;
  const bool known =
      std::all_of(outer.begin(), outer.end(), [](const Argument& word) { return word.known(); });
  if (transparent && known) inner.wrapped_in.push_back({known_texts(outer), whole});
  if (!transparent) inner.inner = true;
  if (!transparent) inner.wrapped_in.clear();
  return inner;
}

// Where its options make it work.
void Runs::work_there(const SortedWords& sorted, Place& work, std::string& trouble) const {
  const Entry& entry = *sorted.entry;
  bool moved = false;
  for (const Meaning& each : sorted.options) {
    if (!each.roles.has(Role::directory)) continue;
    const bool whole = each.word.known() && each.word.text.starts_with('/');
    if (!each.word.known()) keep_first(trouble, "a directory that is not known before it runs");
    if (entry.operands_moved && (!sorted.operands.empty() && sorted.operands.front().at < each.at))
      keep_first(trouble, "a directory that holds for some of the operands alone");
    // From the one before, or from where it started: programs differ.
    if (moved && !whole && !entry.operands_moved) keep_first(trouble, "a directory that starts from another");
    moved = true;
    work.directory_known = each.word.known() && (work.directory_known || whole);
    if (each.word.known()) work.directory = whole ? each.word.text : work.directory + '/' + each.word.text;
  }
}

// What is said of the names below its operands.
void Runs::narrow(const SortedWords& sorted, Place& work) const {
  work.sources.clear();
  work.dropped.clear();
  work.by_names = work.visible = false;
  if (work.found) return;  // its names are known
  work.kept.clear();
  const auto leaves = [](const Meaning& each) { return each.roles.has(Role::visible); };
  work.visible =
      leaves({sorted.here, {}}) || std::any_of(sorted.operands.begin(), sorted.operands.end(), leaves);
  bool keeps_more = false;
  for (const Meaning& each : sorted.options) {
    std::string text = each.word.text;
    // What a shell makes of `--include=*.c` matches the same pattern.
    const bool glued = each.word.sort == Argument::Sort::glob && text.starts_with(each.option + '=');
    if (glued) text.erase(0, each.option.size() + 1);
    keeps_more = keeps_more || each.roles.has(Role::keeps_more);
    if (each.roles.has(Role::shows) && !(each.word.known() && text.starts_with('!'))) work.visible = false;
    if (each.roles.has(Role::kept)) {
      keeps_more = keeps_more || (!each.word.known() && !glued) || text.find('/') != std::string::npos;
      work.kept.push_back(name_glob(text));
      work.kept.back().hides_dots = false;
    }
    if (each.roles.has(Role::dropped) && each.word.known() &&
        text.find_first_of("*?[\\/") == std::string::npos)
      work.dropped.push_back(text);
  }
  if (keeps_more) work.kept.clear();
  if (!sorted.entry->last.has(Role::write) || !work.directory_known) return;
  for (std::size_t i = 0; i + 1 < sorted.operands.size(); ++i) {
    const Argument& source = sorted.operands[i].word;
    const auto real =
        source.known() ? real_path(source.text, work.directory, *list_.scene().links) : std::nullopt;
    if (!real) return work.sources.clear();
    work.sources.push_back(*real);
  }
}

// Of a directory that is read.
void Runs::leave_hidden(std::size_t first) {
  const Scene& scene = list_.scene();
  for (Effect& effect : list_.since(first)) {
    const std::string& directory = effect.path.real;
    if (effect.kind != EffectKind::read || !effect.reach.recursive || !scene.links->is_directory(directory))
      continue;
    auto known = leaves_hidden_.find(directory);
    if (known == leaves_hidden_.end() && leaves_hidden_.size() < hidden_looks_max)
      known = leaves_hidden_.emplace(directory, leaves_hidden(directory, scene.home, *scene.links)).first;
    if (known == leaves_hidden_.end() || !known->second) continue;
    effect.reach.recursive = false;
    effect.reach.names = names_but_hidden();
  }
}

// Where the program looks at files of some names only.
std::optional<Place> Runs::looks_at(const SortedWords& sorted, const Place& work) const {
  const bool more = std::any_of(sorted.options.begin(), sorted.options.end(),
                                [](const Meaning& each) { return each.roles.has(Role::keeps_more); });
  if (sorted.entry->names.empty() || more || work.found || !work.kept.empty()) return std::nullopt;
  Place named = work;
  named.kept = sorted.entry->names;
  named.by_names = true;
  return named;
}

// What an allow must know of it beside its first words, and need not.
void Runs::allowed_as(Effect& run, const SortedWords& sorted) const {
  Command& command = run.command;
  for (const Meaning& each : sorted.options)
    if (each.roles.has(Role::spelled)) command.spelled.push_back(sorted.start + each.at);
  if (!command.unknown.empty() || !command.spelled.empty()) return;
  const std::vector<std::string>& words = command.words;
  // They stand before all others. So does the directory, which changes nothing where the repository is the
  // same.
  const bool moves = sorted.entry->own_repository && !command.elsewhere;
  std::size_t first = 1;  // that an allow must know
  for (const Meaning& each : sorted.options) {
    const std::size_t left = words.size() - std::min(first, words.size());
    const bool idle = each.roles.has(Role::idle) && left > 0 && words[first] == each.word.text;
    const bool moved = moves && each.roles.has(Role::directory) && left > 1 && words[first] == each.option &&
                       words[first + 1] == each.word.text;
    if (!idle && !moved) break;
    first += idle ? 1 : 2;
  }
  if (first == 1) return;
  Wrapping shorter{{words.front()}, false};
  shorter.words.insert(shorter.words.end(), words.begin() + static_cast<std::ptrdiff_t>(first), words.end());
  command.wrapped_in.push_back(std::move(shorter));
}

namespace {

// Whether the program does things with paths, and nothing else, to its operands.
bool works_on_paths(const Entry* entry) {
  const Roles known{Role::text,   Role::read, Role::write,    Role::remove, Role::below,  Role::whole,
                    Role::listed, Role::sed,  Role::stripped, Role::awk,    Role::outputs};
  if (entry == nullptr || entry->subcommands || entry->opaque || entry->appends) return false;
  return std::all_of(entry->operands.begin(), entry->operands.end(),
                     [&](const Roles& roles) { return roles.within(known); });
}

}  // namespace

// `find DIR -name N -exec COMMAND {} +`: the command runs on what is there of that name, at any depth.
std::string Runs::run_on_found(const SortedWords& sorted, std::span<const Argument> words, std::size_t number,
                               const Place& place) {
  const std::vector<Argument>& command = sorted.commands[number];
  Place inner = inside(*sorted.entry, false, {}, place, false);
  inner.inner = place.inner;  // an allow must know it
  inner.found = true;
  inner.kept.clear();
  constexpr std::array<std::string_view, 7> logic{"-o", "-or", "-not", "!", ",", "(", ")"};
  const bool all = std::any_of(words.begin(), words.end(), [&](const Argument& word) {
    return std::any_of(logic.begin(), logic.end(), [&](std::string_view one) { return word.is(one); });
  });
  for (const Meaning& each : sorted.options) {
    // Where it stands behind the command, it comes too late.
    if (each.option != "-name" || !each.word.known() || all || each.at >= sorted.on_found.at(number))
      continue;
    inner.kept = {name_glob(each.word.text)};
    inner.kept.back().hides_dots = false;
  }
  std::vector<Argument> starts;
  for (const Meaning& each : sorted.operands) {
    const bool plain = each.word.known() && !each.word.text.empty() && !each.word.text.starts_with('-') &&
                       each.word.text.find_first_of("*?[\\") == std::string::npos;
    if (!plain || !place.directory_known) return run_on_any(command, *sorted.entry, place);
    starts.push_back({Argument::Sort::glob, each.word.text, each.word.text});
  }
  if (starts.empty()) starts.push_back({Argument::Sort::glob, ".", "."});
  const std::string program(command.empty() || !command.front().known() ? "" : command.front().text);
  if (!trusted_program(program) || !works_on_paths(list_.catalogue().command(base_name(program))) ||
      !place.directory_known)
    return run_on_any(command, *sorted.entry, place);
  std::vector<Argument> run;
  for (const Argument& word : command)
    if (word.is("{}")) {
      run.insert(run.end(), starts.begin(), starts.end());
    } else {
      run.push_back(word);
    }
  return argv(run, inner);
}

// What is found is not known to the command: its other words count all the same.
std::string Runs::run_on_any(std::vector<Argument> command, const Entry& entry, const Place& place) {
  for (Argument& word : command)
    if (word.is("{}")) word = {Argument::Sort::unknown, "{}"};
  argv(command, inside(entry, false, {}, place, false));
  return "runs a command on what it finds";
}

}  // namespace policy::command
