#pragma once
// Sorts the words of one command (sorted_words.hpp). Inner to it.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policy/command/sorted_words.hpp"

namespace policy::command {

inline constexpr const char* may_be_option = "a word that may be an option";

inline bool is_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

class Sorter {
 public:
  Sorter(const Entry& entry, std::span<const Argument> words, const FindSubcommand& find)
      : entry_(&entry), words_(words), find_(find) {
    sorted_.entry = &entry;
  }
  SortedWords sort();

 private:
  using Listed = std::pair<const std::string, Option>;  // by its name

  // sorted_words.cpp
  SortedWords sort_once();
  bool is_plus_option(std::string_view word) const;
  void trouble(std::string why);
  void end_options() { ended_ = true; }
  void choose_overlays();
  void confirm_overlays();
  const std::vector<Roles>& operand_roles() const;
  Roles role_at(std::size_t place) const;
  void operand(const Argument& word);
  void subcommand(const Argument& word);
  void command_until_end(Argument first);
  void name_operands();

  // sorted_options.cpp
  bool gives(std::string_view word, std::string_view option) const;
  const Listed* find(std::string_view name) const;
  const Listed* find_long(std::string_view name) const;
  bool options_may(const Roles& roles) const;
  void not_known(const Argument& word);
  void unlisted(const Argument& word);
  void meaning(const Listed& listed, Argument value);
  void meaning_of_next(const Listed& option);
  void option(const Argument& word);
  static bool find_expression(std::string_view text);
  void may_be_listed(const Argument& word, std::string_view name);
  void letters(const Argument& word, std::string_view letters);
  void bundle(std::string_view letters);

  const Entry* entry_;
  std::span<const Argument> words_;
  const FindSubcommand& find_;
  std::vector<const Entry*> overlays_;
  std::vector<const Entry*> confirmed_;  // overlays whose option was met
  std::vector<std::string_view> met_;    // options, as listed
  SortedWords sorted_;
  std::size_t at_ = 0;
  bool ended_ = false;
  bool skips_ = false;
  bool in_expression_ = false;
  bool done_ = false;
};

}  // namespace policy::command
