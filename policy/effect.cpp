#include "policy/effect.hpp"

#include <algorithm>

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

// As a shell would take it for this one word.
std::string shell_word(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t\r\n'\"\\$`;|&<>()*?[") == std::string::npos) return word;
  if (word.find('\'') == std::string::npos) return "'" + word + "'";
  if (word.find_first_of("\"\\$`") == std::string::npos) return '"' + word + '"';
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

// What is not known before it runs stands as it was written.
std::string words_of(const Command& command) {
  std::string text;
  for (std::size_t i = 0; i < command.words.size(); ++i) {
    const bool unknown =
        std::find(command.unknown.begin(), command.unknown.end(), i) != command.unknown.end();
    text += (i == 0 ? "" : " ") + (unknown ? command.words[i] : shell_word(command.words[i]));
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
    case EffectKind::run: return effect.command.line.empty() ? words_of(effect.command) : effect.command.line;
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
