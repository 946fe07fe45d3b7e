#include "policy/effect.hpp"

namespace policy {

const char* name(EffectKind kind) {
  switch (kind) {
    case EffectKind::use: return "use";
    case EffectKind::read: return "read";
    case EffectKind::write: return "write";
    case EffectKind::remove: return "delete";
    case EffectKind::run: return "run";
    case EffectKind::connect: return "connect";
    case EffectKind::sample: return "sample";
    case EffectKind::elicit: return "elicit";
  }
  return "use";
}

namespace {

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text;
}

std::string object_of(const Effect& effect) {
  switch (effect.kind) {
    case EffectKind::use:
    case EffectKind::sample:
    case EffectKind::elicit: return effect.name;
    case EffectKind::read:
    case EffectKind::write:
    case EffectKind::remove: return effect.path.lexical.empty() ? effect.path.written : effect.path.lexical;
    case EffectKind::run:
      return effect.command.line.empty() ? joined(effect.command.words) : effect.command.line;
    case EffectKind::connect: {
      const std::string methods = joined(effect.request.methods);
      return methods.empty() ? effect.destination : methods + ' ' + effect.destination;
    }
  }
  return {};
}

}  // namespace

std::string summary(const Effect& effect) {
  std::string text = name(effect.kind);
  const std::string object = object_of(effect);
  if (!object.empty()) text += ' ' + object;
  const bool has_path = effect.kind == EffectKind::read || effect.kind == EffectKind::write ||
                        effect.kind == EffectKind::remove;
  if (has_path && effect.path.real != effect.path.lexical) text += " (really " + effect.path.real + ")";
  for (const NameGlob& each : effect.reach.names) text += (text.ends_with('/') ? "" : "/") + each.glob.text();
  if (effect.reach.recursive) text += " and all below";
  if (effect.opaque) text += " (not understood)";
  if (effect.guessed) text += " (a guess)";
  return text;
}

}  // namespace policy
