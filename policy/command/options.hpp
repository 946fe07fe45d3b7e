#pragma once
// The options of one entry, with those of the overlays (`with`) that hold for the words of a command.

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/command/entry.hpp"
#include "policy/shell/argument.hpp"

namespace policy::command {

bool is_option(std::string_view word);

// Borrows the entry and the words.
class Options {
 public:
  // Overlays hold wherever a word may hold their option. Also behind `--`, which may be a value.
  Options(const Entry& entry, std::span<const shell::Argument> words);

  const std::vector<const Entry*>& overlays() const { return overlays_; }
  void choose(std::vector<const Entry*> overlays) { overlays_ = std::move(overlays); }
  // Of the overlays those one of whose options is among these names, or is listed nowhere.
  std::vector<const Entry*> met(const std::set<std::string, std::less<>>& names) const;

  const Option* find(std::string_view name) const;
  // By any beginning that all its completions agree on.
  const Option* find_long(std::string_view name) const;
  std::string name_of(const Option& option) const;
  // Whether some option that may stand here does what these roles say.
  bool may(const Roles& roles) const;
  // `+x`, where the program has any.
  bool has_plus() const;

 private:
  bool gives(std::string_view word, std::string_view option) const;

  const Entry& entry_;
  const std::span<const shell::Argument> words_;
  std::vector<const Entry*> overlays_;
};

}  // namespace policy::command
