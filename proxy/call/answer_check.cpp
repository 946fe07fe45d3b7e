#include "proxy/call/answer_check.hpp"

#include <exception>
#include <utility>

#include "policy/result.hpp"
#include "proxy/base/json_find.hpp"
#include "proxy/base/json_string.hpp"
#include "proxy/base/text.hpp"
#include "proxy/call/answers.hpp"
#include "proxy/call/withheld_text.hpp"

namespace proxy {
namespace {

constexpr std::size_t findings_bytes_max = 2000;

// The answer's `result` or `error` with what was found in its strings cut out.
std::string searched(std::string_view value, policy::ResultSearch& search) {
  std::string left;
  std::size_t copied = 0;
  base::json::each_string(value, [&](base::json::Piece piece, bool key) {
    if (search.withheld_by() != nullptr) return;
    const auto instead = search.look(base::json::unescaped(value.substr(piece.offset, piece.size)), key);
    if (!instead) return;
    left += value.substr(copied, piece.offset - copied);
    left += json_string(*instead);
    copied = piece.offset + piece.size;
  });
  return left.append(value.substr(copied));
}

void add_note(std::string& line, const std::string& note) {
  const std::string text = json_string(note);
  const auto try_set = [&](std::string_view pointer, std::string_view value) {
    auto changed = base::json::replaced(line, pointer, value);
    if (changed) line = std::move(*changed);
    return changed.has_value();
  };
  if (const auto message = base::json::find(line, "/error/message")) {
    const std::string said = line.substr(message->offset, message->size);
    if (said.starts_with('"'))
      try_set("/error/message", json_string(note + "; " + base::json::unescaped(said)));
    return;
  }
  const auto content = base::json::find(line, "/result/content");
  if (content && line[content->offset] == '[') {
    const bool empty = !base::json::find(line, "/result/content/0");
    line.insert(content->offset + 1, R"({"type":"text","text":)" + text + (empty ? "}" : "},"));
    return;
  }
  if (!base::json::find(line, "/result/_meta")) try_set("/result/_meta", "{}");
  try_set("/result/_meta/callgate~1redirected", text);
}

CheckedAnswer withhold(const transports::Message& request, const policy::Rule* rule) {
  CheckedAnswer checked;
  checked.withheld = true;
  checked.line =
      call_answer(request, AnswerCode::denied,
                  rule == nullptr ? withheld("callgate could not look at it; " + std::string(not_again))
                                  : withheld_by(rule->id, rule->layer, rule->why));
  return checked;
}

// A response as it should be: nobody has looked at what else stands in it.
std::string without_more(const transports::Message& answer, const std::string& value) {
  return R"({"jsonrpc":"2.0","id":)" + answer.id + (answer.is_error ? ",\"error\":" : ",\"result\":") +
         value + "}";
}

ResultFinding found_by(const policy::Finding& finding) {
  const policy::Rule& rule = *finding.rule;
  return {rule.id,       rule.tier,         rule.layer, rule.place, rule.why, rule.violation_class,
          rule.severity, finding.detectors, false};
}

CheckedAnswer check(const transports::Message& request, const transports::Message& answer,
                    const std::vector<std::shared_ptr<const policy::Rule>>& rules, const std::string& note) {
  policy::ResultSearch search(rules);
  CheckedAnswer checked;
  checked.line = answer.bytes;
  checked.result = answer.at(answer.result);
  if (!rules.empty()) {
    std::string left = searched(checked.result, search);
    if (search.withheld_by() != nullptr) {
      checked = withhold(request, search.withheld_by());
    } else if (answer.more || left != checked.result) {
      if (answer.more)
        checked.line = without_more(answer, left);
      else
        checked.line.replace(answer.result.offset, answer.result.size, left);
      checked.result = std::move(left);
    }
  }
  for (const policy::Finding& finding : search.findings())
    if (!finding.detectors.empty() || finding.rule == search.withheld_by()) {
      checked.findings.push_back(found_by(finding));
      checked.findings.back().withholds = finding.rule == search.withheld_by();
    }
  checked.asks = search.asks() && !checked.withheld;
  if (!note.empty()) add_note(checked.line, note);
  return checked;
}

}  // namespace

CheckedAnswer check_answer(const transports::Message& request, const transports::Message& answer,
                           const std::vector<std::shared_ptr<const policy::Rule>>& rules,
                           const std::string& note) {
  try {
    return check(request, answer, rules, note);
  } catch (const std::exception&) {
    return withhold(request, nullptr);
  }
}

CheckedAnswer without_room(const transports::Message& request, CheckedAnswer checked) {
  CheckedAnswer instead = withhold(request, nullptr);
  instead.line =
      call_answer(request, AnswerCode::failed,
                  withheld("a person is to be asked, and too much waits already; " + std::string(not_again)));
  instead.findings = std::move(checked.findings);
  return instead;
}

std::string findings_text(const std::vector<ResultFinding>& findings) {
  std::string text;
  for (const ResultFinding& finding : findings) {
    text += (text.empty() ? "" : "; ") + finding.rule;
    for (std::size_t i = 0; i < finding.detectors.size(); ++i)
      text += (i == 0 ? " " : ",") + finding.detectors[i];
  }
  return base::bounded(text, findings_bytes_max);
}

}  // namespace proxy
