#include "policy/command/options.hpp"

#include <algorithm>

namespace policy::command {

bool is_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

Options::Options(const Entry& entry, std::span<const shell::Argument> words) : entry_(entry), words_(words) {
  for (const Entry::With& with : entry_.with) {
    const bool given = std::any_of(words_.begin(), words_.end(), [&](const shell::Argument& word) {
      return word.known() && std::any_of(with.options.begin(), with.options.end(),
                                         [&](const std::string& option) { return gives(word.text, option); });
    });
    if (given) overlays_.push_back(with.entry.get());
  }
}

std::vector<const Entry*> Options::met(const std::set<std::string, std::less<>>& names) const {
  std::vector<const Entry*> met;
  for (const Entry* overlay : overlays_) {
    const auto with = std::find_if(entry_.with.begin(), entry_.with.end(),
                                   [&](const Entry::With& each) { return each.entry.get() == overlay; });
    if (std::any_of(with->options.begin(), with->options.end(), [&](const std::string& option) {
          return !option.starts_with('-') || names.contains(option) || find(option) == nullptr;
        }))
      met.push_back(overlay);
  }
  return met;
}

bool Options::gives(std::string_view word, std::string_view option) const {
  const std::string_view spelled = word.substr(0, word.find('='));
  if (entry_.style == Entry::Style::single || entry_.style == Entry::Style::find || !option.starts_with('-'))
    return spelled == option;
  if (option.starts_with("--"))
    return spelled.size() > 2 && spelled.starts_with("--") && option.starts_with(spelled);
  const bool bundle = entry_.first_is_bundle && !words_.empty() && words_.front().text == word;
  if (!bundle && (!is_option(word) || word.starts_with("--"))) return false;
  return word.find(option[1], bundle ? 0 : 1) != std::string_view::npos;
}

const Option* Options::find(std::string_view name) const {
  for (const Entry* overlay : overlays_)
    if (const auto found = overlay->options.find(name); found != overlay->options.end())
      return &found->second;
  const auto found = entry_.options.find(name);
  return found == entry_.options.end() ? nullptr : &found->second;
}

const Option* Options::find_long(std::string_view name) const {
  if (const Option* exact = find(name)) return exact;
  if (name.size() < 3) return nullptr;
  const Option* only = nullptr;
  for (auto it = entry_.options.lower_bound(name); it != entry_.options.end(); ++it) {
    if (!std::string_view(it->first).starts_with(name)) break;
    const Option* candidate = find(it->first);
    if (only != nullptr && !(*only == *candidate)) return nullptr;
    only = candidate;
  }
  return only;
}

std::string Options::name_of(const Option& option) const {
  for (const Entry* overlay : overlays_)
    for (const auto& [name, listed] : overlay->options)
      if (&listed == &option) return name;
  for (const auto& [name, listed] : entry_.options)
    if (&listed == &option) return name;
  return {};
}

bool Options::may(const Roles& roles) const {
  if (entry_.any_option && entry_.options.empty()) return false;
  return entry_.opaque || std::any_of(entry_.options.begin(), entry_.options.end(),
                                      [&](const auto& option) { return option.second.roles.any(roles); });
}

bool Options::has_plus() const {
  const auto first = entry_.options.lower_bound("+");
  return first != entry_.options.end() && first->first.starts_with('+');
}

}  // namespace policy::command
