#include "policy/grant.hpp"

#include <algorithm>
#include <array>

#include "policy/load/parts.hpp"

namespace policy {
namespace {

void check_grant(TomlReader& reader, const toml::table& table, const Rule& rule) {
  if (rule.condition.server.size() != 1 || !rule.condition.server.front().literal())
    reader.fail(table, "a grant names one `server`, without wildcards");
  for (const char* key : {"opaque", "after", "rate", "redirect"})
    if (const toml::node* node = table.get(key))
      reader.fail(*node, std::string("`") + key + "` does not stand in a grant");
}

const Grant* grant_for(const std::vector<const Grant*>& in_scope, const Call& call, const Subject& subject,
                       Roots& roots) {
  const auto found = std::find_if(in_scope.begin(), in_scope.end(), [&](const Grant* grant) {
    roots.steps().spend(1);
    return rule_matches(*grant->rule, call, subject, roots) == Match::full;
  });
  return found == in_scope.end() ? nullptr : *found;
}

}  // namespace

base::Result<Rule> load_grant(const std::string& file, std::string_view toml, const Anchors& anchors) {
  if (toml.size() > grant_bytes_max)
    return base::Error(base::Code::limit,
                       "the rule of a grant has at most " + std::to_string(grant_bytes_max) + " bytes");
  auto parsed = parse_toml(file, toml);
  if (parsed.has_error()) return parsed.error();
  TomlReader reader(file);
  FileContext context{reader, anchors, Layer::mission};
  static constexpr std::array<std::string_view, 1> known{"allow"};
  reader.check_keys(*parsed, known);
  const toml::array* list = parsed->get_as<toml::array>("allow");
  const toml::table* table = list != nullptr && list->size() == 1 ? list->front().as_table() : nullptr;
  if (table == nullptr) {
    reader.fail(*parsed, "a grant is one rule, begun by `[[allow]]`");
    return reader.errors().front();
  }
  Rule rule = read_rule(context, *table, Tier::allow);
  check_grant(reader, *table, rule);
  if (const auto errors = reader.errors(); !errors.empty()) return errors.front();
  return rule;
}

const char* name(EachTime why) {
  switch (why) {
    case EachTime::no: return "";
    case EachTime::opaque: return "opaque";
    case EachTime::malicious: return "malicious";
    case EachTime::may_deny: return "may-deny";
    case EachTime::beyond: return "beyond";
    case EachTime::caution: return "caution";
    case EachTime::uncovered: return "uncovered";
  }
  return "uncovered";
}

EachTime asked_each_time(const Effect& effect, const Reason& reason) {
  if (effect.opaque) return EachTime::opaque;
  if (!reason.violation_class.empty()) return EachTime::malicious;
  if (reason.may_deny) return EachTime::may_deny;
  if (reason.beyond) return EachTime::beyond;
  return effect.caution.empty() ? EachTime::no : EachTime::caution;
}

EachTime asked_each_time(const Decision& decision) {
  for (const Reason& reason : decision.reasons) {
    if (reason.tier != Tier::ask) continue;
    const EachTime why = asked_each_time(decision.effects[reason.effect], reason);
    if (why != EachTime::no) return why;
  }
  return EachTime::no;
}

void answer_by_grants(const std::vector<Grant>& grants, const Call& call,
                      const std::vector<Subject>& subjects, Roots& roots, Decision& decision) {
  std::vector<const Grant*> in_scope;
  for (const Grant& grant : grants)
    if (scope_matches(grant.rule->condition, call)) in_scope.push_back(&grant);
  if (decision.tier != Tier::ask || in_scope.empty()) return;
  bool left = false;
  for (std::size_t i = 0; i < decision.reasons.size(); ++i) {
    Reason& reason = decision.reasons[i];
    if (reason.tier != Tier::ask) continue;
    const bool may = asked_each_time(decision.effects[i], reason) == EachTime::no;
    const Grant* grant = may ? grant_for(in_scope, call, subjects[i], roots) : nullptr;
    if (grant == nullptr || roots.steps().spent()) {
      left = true;
      continue;
    }
    reason.tier = Tier::allow;
    reason.grant = grant->id;
    reason.remedy.clear();
  }
  if (!left) decision.tier = Tier::allow;
}

}  // namespace policy
