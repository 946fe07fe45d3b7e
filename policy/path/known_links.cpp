#include "policy/path/known_links.hpp"

namespace policy {

namespace {

std::string_view folder_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return path.substr(0, slash == std::string_view::npos ? 0 : slash);
}

template <class Value, class Ask>
Value known_or(base::ByText<Value>& known, const std::string& path, Ask ask) {
  if (const auto found = known.find(path); found != known.end()) return found->second;
  Value answer = ask();
  if (known.size() < known_links_max) known.emplace(path, answer);
  return answer;
}

}  // namespace

std::optional<std::string> KnownLinks::target(const std::string& path) const {
  if (const auto folder = folders_.find(path); folder != folders_.end() && folder->second.plain)
    return std::nullopt;
  return known_or(known_, path, [&]() -> std::optional<std::string> {
    if (no_link(path) || standing(path).kind != Kind::link) return std::nullopt;
    std::optional<std::string> target = links_.target(path);
    met_link_ = met_link_ || target.has_value();
    return target;
  });
}

Links::Standing KnownLinks::standing(const std::string& path) const {
  return known_or(standings_, path, [&] { return links_.standing(path); });
}

// Of what is known to be no directory its folder tells.
bool KnownLinks::folds_case(const std::string& path) const {
  return known_or(folding_, path, [&] {
    const auto known = standings_.find(path);
    const std::string folder(folder_name(path));
    if (known == standings_.end() || known->second.kind == Kind::directory || folder.empty())
      return links_.folds_case(path);
    return folds_case(folder);
  });
}

// Paths often have their folder in common: what is known of it leaves one name to ask for.
bool KnownLinks::may_have_links(const std::string& path) const {
  if (met_link_) return true;
  if (const auto folder = folders_.find(folder_name(path)); folder != folders_.end() && folder->second.plain)
    return target(path).has_value();
  if (links_.may_have_links(path)) {
    met_link_ = true;
    return true;
  }
  if (known_.size() < known_links_max) known_.emplace(path, std::nullopt);
  know_plain(folder_name(path));
  return false;
}

void KnownLinks::know_plain(std::string_view path) const {
  for (;; path = folder_name(path)) {
    Folder* folder = folder_of(path);
    if (folder == nullptr || folder->plain) return;
    folder->plain = true;
    if (path.empty()) return;
  }
}

KnownLinks::Folder* KnownLinks::folder_of(std::string_view path) const {
  if (const auto known = folders_.find(path); known != folders_.end()) return &known->second;
  return folders_.size() < known_links_max ? &folders_[std::string(path)] : nullptr;
}

// Many rules that begin in one folder ask for each name in it.
bool KnownLinks::no_link(std::string_view path) const {
  if (path.find('/') == std::string_view::npos) return false;
  const std::string_view name = folder_name(path);
  Folder* folder = folder_of(name);
  if (folder == nullptr) return false;
  if (++folder->asked == listed_after) {
    const auto entries = links_.entries(name.empty() ? "/" : std::string(name), listed_entries_max);
    if (!entries) return false;
    folder->links.emplace();
    for (const Entry& entry : *entries)
      if (entry.kind == Kind::link) folder->links->insert(entry.name);
  }
  return folder->links && !folder->links->contains(std::string(path.substr(name.size() + 1)));
}

}  // namespace policy
