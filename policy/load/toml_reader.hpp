#pragma once
// Reads a policy file's TOML and keeps every complaint with its place. Only the loaders include this.

#include <toml++/toml.h>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/base/error.hpp"

namespace policy {

// Refuses what is too large or nested too deep for the parser's own recursion, then parses.
base::Result<toml::table> parse_toml(const std::string& file, std::string_view bytes);

class TomlReader {
 public:
  explicit TomlReader(std::string file) : file_(std::move(file)) {}

  void fail(const toml::source_region& where, std::string message);
  void fail(const toml::node& node, std::string message) { fail(node.source(), std::move(message)); }
  // Complaints by place; empty: all is well.
  std::vector<base::Error> errors() const;
  std::size_t count() const { return found_.size(); }
  // `file:line`
  std::string place(const toml::node& node) const;

  // A key that is none here, and what to do instead, as a part of a sentence.
  struct Misplaced {
    std::string_view key, instead;
  };
  // Complains about each key that is not known.
  void check_keys(const toml::table& table, std::span<const std::string_view> known,
                  std::span<const Misplaced> misplaced = {});

  // Each complains about a wrong type, and returns nothing then. `what` names the key in messages.
  enum class Lines { one, many };  // many: line feeds and tabs may stand in it
  std::optional<std::string> string(const toml::node& node, std::string_view what, Lines lines = Lines::one);
  std::optional<bool> boolean(const toml::node& node, std::string_view what);
  // `example`: of how it is written; empty: none is told.
  const toml::table* table(const toml::node& node, std::string_view what, std::string_view example = {});

  struct Text {
    std::string text;
    const toml::node* node;
  };
  // A string, or a list of them that is not empty.
  std::vector<Text> strings(const toml::node& node, std::string_view what, Lines lines = Lines::one);

  // compile(text) for each string; a failure is a complaint at the string.
  template <class Compile>
  auto compiled(const toml::node& node, std::string_view what, Compile compile, Lines lines = Lines::one) {
    std::vector<typename decltype(compile(std::string()))::value_type> all;
    for (const Text& entry : strings(node, what, lines)) {
      if (!admits_expression(entry, lines == Lines::many)) break;
      auto result = compile(entry.text);
      if (result.has_error()) {
        fail(*entry.node, result.error().message());
      } else {
        all.push_back(std::move(*result));
      }
    }
    return all;
  }
  // Regular expressions are few: an untrusted file must not fill the memory with them.
  bool admits_expression(const Text& entry, bool always);

 private:
  struct Found {
    toml::source_position position;
    std::string message;
  };
  std::string file_;
  std::vector<Found> found_;
  std::size_t expressions_ = 0;
};

}  // namespace policy
