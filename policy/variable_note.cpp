#include "policy/variable_note.hpp"

#include "proxy/base/text.hpp"

namespace policy {

namespace {

constexpr std::string_view before = "the variable ";
constexpr std::string_view after = " may change what runs";

}  // namespace

std::string variable_note(std::string_view variable) {
  return std::string(before) + base::quoted(variable) + std::string(after);
}

std::string variable_of(std::string_view note) {
  if (!note.starts_with(before) || !note.ends_with(after)) return {};
  note.remove_prefix(before.size());
  note.remove_suffix(after.size());
  return std::string(note);
}

}  // namespace policy
