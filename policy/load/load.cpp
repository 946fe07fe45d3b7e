#include "policy/load/load.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "policy/catalogue/catalogue.hpp"
#include "policy/earlier.hpp"
#include "policy/load/built_in.hpp"
#include "policy/load/parts.hpp"
#include "policy/rule/index.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

constexpr std::ptrdiff_t counting_rules_max = 256;

bool trusted(const Source& source) { return source.layer != Layer::repository || source.trusted; }

struct File {
  std::vector<Rule> rules;
  std::vector<ToolDeclaration> declarations;
  Defaults defaults;
  Delegation delegation;
  std::vector<base::Error> errors;  // with any, the rest means nothing
};

void read_version(TomlReader& reader, const toml::table& table) {
  const toml::node* node = table.get("version");
  if (node == nullptr) {
    reader.fail(table, "the policy does not begin with `version = 1`");
  } else if (const auto* number = node->as_integer(); number == nullptr || number->get() != 1) {
    reader.fail(*node, "`version` must be 1, the only version there is");
  }
}

void read_rules(FileContext& context, const toml::node& node, Tier tier, std::string_view key, File& file) {
  const toml::array* list = node.as_array();
  if (list == nullptr) {
    context.reader.fail(
        node, base::quoted(key) + " must be a list of rules, each begun by `[[" + std::string(key) + "]]`");
    return;
  }
  for (const toml::node& entry : *list)
    if (const toml::table* table = context.reader.table(entry, key))
      file.rules.push_back(read_rule(context, *table, tier));
}

// Ids are unique among all rules of one file: the ledger and the operator know a rule by its id.
void check_ids(TomlReader& reader, const toml::table& table) {
  std::vector<const toml::node*> ids;
  for (const char* key : {"allow", "ask", "deny"})
    if (const auto* list = table.get_as<toml::array>(key))
      for (const toml::node& entry : *list)
        if (const auto* rule = entry.as_table())
          if (const auto* id = rule->get_as<std::string>("id")) ids.push_back(id);
  const auto line = [](const toml::node* id) { return id->source().begin.line; };
  std::stable_sort(ids.begin(), ids.end(), [&](const auto* a, const auto* b) { return line(a) < line(b); });
  std::map<std::string, const toml::node*> seen;
  for (const toml::node* id : ids) {
    const auto [first, fresh] = seen.emplace(id->as_string()->get(), id);
    if (!fresh)
      reader.fail(*id, "the id " + base::quoted(first->first) + " is already used in line " +
                           std::to_string(line(first->second)));
  }
}

// Each of them costs with every call, and a record names them all.
void check_counting(TomlReader& reader, const toml::table& table, const File& file) {
  const auto counting = std::count_if(file.rules.begin(), file.rules.end(),
                                      [](const Rule& rule) { return rule.after || rule.rate; });
  if (counting > counting_rules_max)
    reader.fail(table, "the file has more than " + std::to_string(counting_rules_max) +
                           " rules with `after` or `rate`");
}

// `delegation`: by the organisation, to the layers after it.
File read_source(const Source& source, const Anchors& anchors, const Delegation& delegation,
                 std::shared_ptr<const Catalogue>& catalogue) {
  File file;
  auto parsed = parse_toml(source.file, source.bytes);
  if (parsed.has_error()) {
    file.errors.push_back(parsed.error());
    return file;
  }
  const toml::table& table = *parsed;
  TomlReader reader(source.file);
  FileContext context{reader, anchors, source.layer,
                      trusted(source) && (delegation.allow & kind_bit(EffectKind::use)) != 0, delegation};
  static constexpr std::array<std::string_view, 9> known{
      "version", "default", "allow", "ask", "deny", "tools", "commands", "neutral_variables", "delegate"};
  reader.check_keys(table, known);
  read_version(reader, table);
  if (const auto* node = table.get("delegate")) file.delegation = read_delegation(context, *node);
  read_commands(context, table, catalogue);
  context.catalogue = catalogue.get();
  if (const auto* node = table.get("default")) file.defaults = read_default(context, *node);
  if (const auto* node = table.get("allow")) read_rules(context, *node, Tier::allow, "allow", file);
  if (const auto* node = table.get("ask")) read_rules(context, *node, Tier::ask, "ask", file);
  if (const auto* node = table.get("deny")) read_rules(context, *node, Tier::deny, "deny", file);
  if (const auto* node = table.get("tools")) file.declarations = read_tools(context, *node);
  check_ids(reader, table);
  check_counting(reader, table, file);
  file.errors = reader.errors();
  return file;
}

