#include "policy/path/recalled.hpp"

#include <algorithm>
#include <utility>

namespace policy {
namespace {

std::string_view folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return path.substr(0, slash == std::string_view::npos ? 0 : slash);
}

template <class Answer>
base::ByText<Answer> by_path(Seen::Answers<Answer>& answers) {
  base::ByText<Answer> map;
  for (auto& [path, answer] : answers) map.emplace(std::move(path), std::move(answer));
  return map;
}

}  // namespace

Recalled::Recalled(Seen seen, const Links& today, AskToday ask)
    : today_(today),
      ask_(ask),
      whole_(seen.whole),
      standing_(by_path(seen.standing)),
      targets_(by_path(seen.targets)),
      folds_(by_path(seen.folds)),
      lists_(by_path(seen.lists)),
      texts_(by_path(seen.texts)) {
  plain_.emplace("", true);
  for (std::string_view path : seen.plain)
    for (; !path.empty() && plain_.emplace(path, true).second; path = folder_of(path)) {
    }
}

bool Recalled::miss(const std::string& path) const {
  if (!missing_) missing_ = path;
  return ask_ == AskToday::all;
}

// As the list of its folder says it; of a file the hard links are not known.
std::optional<Links::Standing> Recalled::listed(std::string_view path) const {
  const std::string_view folder = folder_of(path);
  const auto list = lists_.find(folder.empty() ? std::string_view("/") : folder);
  if (list == lists_.end() || !list->second.entries || path.size() <= folder.size() + 1) return std::nullopt;
  const auto& entries = *list->second.entries;
  const std::string_view name = path.substr(folder.size() + 1);
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& each) { return each.name == name; });
  return found == entries.end() ? Standing() : Standing{found->kind};
}

bool Recalled::is_no_link(std::string_view path) const {
  if (plain_.contains(path)) return true;
  if (const auto known = standing_.find(path); known != standing_.end())
    return known->second.kind != Kind::link;
  const auto standing = listed(path);
  return standing && standing->kind != Kind::link;
}

std::optional<std::string> Recalled::target(const std::string& path) const {
  if (const auto known = targets_.find(path); known != targets_.end()) return known->second;
  if (is_no_link(path)) return std::nullopt;
  const auto known = standing_.find(path);
  if (known != standing_.end() && whole_) return std::nullopt;  // it was gone when it was read
  return miss(path) ? today_.target(path) : std::nullopt;
}

bool Recalled::may_have_links(const std::string& path) const {
  return !plain_.contains(path) && !(plain_.contains(folder_of(path)) && is_no_link(path));
}

Links::Standing Recalled::standing(const std::string& path) const {
  if (const auto known = standing_.find(path); known != standing_.end()) return known->second;
  const auto standing = listed(path);
  if (standing && standing->kind != Kind::file) return *standing;
  return miss(path) ? today_.standing(path) : Standing();
}

std::optional<std::vector<Links::Entry>> Recalled::entries(const std::string& directory,
                                                           std::size_t most) const {
  const auto known = lists_.find(directory);
  if (known != lists_.end() && known->second.entries)
    return known->second.entries->size() <= most ? known->second.entries : std::nullopt;
  if (known != lists_.end() && most <= known->second.most) return std::nullopt;
  return miss(directory) ? today_.entries(directory, most) : std::nullopt;
}

std::optional<std::string> Recalled::text(const std::string& path, std::size_t most) const {
  const auto known = texts_.find(path);
  if (known == texts_.end()) return miss(path) ? today_.text(path, most) : std::nullopt;
  const Seen::Text& text = known->second;
  switch (text.part) {
    case Seen::Part::bytes: return text.bytes.size() <= most ? std::optional(text.bytes) : std::nullopt;
    case Seen::Part::none:
      if (most <= text.size) return std::nullopt;
      return miss(path) ? today_.text(path, most) : std::nullopt;
    case Seen::Part::digest: break;
  }
  if (text.size > most) return std::nullopt;
  auto now = ask_ == AskToday::nothing ? std::nullopt : today_.text(path, text.size);
  if (now && base::sha256(*now) == text.digest) return now;
  return miss(path) ? today_.text(path, most) : std::nullopt;
}

bool Recalled::folds_case(const std::string& path) const {
  if (const auto known = folds_.find(path); known != folds_.end()) return known->second;
  return miss(path) && today_.folds_case(path);
}

}  // namespace policy
