#pragma once
// The parts of loading one file, one function a part. Each complains to the reader and returns what it could
// read; what it returns counts only when the reader has no complaint. Only load.cpp and its tests' fuzz
// target need these.

#include "policy/load/toml_reader.hpp"
#include "policy/rule/rule.hpp"

namespace policy {

// What is the same for every rule of a file.
struct FileContext {
  TomlReader& reader;
  const Anchors& anchors;
  Layer layer;
  bool trusted = true;
  Delegation delegation = {};            // by the organisation, to this layer
  const Catalogue* catalogue = nullptr;  // of the rules' examples, with what the file itself adds
};

// The keys of a condition in a rule or exception; other keys are the caller's. condition.cpp
Condition read_condition(FileContext& context, const toml::table& table, Stance stance);
std::span<const std::string_view> condition_keys();

// One table of `[[allow]]`, `[[ask]]` or `[[deny]]`. rule.cpp
Rule read_rule(FileContext& context, const toml::table& table, Tier tier);

// `redirect` of a rule. redirect.cpp
std::optional<Redirect> read_redirect(FileContext& context, const toml::node& node, const Rule& rule);
// `after` and `rate` of a rule. after.cpp
std::optional<After> read_after(FileContext& context, const toml::node& node, const Condition& rule);
std::optional<Rate> read_rate(FileContext& context, const toml::node& node, Tier tier);

// `examples` of a rule, held against it. examples.cpp
void check_examples(FileContext& context, const toml::node& node, const Rule& rule);

// `default`: what this file says for each kind. default_tier.cpp
using Defaults = std::array<std::optional<Default>, effect_kinds>;
Defaults read_default(FileContext& context, const toml::node& node);

// `[delegate]`. delegate.cpp
Delegation read_delegation(FileContext& context, const toml::node& node);

// `[commands]` and `neutral_variables`: added to the catalogue, which is copied first where it is the
// embedded one. Neither is said by a repository, or
// by who may not allow what runs. commands.cpp
void read_commands(FileContext& context, const toml::table& table,
                   std::shared_ptr<const Catalogue>& catalogue);

// `[tools]`. tools.cpp
std::vector<ToolDeclaration> read_tools(FileContext& context, const toml::node& node);
// One declaration without its name: for catalogues too.
ToolDeclaration read_tool(FileContext& context, const toml::table& table);

}  // namespace policy
