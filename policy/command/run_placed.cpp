// What a program puts elsewhere that may be links: trees that it copies or moves, links that it makes, what
// an archive or a commit holds.

#include <algorithm>

#include "policy/command/run_program.hpp"
#include "policy/path/components.hpp"
#include "policy/path/path.hpp"

namespace policy::command {

namespace {

bool any_with(const std::vector<Meaning>& list, const Roles& roles) {
  return std::any_of(list.begin(), list.end(), [&](const Meaning& each) { return roles.within(each.roles); });
}

// Absolute, links in it as they are.
std::string place_of(const Argument& word, const Place& place) {
  return fold_path(word.text, place.directory);
}

}  // namespace

void Runs::note_placed(const Program& program, std::size_t first) {
  const SortedWords& sorted = program.sorted;
  const Place& work = program.work;
  if (work.guessed || origin_.guessed) return;
  std::vector<Placed> found = brought(sorted, work);
  if (sorted.entry->last.has(Role::write)) {
    const bool links = any_with(sorted.operands, {Role::target});
    const bool copies = sorted.recursive || any_with(sorted.operands, {Role::whole}) ||
                        any_with(sorted.operands, {Role::read, Role::write});
    if (links || copies) copied(sorted, work, links, found);
  }
  for (Placed& each : found) {
    each.first = first;
    each.last = list_.effects().size();
    list_.placed().push_back(std::move(each));
  }
}

// What the words do not tell, of archives and commits.
std::vector<Placed> Runs::brought(const SortedWords& sorted, const Place& work) {
  std::vector<Placed> found;
  bool brings = sorted.here.has(Role::brings);
  for (const auto* list : {&sorted.options, &sorted.operands})
    for (const Meaning& each : *list) {
      if (!each.roles.has(Role::brings)) continue;
      if (each.roles.has(Role::below) && each.word.known() && work.directory_known) {
        found.push_back({place_of(each.word, work), false, true});
      } else {
        brings = true;
      }
    }
  if (!brings || !found.empty()) return found;
  std::vector<std::string> tops;
  if (sorted.entry->own_repository) tops = worktree_tops(work);
  if (tops.empty()) tops.push_back(work.directory_known ? fold_path(work.directory, "/") : "/");
  for (std::string& top : tops) found.push_back({std::move(top), false, true});
  return found;
}

void Runs::copied(const SortedWords& sorted, const Place& work, bool links,
                  std::vector<Placed>& found) const {
  std::vector<const Argument*> sources;
  for (const Meaning& each : sorted.operands) sources.push_back(&each.word);
  const Argument* target = nullptr;
  for (const Meaning& each : sorted.options)
    if (each.roles.has(Role::write) && each.roles.has(Role::below)) target = &each.word;
  bool into = target != nullptr;
  if (target == nullptr && sources.size() > 1) {
    target = sources.back();
    sources.pop_back();
  }
  const Argument here{Argument::Sort::known, "."};
  if (target == nullptr) target = &here;
  if (!target->known() || !work.directory_known) return found.push_back({"/", false, true});
  const std::string path = place_of(*target, work);
  const auto real = real_path(path, "/", *list_.scene().links);
  into = into || sources.size() > 1 || (real && list_.scene().links->is_directory(*real));
  for (const Argument* source : sources) {
    const std::string_view name = base_name(source->text);
    const bool named = source->known() && !name.empty() && name != "." && name != "..";
    Placed placed{path, !into, links || !source->known()};
    if (into && named) placed = {path_in(path, name), true, links};
    // What a link that is made leads to is judged itself.
    if (links) placed.itself = false;
    if (source->known()) {
      placed.sources.push_back(place_of(*source, work));
    } else if (source->sort == Argument::Sort::glob) {
      placed.any = links;
      placed.sources.push_back(fold_path(take_apart(source->text).directory, work.directory));
    }
    found.push_back(std::move(placed));
  }
}

}  // namespace policy::command
