#include "policy/command/parse_entries.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "proxy/base/text.hpp"

namespace policy::command {

namespace {

constexpr std::string_view blanks = " \t\r\n";

using Wrong = std::optional<WrongEntry>;

WrongEntry wrong(const toml::node& node, std::string what) { return {&node, std::move(what)}; }

// The words of a string, or of each string of a list.
bool read_words(const toml::node& node, std::vector<std::string>& words) {
  if (const toml::array* list = node.as_array())
    return std::all_of(list->begin(), list->end(),
                       [&](const toml::node& item) { return !item.is_array() && read_words(item, words); });
  const auto text = node.value<std::string_view>();
  if (!text || !node.is_string()) return false;
  for (std::string_view rest = *text; !rest.empty();) {
    rest.remove_prefix(std::min(rest.find_first_not_of(blanks), rest.size()));
    const std::size_t end = std::min(rest.find_first_of(blanks), rest.size());
    if (end > 0) words.emplace_back(rest.substr(0, end));
    rest.remove_prefix(end);
  }
  return true;
}

bool* flag_of(Entry& entry, std::string_view key) {
  if (key == "any_option") return &entry.any_option;
  if (key == "here_alone") return &entry.here_alone;
  if (key == "always_recursive") return &entry.recursive;
  if (key == "first_is_bundle") return &entry.first_is_bundle;
  if (key == "assigns") return &entry.assigns;
  if (key == "appends") return &entry.appends;
  if (key == "operands_moved") return &entry.operands_moved;
  if (key == "transparent") return &entry.transparent;
  if (key == "elevates") return &entry.elevates;
  if (key == "always_opaque") return &entry.opaque;
  if (key == "own_directory") return &entry.own_directory;
  if (key == "own_repository") return &entry.own_repository;
  if (key == "visits_submodules") return &entry.visits_submodules;
  if (key == "one_dash") return &entry.one_dash;
  if (key == "glued") return &entry.glued;
  if (key == "subcommands") return &entry.subcommands;
  if (key == "named") return &entry.named;
  if (key == "stdin_code") return &entry.stdin_code;
  if (key == "stdin_line") return &entry.stdin_line;
  return nullptr;
}

bool read_roles(const std::vector<std::string>& words, Roles& roles) {
  for (const std::string& word : words) {
    const std::optional<Role> role = role_named(word);
    if (!role) return false;
    roles.add(*role);
  }
  return true;
}

// A string is one place and all behind it, a list has a place each.
bool read_operands(const toml::node& node, std::vector<Roles>& operands) {
  operands.clear();
  const auto add = [&](const toml::node& item) {
    std::vector<std::string> words;
    operands.emplace_back();
    return item.is_string() && read_words(item, words) && !words.empty() &&
           read_roles(words, operands.back());
  };
  const toml::array* list = node.as_array();
  if (list == nullptr) return add(node);
  return !list->empty() && std::all_of(list->begin(), list->end(), add);
}

std::vector<Glob> globs_of(const std::vector<std::string>& words) {
  std::vector<Glob> globs;
  for (const std::string& word : words) globs.emplace_back(word);
  return globs;
}

std::optional<Entry::Style> style_named(std::string_view text) {
  if (text == "getopt") return Entry::Style::getopt;
  if (text == "posix") return Entry::Style::posix;
  if (text == "single") return Entry::Style::single;
  if (text == "find") return Entry::Style::find;
  return std::nullopt;
}

// `-x`, `-x=` with a value, `-x?` with one that stands in the same word.
void add_option(Entry& entry, std::string spelled, Role role) {
  Option::Takes takes = Option::Takes::nothing;
  if (spelled.size() > 1 && spelled.ends_with('=')) takes = Option::Takes::value;
  if (spelled.size() > 1 && spelled.ends_with('?')) takes = Option::Takes::glued_value;
  if (takes != Option::Takes::nothing) spelled.pop_back();
  Option& option = entry.options[spelled];
  option.takes = takes;
  option.roles.add(role);
}

class EntryParser {
 public:
  EntryParser(const toml::table& commands, Entries& entries) : commands_(commands), entries_(entries) {}

  Wrong parse_all() {
    for (const auto& [key, node] : commands_)
      if (Wrong parsed = parse(std::string(key.str()), node)) return parsed;
    return {};
  }

 private:
  // Once; what it is like before it.
  Wrong parse(const std::string& program, const toml::node& node) {
    if (!seen_.insert(program).second) return {};
    const toml::table* table = node.as_table();
    if (table == nullptr) return wrong(node, base::quoted(program) + " must be a table");
    Entry entry;
    if (const toml::node* like = table->get("like")) {
      const std::string other = like->value_or(std::string());
      if (const toml::node* listed = commands_.get(other))
        if (Wrong parsed = parse(other, *listed)) return parsed;
      const auto found = entries_.find(other);
      if (found == entries_.end()) return wrong(*like, "`like` names no program that is listed before it");
      entry = found->second;
    }
    if (Wrong filled = fill(entry, *table)) return filled;
    if (const toml::node* also = table->get("also"))
      if (Wrong added = add_alike(program, entry, *also)) return added;
    entries_.insert_or_assign(program, std::move(entry));
    return {};
  }

