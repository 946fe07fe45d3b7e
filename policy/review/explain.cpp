#include "policy/review/explain.hpp"

#include <algorithm>

#include "policy/review/let_pass.hpp"
#include "policy/variable_note.hpp"
#include "proxy/base/text.hpp"
#include "proxy/base/utf8.hpp"

namespace policy {

namespace {

using base::json::Value;

constexpr std::size_t shown_bytes_max = 300;

// JSON must be UTF-8; what is not is shown as escapes.
std::string json_text(const std::string& text) {
  return base::utf8::valid(text) ? text : base::printable(text, text.size() * 4 + 4);
}

Value reason_json(const Reason& reason) {
  Value value{{"decision", name(reason.tier)}, {"layer", name(reason.layer)}};
  value["rule"] = reason.rule.empty() ? Value() : Value(json_text(reason.rule));
  if (!reason.place.empty()) value["place"] = json_text(reason.place);
  if (!reason.why.empty()) value["why"] = json_text(reason.why);
  if (!reason.found.empty()) value["found"] = json_text(reason.found);
  if (!reason.rule.empty() && reason.tier == Tier::deny) value["severity"] = name(reason.severity);
  if (!reason.violation_class.empty()) value["class"] = reason.violation_class;
  if (reason.grant != 0) value["grant"] = reason.grant;
  if (!reason.remedy.empty()) value["remedy"] = json_text(reason.remedy);
  if (reason.almost) value["almost"] = {{"key", reason.almost.key}, {"text", json_text(reason.almost.text)}};
  return value;
}

Value hit_json(const Hit& hit) {
  Value value{{"rule", hit.rule->id}, {"decision", name(hit.rule->tier)}, {"layer", name(hit.rule->layer)}};
  if (!hit.rule->place.empty()) value["place"] = json_text(hit.rule->place);
  if (hit.match == Match::below) value["below"] = true;
  if (!hit.counts) value["delegated"] = false;
  return value;
}

// What else an address may be read as; nothing where there is one reading.
Value readings_json(const Effect& effect) {
  Value value = Value::object();
  if (effect.kind != EffectKind::connect) return value;
  const network::Target target = network::read_target(effect.destination, effect.request);
  const auto list = [&](const char* key, const auto& all, bool any, auto text) {
    if (all.size() + (any ? 1 : 0) < 2) return;
    Value texts = Value::array();
    for (const auto& each : all) texts.push_back(json_text(text(each)));
    if (any) texts.push_back("any other");
    value[key] = std::move(texts);
  };
  const auto same = [](const std::string& text) { return text; };
  list("hosts", target.sites, target.any_site, [](const network::Site& site) {
    return site.host.name.empty() ? std::string("no host") : text_of(site);
  });
  list("paths", target.paths, target.any_path, same);
  list("methods", target.methods, target.any_method && !target.methods.empty(), same);
  return value;
}

std::string readings_text(const Effect& effect) {
  std::string text;
  const Value readings = readings_json(effect);
  for (const auto& [key, list] : readings.items()) {
    text += "    " + key + " it may mean:";
    std::string shown;
    for (const Value& each : list) shown += (shown.empty() ? " " : ", ") + each.get<std::string>();
    text += base::printable(shown, shown_bytes_max) + "\n";
  }
  return text;
}

// Empty: nothing did.
std::string decided_by(const Reason& reason) {
  if (reason.rule.empty() && reason.tier == Tier::allow) return {};
  std::string text = reason.rule.empty() ? "default" : "rule " + base::quoted(reason.rule);
  text += std::string(", ") + name(reason.layer);
  if (!reason.place.empty()) text += ", " + base::printable(reason.place);
  if (reason.grant == 0) return text;
  return "covered by grant " + std::to_string(reason.grant) + ", of what is asked by " + text;
}

}  // namespace

std::string to_understand(const Decision& decision, const Reason& reason) {
  const Effect& effect = decision.effects[reason.effect];
  if (!reason.rule.empty() || reason.tier == Tier::allow || !effect.refused.empty()) return {};
  const auto use = std::find_if(decision.effects.begin(), decision.effects.end(), [](const Effect& each) {
    return each.kind == EffectKind::use && !each.opaque;
  });
  const std::string tool = use == decision.effects.end() ? "SERVER/TOOL" : summary(*use).substr(4);
  const std::string table = base::quoted("[tools.\"" + tool + "\"]", shown_bytes_max);
  const bool guesses = std::any_of(decision.effects.begin(), decision.effects.end(),
                                   [](const Effect& each) { return each.guessed && !each.idle; });
  if (effect.kind == EffectKind::use && !effect.opaque)
    return guesses ? "declare in " + table + " what its arguments mean" : std::string();
  if (!effect.opaque) return {};
  if (effect.kind == EffectKind::use)
    return effect.argument.empty() ? "declare in " + table + " what its arguments mean"
                                   : "declare " + base::quoted(effect.argument, shown_bytes_max) + " in " +
                                         table + ", or `ignore` it";
  if (const std::string variable = variable_of(effect.note); !variable.empty())
    return "leave " + variable + " out, or, if it changes nothing of what runs, name it in " +
           base::quoted("neutral_variables") + " of the operator's policy";
  const Command& command = effect.command;
  if (effect.kind == EffectKind::run && command.unknown.empty() && !command.words.empty())
    return "say in " + base::quoted("[commands." + command.words.front() + "]", shown_bytes_max) +
           " of the operator's policy what its words do, or write out what is computed";
  if (!command.unknown.empty() && command.unknown.front() < command.words.size())
    return "write out " + base::quoted(command.words[command.unknown.front()], shown_bytes_max);
  return "write out what is not known before it runs";
}

Explanation explain(const Policy& policy, const Call& call, const Scene& scene,
                    const std::vector<Grant>& grants) {
  Explanation explanation;
  explanation.decision = judge(policy.rules(), call, scene, History::empty(), &explanation.looks);
  if (explanation.decision.tier == Tier::ask && !grants.empty()) {
    Explanation granted;
    granted.decision = judge(policy.rules(), call, scene, History::empty(), &granted.looks, grants);
    if (granted.decision.tier == Tier::allow) explanation = std::move(granted);
  }
  explanation.counts = !policy.tallies().empty();
  return explanation;
}

namespace {

// A guess counts only where a deny or ask rule concerns it.
bool concerns_nobody(const Decision& decision, const std::vector<Hit>& hits, std::size_t effect) {
  const Reason& reason = decision.reasons[effect];
  const Effect& guess = decision.effects[effect];
  return guess.guessed && !guess.idle && reason.tier == Tier::allow && reason.grant == 0 &&
         std::none_of(hits.begin(), hits.end(), [&](const Hit& hit) { return hit.effect == effect; });
}

std::string effects_text(const Decision& decision, const std::vector<Hit>& hits) {
  std::string text;
  std::size_t guesses = 0;
  for (std::size_t i = 0; i < decision.effects.size(); ++i) {
    if (concerns_nobody(decision, hits, i)) {
      ++guesses;
      continue;
    }
    const Reason& reason = decision.reasons[i];
    text += "  " + std::string(name(reason.tier)) + "  " +
            base::printable(summary(decision.effects[i]), shown_bytes_max) + "\n";
    text += readings_text(decision.effects[i]);
    if (const std::string by = decided_by(reason); !by.empty())
      text += (reason.grant == 0 ? "    decided by: " : "    ") + by + "\n";
    if (!reason.why.empty()) text += "    why: " + base::printable(reason.why, shown_bytes_max) + "\n";
    if (!reason.found.empty())
      text += "    found in its content: " + base::printable(reason.found, shown_bytes_max * 2) + "\n";
    for (const Hit& hit : hits) {
      if (hit.effect != i) continue;
      text += "    matches: " + std::string(name(hit.rule->tier)) + " " + base::quoted(hit.rule->id);
      if (!hit.rule->place.empty()) text += " at " + base::printable(hit.rule->place);
      if (hit.match == Match::below) text += " (below)";
      if (!hit.counts) text += " (does not count: not delegated)";
      text += "\n";
    }
    if (reason.almost)
      text += "    almost: " + base::printable(reason.almost.text, shown_bytes_max * 2) + "\n";
    if (const std::string mend = to_understand(decision, reason); !mend.empty())
      text += "    to have it understood: " + mend + "\n";
    if (const std::string pass = to_let_pass(decision, reason, hits); !pass.empty())
      text += "    an allow covers it, and an ask rule asks; to let it pass: " + pass + "\n";
    if (!reason.remedy.empty())
      text += "    to allow it: " + base::printable(reason.remedy, shown_bytes_max * 2) + "\n";
  }
  if (guesses > 0)
    text += "  left out: " + std::to_string(guesses) +
            (guesses == 1 ? " guess that no rule concerns\n" : " guesses that no rule concerns\n");
  return text;
}

std::string changes_text(const Redirected& redirected) {
  std::string text;
  for (const Change& change : redirected.changes) {
    text += "  redirected: " + base::quoted(change.argument, shown_bytes_max) + " becomes " +
            base::quoted(change.value, shown_bytes_max);
    if (!change.was.empty()) text += " in place of " + base::quoted(change.was, shown_bytes_max);
    text += ", by " + base::quoted(change.rule);
    if (!change.place.empty()) text += " at " + base::printable(change.place);
    text += "\n";
  }
  return text;
}

Value redirected_json(const Redirected& redirected) {
  Value changes = Value::array();
  for (const Change& change : redirected.changes) {
    changes.push_back({{"argument", change.argument},
                       {"value", Value::parse(change.value)},
                       {"rule", change.rule},
                       {"layer", name(change.layer)}});
    if (!change.was.empty()) changes.back()["was"] = Value::parse(change.was);
    if (!change.place.empty()) changes.back()["place"] = json_text(change.place);
  }
  return {{"changes", std::move(changes)}, {"arguments", Value::parse(redirected.arguments)}};
}

Value decision_json(const Decision& decision, const std::vector<Hit>& hits) {
  Value effects = Value::array();
  for (std::size_t i = 0; i < decision.effects.size(); ++i) {
    Value effect = effect_json(decision.effects[i]);
    if (Value readings = readings_json(decision.effects[i]); !readings.empty())
      effect["readings"] = std::move(readings);
    effect["summary"] = base::printable(summary(decision.effects[i]), shown_bytes_max);
    effect["matches"] = Value::array();
    effect["decided_by"] = reason_json(decision.reasons[i]);
    if (const std::string mend = to_understand(decision, decision.reasons[i]); !mend.empty())
      effect["to_understand"] = mend;
    if (const std::string pass = to_let_pass(decision, decision.reasons[i], hits); !pass.empty())
      effect["to_let_pass"] = pass;
    effects.push_back(std::move(effect));
  }
  for (const Hit& hit : hits) effects[hit.effect]["matches"].push_back(hit_json(hit));
  return {{"decision", name(decision.tier)}, {"effects", std::move(effects)}};
}

}  // namespace

std::string explanation_text(const Explanation& explanation) {
  const Decision& decision = explanation.decision;
  std::string text = std::string(name(decision.tier)) + "\n";
  if (decision.redirected) text += changes_text(*decision.redirected);
  text += effects_text(decision, explanation.looks.hits);
  for (const auto& rule : decision.result_rules) {
    text += "  what comes back: searched by " + base::quoted(rule->id);
    if (!rule->place.empty()) text += " at " + base::printable(rule->place);
    text += rule->tier == Tier::ask ? ", which has a person asked if it finds something\n"
            : rule->redact          ? ", which cuts out what it finds\n"
                                    : ", which withholds it if it finds something\n";
  }
  if (const auto& asked = explanation.looks.asked)
    text += "as it was asked: " + std::string(name(asked->tier)) + "\n" +
            effects_text(*asked, explanation.looks.asked_hits);
  if (explanation.counts)
    text +=
        "  no earlier calls: judged as the first of a mission, where no `after` holds and no `rate` is used "
        "up\n";
  return text;
}

Value effect_json(const Effect& effect) {
  Value value{{"effect", name(effect.kind)}};
  if (!effect.name.empty()) value["name"] = json_text(effect.name);
  if (!effect.path.written.empty()) {
    value["path"] = json_text(effect.path.lexical);
    if (effect.path.real != effect.path.lexical) value["real"] = json_text(effect.path.real);
  }
  if (effect.kind == EffectKind::run) {
    Value words = Value::array();
    for (const std::string& word : effect.command.words) words.push_back(json_text(word));
    value["words"] = std::move(words);
    if (!effect.command.line.empty()) value["line"] = json_text(effect.command.line);
    value["directory"] = json_text(effect.command.directory);
    if (effect.command.elevated) value["elevated"] = true;
    if (!effect.command.unknown.empty()) value["unknown"] = effect.command.unknown;
    for (const Wrapping& outer : effect.command.wrapped_in) {
      Value outer_words = Value::array();
      for (const std::string& word : outer.words) outer_words.push_back(json_text(word));
      value["wrapped_in"].push_back(std::move(outer_words));
    }
  }
  if (!effect.destination.empty()) value["destination"] = json_text(effect.destination);
  for (const auto& [key, texts] :
       {std::pair("methods", &effect.request.methods), std::pair("headers", &effect.request.headers)})
    for (const std::string& text : *texts) value[key].push_back(json_text(text));
  if (effect.content) value["content_bytes"] = effect.content->size();
  if (effect.opaque) value["opaque"] = true;
  if (effect.reach.recursive) value["recursive"] = true;
  for (const NameGlob& each : effect.reach.names) value["names"].push_back(json_text(each.glob.text()));
  if (effect.guessed) value["guessed"] = true;
  if (!effect.argument.empty()) value["argument"] = json_text(effect.argument);
  if (!effect.note.empty()) value["note"] = json_text(effect.note);
  return value;
}

Value explanation_json(const Explanation& explanation) {
  Value value = decision_json(explanation.decision, explanation.looks.hits);
  if (explanation.decision.redirected)
    value["redirected"] = redirected_json(*explanation.decision.redirected);
  for (const auto& rule : explanation.decision.result_rules) {
    Value searched{{"rule", rule->id},
                   {"decision", name(rule->tier)},
                   {"layer", name(rule->layer)},
                   {"redact", rule->redact}};
    if (!rule->place.empty()) searched["place"] = json_text(rule->place);
    value["result"].push_back(std::move(searched));
  }
  if (const auto& asked = explanation.looks.asked)
    value["asked"] = decision_json(*asked, explanation.looks.asked_hits);
  if (explanation.counts) value["history"] = Value::array();  // judged as the first call of a mission
  return value;
}

}  // namespace policy