// What it is called and why it stands are read by agents and operators: they must not take it for their own.
void mark_untrusted(Rule& rule) {
  rule.trusted = false;
  rule.redirect.reset();  // it does not say what is passed on
  rule.id = "untrusted-repository/" + rule.id;
  if (!rule.why.empty()) rule.why = "the untrusted repository says: " + rule.why;
}

// The strictest that any layer states; the first of equals keeps its place.
void join_defaults(const Defaults& stated, bool is_trusted, Defaults& joined) {
  for (std::size_t i = 0; i < effect_kinds; ++i) {
    if (!stated[i] || (!is_trusted && stated[i]->tier != Tier::deny)) continue;
    if (!joined[i] || stated[i]->tier < joined[i]->tier) joined[i] = stated[i];
  }
}

base::Digest digest_of(const std::vector<Source>& sources) {
  base::Sha256 sha;
  for (const Source& source : sources) {
    const base::Digest bytes = base::sha256(source.bytes);
    sha.update(name(source.layer));
    sha.update(std::string_view(trusted(source) ? "\0+" : "\0-", 2));
    sha.update(base::bytes_of(bytes));
  }
  return sha.finish();
}

}  // namespace

std::vector<base::Error> check_source(const Source& source, const Anchors& anchors) {
  std::shared_ptr<const Catalogue> catalogue = built_in_catalogue();
  return read_source(source, anchors, {}, catalogue).errors;
}

base::Result<CompiledRules> compile_sources(const std::vector<Source>& sources, const Anchors& anchors) {
  CompiledRules compiled;
  compiled.anchors = anchors;
  compiled.catalogue = built_in_catalogue();
  Defaults defaults;
  for (const Source& source : sources) {
    const bool after = source.layer > Layer::organisation;
    if (source.layer == Layer::mission && !compiled.delegation.mission)
      return base::Error(base::Code::refused, "the organisation forbids a policy of a run's own (`--policy`)",
                         compiled.delegation.place);
    File file = read_source(source, anchors, after ? compiled.delegation : Delegation(), compiled.catalogue);
    if (!file.errors.empty()) return file.errors.front();
    if (!file.delegation.place.empty()) compiled.delegation = file.delegation;
    for (Rule& rule : file.rules) {
      if (after && rule.tier == Tier::allow) rule.counts_for = compiled.delegation.allow;
      if (!trusted(source)) mark_untrusted(rule);
      if (!trusted(source) && rule.tier == Tier::allow) continue;
      if (rule.result.empty())
        compiled.rules.push_back(std::move(rule));
      else
        compiled.result_rules.push_back(std::make_shared<const Rule>(std::move(rule)));
    }
    std::move(file.declarations.begin(), file.declarations.end(), std::back_inserter(compiled.declarations));
    join_defaults(file.defaults, trusted(source), defaults);
  }
  for (std::size_t i = 0; i < effect_kinds; ++i)
    if (defaults[i]) compiled.defaults[i] = *defaults[i];
  list_tallies(compiled);
  compiled.index = std::make_shared<const RuleIndex>(compiled.rules);
  return compiled;
}

std::vector<Source> complete_sources(const std::vector<Source>& sources) {
  std::vector<Source> all{built_in_source()};
  const bool stands = std::any_of(sources.begin(), sources.end(), [](const Source& source) {
    return source.layer != Layer::built_in && trusted(source);
  });
  if (!stands) all.push_back(baseline_source());
  all.insert(all.end(), sources.begin(), sources.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const Source& a, const Source& b) { return a.layer < b.layer; });
  return all;
}

base::Result<Policy> Policy::load(const std::vector<Source>& sources, const std::string& workspace,
                                  const std::string& home) {
  Policy policy;
  policy.sources_ = complete_sources(sources);
  auto compiled = compile_sources(policy.sources_, {workspace, home});
  if (compiled.has_error()) return compiled.error();
  compiled->baseline = policy.sources_.size() > 1 && policy.sources_[1].file == baseline_file;
  policy.catalogue_ = compiled->catalogue;
  policy.rules_ = std::make_shared<const CompiledRules>(std::move(*compiled));
  policy.digest_ = digest_of(policy.sources_);
  return policy;
}

}  // namespace policy