  // Subcommands beside this one that do the same.
  Wrong add_alike(const std::string& program, const Entry& entry, const toml::node& also) {
    const std::size_t blank = program.rfind(' ');
    std::vector<std::string> names;
    if (blank == std::string::npos || !read_words(also, names))
      return wrong(also, "`also` must name further subcommands of the same program");
    for (const std::string& name : names) {
      std::string other = program.substr(0, blank + 1) + name;
      if (commands_.contains(other) || !seen_.insert(other).second)
        return wrong(also, base::quoted(other) + " is listed twice");
      entries_.insert_or_assign(std::move(other), entry);
    }
    return {};
  }

  // Roles of its own options first forget those that `like` gave.
  static Wrong fill(Entry& entry, const toml::table& table) {
    std::set<std::string> own;
    for (const auto& [key, node] : table) {
      if (Wrong read = fill_key(entry, key.str(), node, own)) return read;
    }
    return {};
  }

  static Wrong fill_key(Entry& entry, std::string_view key, const toml::node& node,
                        std::set<std::string>& own) {
    if (key == "like" || key == "also") return {};
    if (bool* flag = flag_of(entry, key)) {
      if (!node.is_boolean()) return wrong(node, base::quoted(key) + " must be true or false");
      *flag = node.value_or(false);
      return {};
    }
    if (key == "with") return fill_with(entry, node);
    if (key == "methods") return fill_methods(entry, node);
    if (key == "values") return fill_values(entry, node);
    if (key == "operands") {
      if (!read_operands(node, entry.operands)) return wrong(node, "`operands` must hold what operands are");
      return {};
    }
    std::vector<std::string> words;
    if (!read_words(node, words))
      return wrong(node, base::quoted(key) + " must be a string or a list of strings");
    if (const toml::array* held = node.as_array(); held != nullptr && key == "opaque_holds") {
      words.clear();  // whole, blanks and all
      for (const toml::node& item : *held) words.push_back(item.value_or(std::string()));
    }
    if (key == "last" || key == "here") {
      Roles& roles = key == "last" ? entry.last : entry.here;
      if (!read_roles(words, roles)) return wrong(node, base::quoted(key) + " must hold what operands are");
    } else if (key == "style") {
      const auto style = style_named(words.size() == 1 ? words.front() : "");
      if (!style) return wrong(node, "`style` must be getopt, posix, single or find");
      entry.style = *style;
    } else if (key == "opaque_starts") {
      entry.opaque_starts = std::move(words);
    } else if (key == "opaque_holds") {
      entry.opaque_holds = std::move(words);
    } else if (key == "opaque_shapes") {
      entry.opaque_shapes = globs_of(words);
    } else if (key == "names") {
      entry.names.clear();
      for (const std::string& word : words) entry.names.push_back({Glob(word)});
    } else if (key == "neutral") {
      entry.neutral = std::move(words);
    } else if (const auto role = key == "flags" ? std::optional(Role::text) : role_named(key)) {
      for (std::string& word : words) {
        std::string name = word.size() > 1 && (word.ends_with('=') || word.ends_with('?'))
                               ? word.substr(0, word.size() - 1)
                               : word;
        if (own.insert(name).second) entry.options.erase(name);
        add_option(entry, std::move(word), *role);
      }
    } else {
      return wrong(node, "an unknown key " + base::quoted(key));
    }
    return {};
  }

  static Wrong fill_methods(Entry& entry, const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return wrong(node, "`methods` must be a table");
    for (const auto& [method, options] : *table) {
      std::vector<std::string> words;
      if (!read_words(options, words)) return wrong(options, "`methods` must name options for each method");
      for (std::string& word : words)
        entry.methods.insert_or_assign(std::move(word), std::string(method.str()));
    }
    return {};
  }

  static Wrong fill_values(Entry& entry, const toml::node& node) {
    const toml::table* table = node.as_table();
    if (table == nullptr) return wrong(node, "`values` must be a table");
    for (const auto& [options, known] : *table) {
      std::vector<std::string> names;
      std::vector<std::string> words;
      read_words(toml::value<std::string>(std::string(options.str())), names);
      if (!read_words(known, words)) return wrong(known, "`values` must name what options may be given");
      for (std::string& name : names) entry.values.insert_or_assign(std::move(name), globs_of(words));
    }
    return {};
  }

  static Wrong fill_with(Entry& entry, const toml::node& node) {
    const toml::table* overlays = node.as_table();
    if (overlays == nullptr) return wrong(node, "`with` must be a table");
    for (const auto& [options, inner] : *overlays) {
      const toml::table* table = inner.as_table();
      if (table == nullptr) return wrong(inner, "what stands under `with` must be a table");
      Entry overlay;
      if (Wrong filled = fill(overlay, *table)) return filled;
      Entry::With with;
      read_words(toml::value<std::string>(std::string(options.str())), with.options);
      with.entry = std::make_shared<const Entry>(std::move(overlay));
      entry.with.push_back(std::move(with));
    }
    return {};
  }

  const toml::table& commands_;
  Entries& entries_;
  std::set<std::string> seen_;
};

}  // namespace

std::optional<WrongEntry> parse_entries(const toml::table& commands, Entries& entries) {
  return EntryParser(commands, entries).parse_all();
}

}  // namespace policy::command
