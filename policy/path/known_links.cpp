#include "policy/path/known_links.hpp"

#include <utility>

namespace policy {

namespace {

std::string_view folder_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return path.substr(0, slash == std::string_view::npos ? 0 : slash);
}

}  // namespace

KnownLinks::Known* KnownLinks::of(std::string_view path) const {
  if (const auto found = known_.find(path); found != known_.end()) return &found->second;
  return known_.size() < known_links_max ? &known_[std::string(path)] : nullptr;
}

Links::Standing KnownLinks::standing(const std::string& path) const {
  Known* known = of(path);
  if (known == nullptr) return links_.standing(path);
  if (!known->standing) known->standing = links_.standing(path);
  return *known->standing;
}

std::optional<std::string> KnownLinks::target(const std::string& path) const {
  Known* known = of(path);
  if (known != nullptr && known->target) return *known->target;
  std::optional<std::string> target;
  if ((known == nullptr || !known->plain) && !no_link(path) && standing(path).kind == Kind::link)
    target = links_.target(path);
  met_link_ = met_link_ || target.has_value();
  if (known != nullptr) known->target = target;
  return target;
}

std::optional<std::vector<Links::Entry>> KnownLinks::entries(const std::string& directory,
                                                             std::size_t most) const {
  auto told = lists_.find(directory);
  if (told == lists_.end() || !told->second.tells(most)) {
    auto entries = links_.entries(directory, most);
    if (told == lists_.end() && lists_.size() >= known_links_max) return entries;
    told = lists_.insert_or_assign(directory, Told<std::vector<Entry>>{std::move(entries), most}).first;
  }
  const auto& entries = told->second.answer;
  return entries && entries->size() <= most ? entries : std::nullopt;
}

std::optional<std::string> KnownLinks::text(const std::string& path, std::size_t most) const {
  auto told = texts_.find(path);
  if (told == texts_.end() || !told->second.tells(most)) {
    auto text = links_.text(path, most);
    const bool keep = (!text || text->size() <= known_text_max) && texts_.size() < known_links_max;
    if (!keep) return text;
    told = texts_.insert_or_assign(path, Told<std::string>{std::move(text), most}).first;
  }
  const auto& text = told->second.answer;
  return text && text->size() <= most ? text : std::nullopt;
}

// Of what is known to be no directory its folder tells.
bool KnownLinks::folds_case(const std::string& path) const {
  Known* known = of(path);
  if (known == nullptr) return links_.folds_case(path);
  if (!known->folds) {
    const std::string_view folder = folder_name(path);
    const bool inside = known->standing && known->standing->kind != Kind::directory && !folder.empty();
    known->folds = inside ? folds_case(std::string(folder)) : links_.folds_case(path);
  }
  return *known->folds;
}

// Paths often have their folder in common: what is known of it leaves one name to ask for.
bool KnownLinks::may_have_links(const std::string& path) const {
  if (met_link_) return true;
  if (in_plain_folder(path)) return target(path).has_value();
  if (links_.may_have_links(path)) {
    met_link_ = true;
    return true;
  }
  if (Known* known = of(path)) known->target.emplace();
  know_plain(folder_name(path));
  return false;
}

bool KnownLinks::in_plain_folder(std::string_view path) const {
  const auto folder = known_.find(folder_name(path));
  return folder != known_.end() && folder->second.plain;
}

void KnownLinks::know_plain(std::string_view path) const {
  for (;; path = folder_name(path)) {
    Known* folder = of(path);
    if (folder == nullptr || folder->plain) return;
    folder->plain = true;
    if (path.empty()) return;
  }
}

// Many rules that begin in one folder ask for each name in it.
bool KnownLinks::no_link(std::string_view path) const {
  if (path.find('/') == std::string_view::npos) return false;
  const std::string_view name = folder_name(path);
  Known* folder = of(name);
  if (folder == nullptr) return false;
  if (++folder->asked == listed_after) {
    const auto entries = this->entries(name.empty() ? "/" : std::string(name), listed_entries_max);
    if (!entries) return false;
    auto links = std::make_shared<std::unordered_set<std::string>>();
    for (const Entry& entry : *entries)
      if (entry.kind == Kind::link) links->insert(entry.name);
    folder->links = std::move(links);
  }
  return folder->links && !folder->links->contains(std::string(path.substr(name.size() + 1)));
}

}  // namespace policy
