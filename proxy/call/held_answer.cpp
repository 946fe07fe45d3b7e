#include "proxy/call/held_answer.hpp"

#include <utility>

#include "proxy/base/json.hpp"
#include "proxy/call/records.hpp"

namespace proxy {
namespace {

constexpr const char* answer_method = "result";

policy::Reason reason_of(const ResultFinding& finding) {
  policy::Reason reason;
  reason.tier = finding.withholds ? policy::Tier::deny : finding.tier;
  reason.rule = finding.rule;
  reason.layer = finding.layer;
  reason.place = finding.place;
  reason.severity = finding.severity;
  reason.violation_class = finding.violation_class;
  std::string found;
  for (const std::string& detector : finding.detectors) found += (found.empty() ? "" : ", ") + detector;
  reason.why = finding.why + (finding.why.empty() || found.empty() ? "" : "; ") +
               (found.empty() ? "" : "found: " + found);
  reason.remedy = finding.tier == policy::Tier::ask ? "an operator's approval" : "";
  reason.beyond = finding.tier == policy::Tier::ask;
  return reason;
}

}  // namespace

transports::Message answer_message(const transports::Message& request, const CheckedAnswer& checked) {
  transports::Message message;
  message.kind = transports::Kind::request;
  message.id = request.id;
  message.method = answer_method;
  message.bytes = checked.result;
  message.params = {0, message.bytes.size()};
  return message;
}

policy::Call answer_call(policy::Call where, const transports::Message& request,
                         const CheckedAnswer& checked) {
  where.method = answer_method;
  where.tool = tool_of(request);
  auto value = base::json::parse(checked.result);
  where.arguments = value ? std::move(*value) : base::json::Value::object();
  return where;
}

policy::Decision answer_decision(const transports::Message& request, const CheckedAnswer& checked) {
  policy::Decision decision;
  decision.tier = checked.withheld ? policy::Tier::deny
                  : checked.asks   ? policy::Tier::ask
                                   : policy::Tier::allow;
  for (const ResultFinding& finding : checked.findings) {
    const bool decides = checked.withheld ? finding.withholds : finding.tier == policy::Tier::ask;
    if (!decides || decision.tier == policy::Tier::allow) continue;
    policy::Effect effect;
    effect.name = "answer of " + called(request);
    decision.reasons.push_back(reason_of(finding));
    decision.reasons.back().effect = decision.effects.size();
    decision.effects.push_back(std::move(effect));
  }
  return decision;
}

}  // namespace proxy
