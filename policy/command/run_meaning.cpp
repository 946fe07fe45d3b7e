// What one option or operand does, by its roles.

#include "policy/command/jq_program.hpp"
#include "policy/command/keep_first.hpp"
#include "policy/command/runs.hpp"
#include "policy/shell/builtin_words.hpp"

namespace policy::command {

namespace {

const Roles paths{Role::read, Role::write, Role::remove};
const Roles trees{Role::tree, Role::pathspec};

}  // namespace

void Runs::meaning(const Meaning& meaning, const Place& place, bool recursive, std::string& trouble) {
  const Roles& roles = meaning.roles;
  const Argument& word = meaning.word;
  const bool to_output = !meaning.option.empty() && word.is("-") && roles.has(Role::write);
  if (to_output) return;
  if (roles.has(Role::opaque)) {
    keep_first(trouble, "a word that changes what the command does");
    maybe_line(word, place);
    guess(word.known() ? word.text : word.start, place);
  }
  if (roles.has(Role::guess)) {
    if (!word.known() && !word.digits) keep_first(trouble, "a word that is not known before it runs");
    guess(word.known() ? word.text : word.start, place);
  }
  if (roles.has(Role::script)) {
    const bool input = word.is("-") || word.text.starts_with("/dev/");
    if (input) keep_first(trouble, "it runs what it reads");
    path({Role::read}, word, false, place);
  }
  if (roles.has(Role::suffix) && (!word.known() || word.text.find_first_of("/*") != std::string::npos)) {
    keep_first(trouble, "a suffix that leads to another directory");
    guess(word.known() ? word.text : word.start, place);
  }
  if (roles.has(Role::setting) && (!word.known() || !shell::is_harmless_setting(word.text)))
    keep_first(trouble, "a change of how the shell reads what follows");
  if (roles.has(Role::bare) && (!word.known() || word.text.find_first_of("/=") != std::string::npos)) {
    keep_first(trouble, "a name that leads elsewhere");
    guess(word.known() ? word.text : word.start, place);
  }
  if (roles.has(Role::labelled) && word.known()) labelled(word.text, roles, recursive, place);
  if (roles.has(Role::points)) points(word, place);
  if (roles.has(Role::data)) data(word, place, false, trouble);
  if (roles.has(Role::named_data)) data(word, place, true, trouble);
  if (roles.has(Role::choices) && (!word.known() || word.text.find_first_of("{[") != std::string::npos))
    keep_first(trouble, "choices in braces or brackets, which the program makes itself");
  if (roles.has(Role::package)) package(word, place, trouble);
  if (roles.has(Role::jq) && (!word.known() || jq_may_import(word.text)))
    keep_first(trouble, "a program that may take in other files");
  if (roles.has(Role::pair) && (!word.known() || word.text.find('=') == std::string::npos))
    path({Role::read}, word, false, place);
  if (roles.has(Role::outside)) outside(word, place);
  if (roles.has(Role::connect)) address(word, place);
  if (roles.has(Role::host)) host(word, place);
  if (roles.any(trees)) {
    maybe_tree(roles, word, recursive, place, trouble);
  } else if (roles.has(Role::remote)) {
    remote(roles, word, recursive, place);
  } else if (roles.any(paths)) {
    path(roles, word, recursive, place);
    const std::size_t end = word.text.rfind('.');
    if (roles.has(Role::stripped) && word.known() && end != std::string::npos)
      path({Role::write}, {Argument::Sort::known, word.text.substr(0, end)}, recursive, place);
  }
}

void Runs::guess(std::string word, const Place& place) {
  list_.guess_words(std::vector<std::string>{std::move(word)}, place.directory, {origin_.argument, true});
}

void Runs::maybe_line(const Argument& word, const Place& place) {
  if (!word.known() || place.depth >= wrapped_max) return;
  Place maybe = place;
  maybe.depth += 1;
  maybe.guessed = maybe.inner = true;
  maybe.opaque.clear();
  maybe.wrapped_in.clear();
  maybe.input = {};
  std::string_view text = word.text;
  const std::size_t equals = text.find('=');
  if (equals != std::string_view::npos &&
      text.substr(0, equals).find_first_of(" \t\n/") == std::string_view::npos)
    text.remove_prefix(equals + 1);
  if (text.starts_with('!')) text.remove_prefix(1);
  if (!text.empty()) line(text, Shell::bash, maybe);
}

}  // namespace policy::command
