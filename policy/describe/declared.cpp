#include "policy/describe/declared.hpp"

#include <algorithm>
#include <array>

#include "policy/command/runs.hpp"
#include "policy/describe/declared_request.hpp"
#include "policy/describe/guess.hpp"
#include "policy/path/file_uri.hpp"
#include "policy/path/path.hpp"
#include "policy/path/unicode.hpp"
#include "policy/variable_note.hpp"

namespace policy {

namespace {

using base::json::Value;

constexpr std::size_t directory_bytes_max = 4096;

struct FoundString {
  const std::string* text;
  std::string pointer;
};

// The strings a pointer leads to; `odd`: something else stands there, too.
struct Found {
  std::vector<FoundString> strings;
  bool present = false;
  bool odd = false;
};

void collect(const Value& value, const std::string& pointer, Found& found) {
  if (value.is_string()) {
    found.strings.push_back({&value.get_ref<const std::string&>(), pointer});
  } else if (value.is_array()) {
    std::size_t index = 0;
    for (const Value& item : value) collect(item, longer_pointer(pointer, std::to_string(index++)), found);
  } else if (value.is_object()) {
    for (const auto& [key, item] : value.items()) collect(item, longer_pointer(pointer, key), found);
  } else {
    found.odd = true;
  }
}

Found find_strings(const Value& arguments, const std::string& pointer) {
  Found found;
  const Value* value = at_pointer(arguments, pointer);
  if (value == nullptr) return found;
  found.present = true;
  collect(*value, pointer, found);
  return found;
}

// Every string, each on a line, then all joined: what is split over a list is judged as a whole, too.
std::string content_of(const Value& arguments, const std::vector<std::string>& pointers, bool& present,
                       std::vector<ContentPart>& parts) {
  constexpr std::size_t parts_max = 32;  // each effect has a copy
  std::vector<FoundString> strings;
  for (const std::string& pointer : pointers) {
    Found found = find_strings(arguments, pointer);
    present = present || found.present;
    std::move(found.strings.begin(), found.strings.end(), std::back_inserter(strings));
  }
  for (const FoundString& string : strings)
    if (parts.size() < parts_max) parts.push_back({string.pointer, string.text->size() + 1});
  std::string content;
  if (strings.size() == 1) return *strings.front().text;
  std::string joined;
  for (const FoundString& string : strings) {
    content.append(*string.text).append("\n");
    joined.append(*string.text);
  }
  return content + joined;
}

void describe_paths(EffectList& list, const Value& arguments, const std::vector<std::string>& pointers,
                    EffectKind kind, bool recursive) {
  for (const std::string& pointer : pointers) {
    const Found found = find_strings(arguments, pointer);
    const std::array kinds{kind};
    for (const FoundString& string : found.strings)
      list.add_path(kinds, *string.text, list.scene().directory, {string.pointer}, recursive);
    if (found.odd) list.add_opaque(kind, {pointer}, "an argument that is no path");
  }
}

// The directory a command runs in; `trouble` when it cannot be told.
std::string run_directory(const EffectList& list, const Value& arguments, const ToolDeclaration& tool,
                          std::string& trouble) {
  std::string directory = list.scene().directory;
  for (const std::string& pointer : tool.cwd) {
    const Value* value = at_pointer(arguments, pointer);
    if (value == nullptr) continue;
    if (!value->is_string()) {
      trouble = "a working directory that is no path";
      continue;
    }
    const std::string& written = value->get_ref<const std::string&>();
    if (written.size() > directory_bytes_max) {
      trouble = "a working directory longer than any path";
      continue;
    }
    if (written.find('\0') != std::string::npos || written.starts_with('~') || may_be_respelled(written) ||
        is_file_uri(cleaned_address(written)))
      trouble = "a working directory that may be several";
    // Not folded: `..` after a link is taken as the kernel does, by whoever resolves it.
    directory = written.starts_with('/') ? written : list.scene().directory + '/' + written;
  }
  return directory;
}

std::string environment_trouble(EffectList& list, const Value& arguments, const ToolDeclaration& tool) {
  std::string trouble;
  for (const std::string& pointer : tool.env) {
    const Value* value = at_pointer(arguments, pointer);
    if (value == nullptr) continue;
    if (!value->is_object()) {
      trouble = "an environment that is no object";
      guess_effects(list, *value, "command", pointer);
      continue;
    }
    for (const auto& [variable, setting] : value->items()) {
      if (setting.is_string() &&
          list.catalogue().neutral_variable(variable, setting.get_ref<const std::string&>()))
        continue;
      trouble = variable_note(variable);
      guess_effects(list, setting, "command", longer_pointer(pointer, variable));
    }
  }
  return trouble;
}

// A search that is told no place is one of the directory that the server runs in.
bool none_given(const Value& arguments, const std::vector<std::string>& pointers) {
  return std::all_of(pointers.begin(), pointers.end(), [&](const std::string& pointer) {
    const Value* value = at_pointer(arguments, pointer);
    return value == nullptr || value->is_null() || value->empty() || (value->is_string() && *value == "");
  });
}

void describe_run(EffectList& list, const Value& arguments, const ToolDeclaration& tool) {
  if (tool.run.empty()) return;
  std::string trouble;
  const std::string directory = run_directory(list, arguments, tool, trouble);
  std::string environment = environment_trouble(list, arguments, tool);
  if (trouble.empty()) trouble = std::move(environment);
  for (const std::string& pointer : tool.run) {
    const Value* value = at_pointer(arguments, pointer);
    if (value == nullptr) continue;
    Found found;
    collect(*value, pointer, found);
    command::Place place;
    place.directory = directory;
    if (value->is_string()) {
      std::string why = trouble;
      if (!tool.shell) why = "no shell is declared for this tool";
      place.opaque = std::move(why);
      command::Runs(list, {pointer}).line(*found.strings.front().text, tool.shell.value_or(Shell::sh), place);
      continue;
    }
    std::vector<std::string> words;
    for (const FoundString& string : found.strings) words.push_back(*string.text);
    const bool plain = value->is_array() && !found.odd && words.size() == value->size();
    place.opaque = plain ? trouble : "a command that is no list of words";
    command::Runs(list, {pointer}).argv(command::known_words(words), place);
  }
}

void describe_connections(EffectList& list, const Value& arguments, const ToolDeclaration& tool) {
  if (tool.connect.empty() && tool.resource.empty()) return;
  const network::Request request = declared_request(arguments, tool);
  for (const std::string& pointer : tool.connect) {
    const Found found = find_strings(arguments, pointer);
    for (const FoundString& string : found.strings) list.add_url(*string.text, {string.pointer}, request);
    if (found.odd) list.add_opaque(EffectKind::connect, {pointer}, "an argument that is no address");
  }
  for (const std::string& pointer : tool.resource) {
    const Found found = find_strings(arguments, pointer);
    for (const FoundString& string : found.strings)
      describe_address(list, *string.text, {string.pointer}, request);
    if (found.odd) list.add_opaque(EffectKind::use, {pointer}, "an argument that is no address");
  }
}

// A directory that is removed and written elsewhere (a move) carries all below it.
void spread_recursion(std::span<Effect> effects) {
  const bool removes_tree = std::any_of(effects.begin(), effects.end(), [](const Effect& effect) {
    return effect.kind == EffectKind::remove && effect.reach.recursive && !effect.guessed;
  });
  if (!removes_tree) return;
  for (Effect& effect : effects) {
    const bool moves = effect.kind == EffectKind::read || effect.kind == EffectKind::write;
    if (moves && !effect.guessed) effect.reach.recursive = true;
  }
}

// Walks down to what no declaration names.
void find_unknown(EffectList& list, const Value& value, const std::string& key, const std::string& pointer,
                  std::span<const std::string* const> known, std::string& first) {
  bool leads_on = false;
  for (const std::string* declared : known) {
    if (starts_with_pointer(pointer, *declared)) return;
    leads_on = leads_on || starts_with_pointer(*declared, pointer);
  }
  if (leads_on && value.is_object()) {
    for (const auto& [inner, item] : value.items())
      find_unknown(list, item, inner, pointer + '/' + pointer_token(inner), known, first);
    return;
  }
  if (first.empty()) first = pointer;
  guess_effects(list, value, key, pointer);
}

}  // namespace

bool starts_with_pointer(std::string_view pointer, std::string_view start) {
  return pointer.starts_with(start) && (pointer.size() == start.size() || pointer[start.size()] == '/');
}

std::array<const std::vector<std::string>*, 12> pointers_of(const ToolDeclaration& tool) {
  return {&tool.read, &tool.write, &tool.remove, &tool.run,     &tool.connect,  &tool.content,
          &tool.cwd,  &tool.env,   &tool.method, &tool.headers, &tool.resource, &tool.ignore};
}

std::vector<Declared> declared_for(const Call& call, const std::vector<ToolDeclaration>& declarations,
                                   const Catalogue& catalogue) {
  std::vector<Declared> found;
  if (const CatalogueEntry* entry = catalogue.server(call.catalogue_entry)) {
    const auto tool = entry->tools.find(call.tool);
    if (tool != entry->tools.end()) found.push_back({&tool->second.declaration, tool->second.recursive});
  }
  for (const ToolDeclaration& declaration : declarations)
    if (declaration.server.matches(call.server) && declaration.tool.matches(call.tool))
      found.push_back({&declaration, false});
  return found;
}

void describe_address(EffectList& list, const std::string& uri, const Origin& origin,
                      const network::Request& request) {
  Effect effect;
  effect.name = "resource:" + uri;
  effect.argument = origin.argument;
  if (cleaned_address(uri) != uri) {
    effect.refused = "an address with a control character, or a blank at its end";
    return list.add(std::move(effect));
  }
  if (is_file_uri(uri)) return list.add_file_uri(uri, origin);
  const std::size_t colon = std::min(uri.find(':'), uri.size());
  std::string scheme = uri.substr(0, colon);
  const bool has_scheme = colon < uri.size() && is_scheme(scheme);
  for (char& c : scheme)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  if (has_scheme && (scheme == "http" || scheme == "https")) return list.add_url(uri, origin, request);
  const Origin guess{origin.argument, true};
  if (!has_scheme) {
    // What has no scheme may be a path to some servers, and the path of an address to others.
    constexpr std::array read{EffectKind::read};
    list.add_path(read, uri, list.scene().directory, guess);
    list.add_file_uri("file:" + uri, guess);
    effect.opaque = colon < uri.size();
    if (effect.opaque) effect.note = "an address whose scheme is none";
  }
  // `url:file:///x`, `<file:///x>`, `file%3A///x`: some library unwraps each.
  for (const std::string& text : {uri, percent_decoded(uri)}) {
    const std::size_t inner = find_file_scheme(text);
    if (inner == std::string::npos) continue;
    const std::string_view wrapped = std::string_view(text).substr(inner);
    list.add_file_uri(wrapped, guess);
    if (wrapped.find('>') != wrapped.npos) list.add_file_uri(wrapped.substr(0, wrapped.find('>')), guess);
  }
  list.add(std::move(effect));
}

void describe_declared(EffectList& list, const Value& arguments, const Declared& declared) {
  const ToolDeclaration& tool = *declared.declaration;
  const std::size_t first = list.effects().size();
  describe_paths(list, arguments, tool.read, EffectKind::read, declared.recursive);
  if (declared.recursive && none_given(arguments, tool.read)) {
    constexpr std::array read{EffectKind::read};
    list.add_path(read, ".", list.scene().directory, {}, true);
  }
  describe_paths(list, arguments, tool.write, EffectKind::write, false);
  describe_paths(list, arguments, tool.remove, EffectKind::remove, false);
  describe_connections(list, arguments, tool);
  if (list.effects().size() > first) spread_recursion(std::span(list.effects()).subspan(first));
  bool has_content = false;
  std::vector<ContentPart> parts;
  std::string content = content_of(arguments, tool.content, has_content, parts);
  if (has_content) {
    const auto carries = [](const Effect& effect) {
      return effect.kind == EffectKind::write || effect.kind == EffectKind::connect;
    };
    std::vector<Effect>& effects = list.effects();
    std::size_t copies = 0;
    for (std::size_t i = first; i < effects.size(); ++i) copies += carries(effects[i]) ? 1 : 0;
    std::size_t bytes = content.size();
    for (const ContentPart& part : parts) bytes += sizeof part + part.argument.size();
    if (list.reserve(bytes, copies))
      for (std::size_t i = first; i < effects.size(); ++i)
        if (carries(effects[i])) {
          effects[i].content = content;
          effects[i].content_parts = parts;
        }
  }
  describe_run(list, arguments, tool);
  if (!tool.adds_only) return;
  std::vector<Effect>& effects = list.effects();
  for (std::size_t i = first; i < effects.size(); ++i) effects[i].guessed = true;
}

void describe_unknown_arguments(EffectList& list, const Value& arguments,
                                const std::vector<Declared>& declared) {
  std::vector<const std::string*> known;
  for (const Declared& each : declared) {
    const ToolDeclaration& tool = *each.declaration;
    if (tool.adds_only) continue;
    for (const auto* pointers : pointers_of(tool))
      for (const std::string& pointer : *pointers) known.push_back(&pointer);
  }
  std::string first;
  for (const auto& [key, value] : arguments.items())
    find_unknown(list, value, key, '/' + pointer_token(key), known, first);
  if (!first.empty())
    list.add_opaque(EffectKind::use, {first}, "an argument that is neither declared nor ignored");
}

}  // namespace policy
