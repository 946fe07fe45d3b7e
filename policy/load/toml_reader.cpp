#include "policy/load/toml_reader.hpp"

#include <algorithm>
#include <tuple>

#include "policy/policy.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

constexpr std::size_t dots_max = 16;
constexpr std::size_t depth_max = 32;
constexpr std::size_t expressions_max = 256;

std::string place_of(const std::string& file, std::size_t line, std::size_t column) {
  return file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

// The end of the string that opens at `at`; a string that never ends is the parser's to refuse.
std::size_t string_end(std::string_view bytes, std::size_t at) {
  const char quote = bytes[at];
  const bool many_lines = bytes.substr(at, 3) == std::string(3, quote);
  const std::string_view closing = bytes.substr(at, many_lines ? 3 : 1);
  for (std::size_t i = at + closing.size(); i < bytes.size(); ++i) {
    if (quote == '"' && bytes[i] == '\\') {
      ++i;
    } else if (!many_lines && bytes[i] == '\n') {
      return i - 1;
    } else if (bytes.substr(i, closing.size()) == closing) {
      std::size_t last = i + closing.size() - 1;
      for (int more = 0; many_lines && more < 2 && bytes.substr(last + 1, 1) == closing.substr(0, 1); ++more)
        ++last;
      return last;  // `"""""` ends a text that ends with two quotes
    }
  }
  return bytes.size();
}

// The parser builds and frees nested tables by recursion and bounds only brackets, not dotted keys.
base::Result<void> check_depth(const std::string& file, std::string_view bytes) {
  std::size_t dots = 0;
  std::size_t depth = 0;
  std::size_t line = 1;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = string_end(bytes, i);
      line += static_cast<std::size_t>(
          std::count(bytes.begin() + static_cast<std::ptrdiff_t>(i),
                     bytes.begin() + static_cast<std::ptrdiff_t>(std::min(end, bytes.size())), '\n'));
      i = end;
      continue;
    }
    if (c == '#') {
      i = std::min(bytes.find('\n', i), bytes.size()) - 1;
      continue;
    }
    if (c == '\n') ++line;
    if (c == '.') ++dots;
    if (c == '\n' || c == '=' || c == ',') dots = 0;
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (dots > dots_max || depth > depth_max)
      return base::Error(base::Code::limit, "the file is nested deeper than a policy ever is",
                         place_of(file, line, 1));
  }
  return {};
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

}  // namespace

base::Result<toml::table> parse_toml(const std::string& file, std::string_view bytes) {
  if (bytes.size() > policy_bytes_max)
    return base::Error(base::Code::limit,
                       "the file is larger than " + std::to_string(policy_bytes_max) + " bytes",
                       place_of(file, 1, 1));
  if (auto shallow = check_depth(file, bytes); shallow.has_error()) return shallow.error();
  try {
    return toml::parse(bytes, std::string_view(file));
  } catch (const toml::parse_error& error) {
    const auto& begin = error.source().begin;
    std::string message = base::printable(error.description(), 400);
    if (!message.empty() && message[0] >= 'A' && message[0] <= 'Z')
      message[0] = static_cast<char>(message[0] + 32);
    return base::Error(base::Code::invalid, message, place_of(file, begin.line, begin.column));
  }
}

void TomlReader::fail(const toml::source_region& where, std::string message) {
  found_.push_back({where.begin, std::move(message)});
}

std::vector<base::Error> TomlReader::errors() const {
  std::vector<Found> sorted = found_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Found& a, const Found& b) {
    return std::tie(a.position.line, a.position.column) < std::tie(b.position.line, b.position.column);
  });
  std::vector<base::Error> errors;
  for (const Found& found : sorted)
    errors.emplace_back(base::Code::invalid, found.message,
                        place_of(file_, std::max<std::size_t>(found.position.line, 1),
                                 std::max<std::size_t>(found.position.column, 1)));
  return errors;
}

std::string TomlReader::place(const toml::node& node) const {
  return file_ + ":" + std::to_string(node.source().begin.line);
}

void TomlReader::check_keys(const toml::table& table, std::span<const std::string_view> known,
                            std::span<const Misplaced> misplaced) {
  for (const auto& [key, value] : table) {
    const std::string_view word = key.str();
    if (std::find(known.begin(), known.end(), word) != known.end()) continue;
    const auto elsewhere = std::find_if(misplaced.begin(), misplaced.end(),
                                        [&](const Misplaced& each) { return each.key == word; });
    if (elsewhere != misplaced.end()) {
      fail(key.source(), base::quoted(word) + " " + std::string(elsewhere->instead));
      continue;
    }
    const std::string_view near = base::nearest(word, known);
    fail(key.source(), "unknown key " + base::quoted(word) +
                           (near.empty() ? std::string() : "; did you mean `" + std::string(near) + "`?"));
  }
}

std::optional<std::string> TomlReader::string(const toml::node& node, std::string_view what, Lines lines) {
  const auto* value = node.as_string();
  if (value == nullptr) {
    fail(node, base::quoted(what) + " must be a string");
    return std::nullopt;
  }
  const std::string& text = value->get();
  const bool clean = std::none_of(text.begin(), text.end(), [&](char c) {
    return is_control(c) && !(lines == Lines::many && (c == '\n' || c == '\t'));
  });
  if (!clean) {
    fail(node, base::quoted(what) + " holds a control character");
    return std::nullopt;
  }
  return text;
}

std::optional<bool> TomlReader::boolean(const toml::node& node, std::string_view what) {
  if (const auto* value = node.as_boolean()) return value->get();
  fail(node, base::quoted(what) + " must be `true` or `false`");
  return std::nullopt;
}

const toml::table* TomlReader::table(const toml::node& node, std::string_view what,
                                     std::string_view example) {
  if (const auto* value = node.as_table()) return value;
  fail(node, base::quoted(what) + " must be a table" +
                 (example.empty() ? std::string() : ", as in " + base::quoted(example)));
  return nullptr;
}

std::vector<TomlReader::Text> TomlReader::strings(const toml::node& node, std::string_view what,
                                                  Lines lines) {
  std::vector<Text> all;
  const auto* list = node.as_array();
  if (list == nullptr) {
    if (!node.is_string()) {
      fail(node, base::quoted(what) + " must be a string or a list of strings");
    } else if (auto text = string(node, what, lines)) {
      all.push_back({std::move(*text), &node});
    }
    return all;
  }
  if (list->empty())
    fail(node, base::quoted(what) + " is an empty list, which matches nothing; leave the key out");
  for (const toml::node& entry : *list)
    if (auto text = string(entry, what, lines)) all.push_back({std::move(*text), &entry});
  return all;
}

bool TomlReader::admits_expression(const Text& entry, bool always) {
  if (!always && !entry.text.starts_with("re:")) return true;
  if (++expressions_ == expressions_max + 1)
    fail(*entry.node, "the file has more than " + std::to_string(expressions_max) + " regular expressions");
  return expressions_ <= expressions_max;
}

}  // namespace policy
