#include "proxy/replay/html.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "approvals/pretty.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/base/text.hpp"
#include "proxy/replay/markup.hpp"
#include "proxy/replay/picture.hpp"
#include "proxy/replay/words.hpp"

namespace embedded {
extern const std::string_view proxy_replay_page_html;
extern const std::string_view proxy_replay_page_css;
extern const std::string_view proxy_replay_page_js;
}  // namespace embedded

namespace proxy::replay {
namespace {

// Of all arguments together, so that a page of 10,000 calls still opens.
constexpr std::size_t arguments_bytes_max = 6u << 20;
constexpr std::size_t arguments_bytes_min = 200;

std::string utc(std::int64_t nanoseconds) {
  return base::utc_text(base::WallTime(std::chrono::nanoseconds(nanoseconds)));
}

std::string hash_of(std::string_view text) { return base::base64(base::bytes_of(base::sha256(text))); }

// `{{name}}` by its part, in one pass: what is put in is not looked at again.
std::string filled(std::string_view page, const std::map<std::string, std::string, std::less<>>& parts) {
  std::string out;
  for (;;) {
    const std::size_t open = page.find("{{");
    const std::size_t close = open == std::string_view::npos ? open : page.find("}}", open);
    if (close == std::string_view::npos) return out + std::string(page);
    out += page.substr(0, open);
    const auto part = parts.find(page.substr(open + 2, close - open - 2));
    if (part != parts.end()) out += part->second;
    page.remove_prefix(close + 2);
  }
}

std::string tile(const char* kind, const std::string& value, const std::string& text) {
  return "<div class=\"tile " + std::string(kind) + "\"><b>" + escaped(value) + "</b><span>" + escaped(text) +
         "</span></div>\n";
}

std::string tiles(const Timeline& timeline) {
  const Totals totals = totals_of(timeline);
  const auto number = [](std::size_t count) { return std::to_string(count); };
  std::string answers = number(totals.approved) + " approved, " + number(totals.refused) + " refused";
  if (totals.unanswered > 0) answers += ", " + number(totals.unanswered) + " not answered";
  return tile("", number(totals.calls), totals.calls == 1 ? "call" : "calls") +
         tile("allow", number(totals.allowed), "allowed") +
         tile("ask", number(totals.asked), totals.asked == 0 ? "asked" : "asked: " + answers) +
         tile("deny", number(totals.denied), "denied") +
         tile(totals.violations == 0 ? "" : "deny", number(totals.violations),
              totals.violations == 1 ? "violation" : "violations") +
         tile("", duration_text(totals.waited), "waited for people") +
         tile("", duration_text(timeline.end - timeline.start), "in all");
}

std::string checked_part(const Checked& checked) {
  const bool sound = checked.level == ledger::Report::Level::self_consistent;
  std::string text = "<div class=\"checked" + std::string(sound ? "" : " bad") + "\">Ledger " +
                     escaped(checked_text(checked));
  if (!checked.here.empty()) {
    text += "<ul>";
    const std::size_t listed = std::min(checked.here.size(), findings_shown_max);
    for (std::size_t i = 0; i < listed; ++i)
      text += "<li>" + escaped(finding_text(checked.here[i])) + "</li>";
    if (listed < checked.here.size())
      text += "<li>… and " + std::to_string(checked.here.size() - listed) + " more</li>";
    text += "</ul>";
  }
  return text + "</div>";
}

std::string term(const char* name, const std::string& text) {
  return text.empty() ? "" : "<dt>" + std::string(name) + "</dt><dd>" + escaped(text) + "</dd>\n";
}

std::string about(const Timeline& timeline) {
  std::string text = term("Agent, as it claims", timeline.agent.empty() ? "nameless" : timeline.agent);
  if (timeline.process != 0) text += term("Process", std::to_string(timeline.process));
  text += term("Workspace", timeline.workspace.empty() ? "gone" : timeline.workspace);
  text += term("Commit", timeline.commit);
  for (const ServerSeen& each : timeline.servers)
    text += term(
        "Server",
        each.name + (each.server_name.empty() ? "" : ": " + each.server_name + " " + each.server_version));
  for (const PolicySeen& each : timeline.policies)
    text += term("Policy", each.digest.substr(0, 12) + "  " + each.files);
  return text;
}

std::string effects_part(const Call& call) {
  std::string text = "<dt>Effects</dt><dd><ul>";
  for (const Effect& each : call.effects)
    text += "<li><span class=\"" + decision_class(each.tier) + "\"><span class=\"decision\">" +
            escaped(each.tier) + "</span></span> <code>" + escaped(each.summary) + "</code>" +
            (each.rule.empty() ? "" : " by " + escaped(each.rule)) + "</li>";
  if (call.effects_count > call.effects.size())
    text += "<li>… and " + std::to_string(call.effects_count - call.effects.size()) + " more</li>";
  return call.effects.empty() ? "" : text + "</ul></dd>\n";
}

std::string answer_part(const Call& call) {
  if (!call.answer) return {};
  std::string text =
      term("Answer", call.answer->verdict + " after " + duration_text(call.answer->time - call.time) +
                         ", as " + call.answer->level);
  const auto words = call.answer->words;
  if (words == Answered::Words::gone) text += term("Because", "the operator's words are gone");
  if (words == Answered::Words::proven || words == Answered::Words::unproven)
    text += std::string("<dt>Because") +
            (words == Answered::Words::proven ? "" : " (changed since it was signed)") +
            "</dt><dd><blockquote>" + escaped_lines(call.answer->rationale, 4096) + "</blockquote></dd>\n";
  return text;
}

std::string arguments_part(const Call& call, std::size_t bytes_max) {
  if (call.arguments_gone) return "<p>arguments gone</p>";
  if (call.arguments.empty()) return {};
  const bool whole = call.arguments_size <= argument_bytes_max;
  const auto laid_out = whole ? approvals::pretty(call.arguments) : std::nullopt;
  const std::string& text = laid_out ? *laid_out : call.arguments;
  const bool cut = !whole || text.size() > bytes_max;
  return "<pre>" + escaped_lines(text, bytes_max) + "</pre>" +
         (cut ? "<p>cut; <code>callgate ledger show " + std::to_string(call.record) + "</code> has all of " +
                    size_text(call.arguments_size) + "</p>"
              : "");
}

std::string body(const Call& call, std::size_t bytes_max) {
  std::string by = decided_by(call);
  if (!call.layer.empty()) by += " (" + call.layer + (call.place.empty() ? "" : ", " + call.place) + ")";
  std::string text = "<div class=\"body\"><dl>\n" +
                     term("Time", utc(call.time) + ", record " + std::to_string(call.record)) +
                     term("Rule", by) + term("Why", call.why) + effects_part(call) +
                     term("Redirected by", call.redirected_by);
  if (call.again_of) text += term("Judged before", "as call " + std::to_string(*call.again_of));
  if (call.answer_of)
    text += term("About", "what came back of the call of record " + std::to_string(*call.answer_of));
  if (call.joins) text += term("Joins", "the ask of record " + std::to_string(*call.joins));
  text += answer_part(call);
  if (call.grant) text += term("Grant", "record " + std::to_string(*call.grant));
  text += term("Found", call.found);
  return text + "</dl>" + arguments_part(call, bytes_max) + "</div>";
}

std::string call_part(const Timeline& timeline, const Call& call, std::size_t bytes_max) {
  const std::string what = telling_effect(timeline, call);
  std::string breaches;
  for (const Breach& each : call.breaches)
    breaches += "<span class=\"breach\">▲ violation: " + escaped(breach_text(each)) + "</span>";
  return "<li class=\"call " + decision_class(call.decision) + (breaches.empty() ? "" : " violated") +
         "\" data-kind=\"" + escaped(call.decision) + "\" id=\"call-" + std::to_string(call.number) +
         "\"><details><summary><span class=\"number\">" + std::to_string(call.number) +
         "</span><span class=\"after\">" + after_text(call.time - timeline.start) +
         "</span><span class=\"decision\">" + decision_icon(call.decision) + escaped(call.decision) +
         "</span><span class=\"tool\">" + escaped(call.server, 64) + "/" + escaped(call.what(), 128) +
         "</span><span class=\"what\">" + escaped(what) + "</span><span class=\"out\">" +
         escaped(outcome_text(call)) + "</span>" + breaches + "</summary>" + body(call, bytes_max) +
         "</details></li>\n";
}

std::string event_part(const Timeline& timeline, const Event& event) {
  return "<li class=\"event" + std::string(event.kind == Event::Kind::trouble ? " troubled" : "") +
         "\" data-kind=\"event\"><span class=\"after\">" + after_text(event.time - timeline.start) +
         "</span><p>" + escaped(event.text) + "</p></li>\n";
}

std::string jump(const Timeline& timeline, const std::vector<std::size_t>& places, const char* text,
                 bool (*fits)(const Call&)) {
  for (const std::size_t place : places)
    if (const Call* call = std::get_if<Call>(&timeline.entries[place]); call != nullptr && fits(*call))
      return "<a href=\"#call-" + std::to_string(call->number) + "\">" + text + "</a>";
  return {};
}

}  // namespace

std::string timeline_html(const Timeline& timeline, const std::vector<std::size_t>& places,
                          const Checked& checked) {
  const std::size_t each_max = std::clamp(arguments_bytes_max / std::max<std::size_t>(places.size(), 1),
                                          arguments_bytes_min, 2 * argument_bytes_max);
  std::string entries;
  std::size_t calls = 0;
  for (const std::size_t place : places) {
    const Call* call = std::get_if<Call>(&timeline.entries[place]);
    entries += call != nullptr ? call_part(timeline, *call, each_max)
                               : event_part(timeline, std::get<Event>(timeline.entries[place]));
    calls += call != nullptr ? 1 : 0;
  }
  const Totals totals = totals_of(timeline);
  return filled(
      embedded::proxy_replay_page_html,
      {{"style_hash", hash_of(embedded::proxy_replay_page_css)},
       {"script_hash", hash_of(embedded::proxy_replay_page_js)},
       {"style", std::string(embedded::proxy_replay_page_css)},
       {"script", std::string(embedded::proxy_replay_page_js)},
       {"id", escaped(timeline.span.id)},
       {"state", escaped(timeline.state)},
       {"when", escaped(utc(timeline.start) + " to " + utc(timeline.end))},
       {"checked", checked_part(checked)},
       {"tiles", tiles(timeline)},
       {"picture", picture(timeline, places)},
       {"about", about(timeline)},
       {"shown", calls == totals.calls
                     ? std::to_string(calls) + (calls == 1 ? " call" : " calls")
                     : std::to_string(calls) + " of " + std::to_string(totals.calls) + " calls"},
       {"jumps",
        jump(timeline, places, "first violation", [](const Call& call) { return !call.breaches.empty(); }) +
            jump(timeline, places, "first denied", [](const Call& call) { return call.decision == "DENY"; }) +
            jump(timeline, places, "first asked", [](const Call& call) { return call.decision == "ASK"; })},
       {"entries", entries},
       {"footer", "Could have been dropped or rewritten unnoticed: " + escaped(checked.unproven) +
                      ", by whoever can write the ledger’s files. Keys: n, p next and previous call; v next "
                      "violation; d next "
                      "denied; / search."}});
}

}  // namespace proxy::replay
