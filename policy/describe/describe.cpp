#include "policy/describe/describe.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "policy/command/runs.hpp"
#include "policy/describe/declared.hpp"
#include "policy/describe/effect_list.hpp"
#include "policy/describe/git_changes.hpp"
#include "policy/describe/guess.hpp"
#include "policy/path/hidden.hpp"
#include "policy/path/path.hpp"

namespace policy {

namespace {

using base::json::Value;

Effect use_of(std::string name) {
  Effect effect;
  effect.name = std::move(name);
  return effect;
}

std::string text_at(const Value& arguments, const char* key) {
  if (!arguments.is_object()) return {};
  const auto found = arguments.find(key);
  return found != arguments.end() && found->is_string() ? found->get<std::string>() : std::string();
}

void guess_all(EffectList& list, const Value& arguments) {
  if (!arguments.is_object()) return guess_effects(list, arguments, "", "");
  for (const auto& [key, value] : arguments.items())
    guess_effects(list, value, key, '/' + pointer_token(key));
}

void describe_tool(EffectList& list, const Call& call, const std::vector<ToolDeclaration>& declarations) {
  list.add(use_of(call.server + '/' + call.tool));
  if (call.tool.empty()) list.add_opaque(EffectKind::use, {}, "a call without a tool name");
  if (!call.arguments.is_object()) {
    list.add_opaque(EffectKind::use, {}, "arguments that are no object");
    return guess_all(list, call.arguments);
  }
  const std::vector<Declared> found = declared_for(call, declarations, list.catalogue());
  for (const Declared& declared : found) describe_declared(list, call.arguments, declared);
  const bool known = std::any_of(found.begin(), found.end(),
                                 [](const Declared& declared) { return !declared.declaration->adds_only; });
  if (known) {
    describe_unknown_arguments(list, call.arguments, found);
  } else {
    guess_all(list, call.arguments);
  }
}

void describe_resource(EffectList& list, const Call& call) {
  const std::string uri = text_at(call.arguments, "uri");
  list.add(use_of("resource:" + uri));
  if (uri.empty()) return list.add_opaque(EffectKind::use, {"/uri"}, "a resource without an address");
  describe_address(list, uri, {"/uri"});
}

void describe_server_request(EffectList& list, const Call& call, EffectKind kind) {
  Effect effect;
  effect.kind = kind;
  effect.name = call.server;
  list.add(std::move(effect));
  list.add(use_of("method:" + call.method));
}

// What the disk says now holds only where the call itself does not change it first.
void doubt(std::vector<Effect>& effects, const EffectList& list, const Catalogue& catalogue) {
  const bool changed = may_change_git(effects);
  std::optional<Replaced> replaced;
  for (Effect& effect : effects) {
    if (changed) {
      effect.reach.part = GitPart::all;
      if (leaves_out_hidden(effect.reach))
        effect.reach = {.recursive = true, .settled = effect.reach.settled, .listing = effect.reach.listing};
    }
    Command& command = effect.command;
    if (command.words.empty() || command.directory.empty()) continue;
    const command::Entry* entry = catalogue.command(command::base_name(command.words.front()));
    if (entry == nullptr || !entry->own_repository || !list.away(command.directory)) continue;
    if (!replaced) replaced.emplace(effects);
    const auto real = real_path(command.directory, "/", *list.scene().links);
    if (changed || !real || replaced->meets(*real) || replaced->meets(fold_path(command.directory, "/")))
      command.elsewhere = true;
  }
}

// Where links are put by the call itself, paths lead elsewhere than they do now.
void doubt_links(std::vector<Effect>& effects, EffectList& list) {
  if (list.placed().empty()) return;
  Placements placements(list.placed(), list.in_order(), *list.scene().links);
  for (std::size_t i = 0; i < effects.size(); ++i) {
    Effect& effect = effects[i];
    const bool path = effect.kind == EffectKind::read || effect.kind == EffectKind::write ||
                      effect.kind == EffectKind::remove;
    if (!path || effect.guessed || effect.path.lexical.empty() || !placements.meets(effect, i)) continue;
    effect.caution = "it may lead through a link that another command of the call puts there";
  }
}

}  // namespace

std::vector<Effect> describe(const Call& call, const Scene& scene,
                             const std::vector<ToolDeclaration>& declarations, const Catalogue& catalogue) {
  EffectList list(scene, catalogue, call.folders);
  if (call.method == "tools/call") {
    describe_tool(list, call, declarations);
  } else if (call.method == "resources/read") {
    describe_resource(list, call);
  } else if (call.method == "prompts/get") {
    list.add(use_of("prompt:" + text_at(call.arguments, "name")));
    if (call.arguments.is_object() && call.arguments.contains("arguments"))
      guess_effects(list, call.arguments["arguments"], "", "/arguments");
  } else if (call.method == "sampling/createMessage") {
    describe_server_request(list, call, EffectKind::sample);
  } else if (call.method == "elicitation/create") {
    describe_server_request(list, call, EffectKind::elicit);
  } else {
    list.add(use_of("method:" + call.method));
    guess_all(list, call.arguments);
  }
  std::vector<Effect> effects = list.take();
  doubt(effects, list, catalogue);
  if (!list.full()) doubt_links(effects, list);
  return effects;
}

}  // namespace policy
