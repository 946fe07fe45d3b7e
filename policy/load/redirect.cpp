#include <array>

#include "policy/load/parts.hpp"
#include "policy/path/path.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

struct Ends {
  const toml::node* from_node = nullptr;
  const toml::node* to_node = nullptr;
  std::string from, to;
};

std::optional<Ends> read_ends(FileContext& context, const toml::node& node, std::string_view key) {
  const toml::table* table = context.reader.table(
      node, key,
      key == "connect" ? "connect = { from = \"https://a.example\", to = \"https://b.example\" }"
                       : std::string(key) + " = { from = \"src\", to = \"staging\" }");
  if (table == nullptr) return std::nullopt;
  static constexpr std::array<std::string_view, 2> known{"from", "to"};
  context.reader.check_keys(*table, known);
  Ends ends{table->get("from"), table->get("to"), {}, {}};
  if (ends.from_node == nullptr || ends.to_node == nullptr) {
    context.reader.fail(node, "a redirect of " + base::quoted(key) + " needs `from` and `to`");
    return std::nullopt;
  }
  const auto from = context.reader.string(*ends.from_node, "from");
  const auto to = context.reader.string(*ends.to_node, "to");
  if (!from || !to) return std::nullopt;
  ends.from = *from;
  ends.to = *to;
  return ends;
}

// One path, as a pattern without wildcards has it.
std::string read_path(FileContext& context, const toml::node& node, std::string text) {
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  const auto pattern = PathPattern::compile(text, context.anchors, Stance::permit);
  if (pattern.has_error()) {
    context.reader.fail(node, pattern.error().message());
    return {};
  }
  if (pattern->root() == pattern->canonical()) return pattern->root();
  context.reader.fail(node,
                      "a redirect is from one path to another; " + base::quoted(text) + " holds a wildcard");
  return {};
}

void read_paths(FileContext& context, const toml::node& node, std::string_view key, unsigned kinds,
                Redirect& redirect) {
  const auto ends = read_ends(context, node, key);
  if (!ends) return;
  Redirect::Path path{kinds, read_path(context, *ends->from_node, ends->from),
                      read_path(context, *ends->to_node, ends->to)};
  if (path.from.empty() || path.to.empty()) return;
  // What lands there would be redirected again.
  if (same_or_below(path.to, path.from))
    return context.reader.fail(*ends->to_node, base::quoted(ends->to) + " lies in " +
                                                   base::quoted(ends->from) +
                                                   ", which calls are redirected from");
  redirect.paths.push_back(std::move(path));
}

std::optional<network::Site> read_site(FileContext& context, const toml::node& node,
                                       const std::string& text) {
  const network::Target target = network::read_target(text, {});
  const std::size_t slashes = text.find("://");
  const bool bare =
      slashes != std::string::npos && text.find_first_of("/?#", slashes + 3) == std::string::npos;
  if (bare && target.agreed() && target.sites.size() == 1 && network::is_web_scheme(target.sites[0].scheme))
    return target.sites[0];
  context.reader.fail(node, base::quoted(text) +
                                " is no scheme and host that calls are redirected between, as in "
                                "`https://api.example.com`, and a port where it is not the usual one");
  return std::nullopt;
}

void read_address(FileContext& context, const toml::node& node, Redirect& redirect) {
  const auto ends = read_ends(context, node, "connect");
  if (!ends) return;
  const auto from = read_site(context, *ends->from_node, ends->from);
  const auto to = read_site(context, *ends->to_node, ends->to);
  if (!from || !to) return;
  if (*from == *to)
    return context.reader.fail(*ends->to_node,
                               base::quoted(ends->to) + " is where calls are redirected from");
  redirect.address = Redirect::Address{ends->to, *from, *to};
}

void read_arguments(FileContext& context, const toml::node& node, Redirect& redirect) {
  const toml::table* table = context.reader.table(node, "argument", "argument = { \"/dry_run\" = true }");
  if (table == nullptr) return;
  if (table->empty()) context.reader.fail(node, "`argument` is empty; leave the key out");
  for (const auto& [key, value] : *table) {
    const auto pointer = ArgumentCondition::compile(key.str(), "*", Stance::restrict);
    if (pointer.has_error() || key.str().empty()) {
      context.reader.fail(key.source(), pointer.has_error()
                                            ? pointer.error().message()
                                            : "a redirect sets one argument, not all of them");
      continue;
    }
    Redirect::Argument argument{std::string(key.str()), {}};
    if (const auto* text = value.as_string()) argument.value = text->get();
    if (const auto* flag = value.as_boolean()) argument.value = flag->get();
    if (const auto* whole = value.as_integer()) argument.value = whole->get();
    if (const auto* real = value.as_floating_point()) argument.value = real->get();
    if (argument.value.is_null())
      context.reader.fail(value, "an argument is redirected to a string, a number or a boolean");
    redirect.arguments.push_back(std::move(argument));
  }
}

}  // namespace

std::optional<Redirect> read_redirect(FileContext& context, const toml::node& node, const Rule& rule) {
  TomlReader& reader = context.reader;
  if (rule.tier == Tier::deny) {
    reader.fail(node,
                "`redirect` stands in allow and ask rules; what a deny matches is not passed on at all");
    return std::nullopt;
  }
  const toml::table* table =
      reader.table(node, "redirect", "redirect = { write = { from = \"src\", to = \"staging\" } }");
  if (table == nullptr) return std::nullopt;
  static constexpr std::array<std::string_view, 6> known{"read", "write",   "delete",
                                                         "path", "connect", "argument"};
  static constexpr std::array<TomlReader::Misplaced, 1> misplaced{
      {{"run", "is not redirected: what runs is passed on as it is, or not at all"}}};
  reader.check_keys(*table, known, misplaced);
  if (table->empty()) reader.fail(node, "`redirect` is empty; leave the key out");
  constexpr unsigned read = kind_bit(EffectKind::read);
  constexpr unsigned write = kind_bit(EffectKind::write);
  constexpr unsigned remove = kind_bit(EffectKind::remove);
  constexpr std::array<std::pair<const char*, unsigned>, 5> kinds{
      {{"read", read},
       {"write", write},
       {"delete", remove},
       {"path", read | write | remove},
       {"connect", kind_bit(EffectKind::connect)}}};
  Redirect redirect;
  for (const auto& [key, of] : kinds) {
    const toml::node* ends = table->get(key);
    if (ends == nullptr) continue;
    if ((kinds_of(rule.condition) & of) == 0)
      reader.fail(*ends, "the redirect never applies: the rule covers no " + base::quoted(key));
    if (of == kind_bit(EffectKind::connect))
      read_address(context, *ends, redirect);
    else
      read_paths(context, *ends, key, of, redirect);
  }
  if (const auto* arguments = table->get("argument")) read_arguments(context, *arguments, redirect);
  return redirect;
}

}  // namespace policy
