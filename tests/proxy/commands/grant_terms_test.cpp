#include "proxy/commands/grant_terms.hpp"

#include "proxy/mission/grant_offer.hpp"
#include "tests/approvals/samples.hpp"
#include "tests/catch.hpp"

using namespace approvals;
using proxy::commands::grant_terms;
using proxy::commands::GrantWanted;
using samples::at;
using namespace std::chrono_literals;

namespace {

AskView asked(const std::string& each_time = "") {
  AskView view;
  view.decision = samples::ask(5);
  if (each_time.empty())
    view.decision.record.details["same"] = base::hex(base::sha256("same"));
  else
    view.decision.record.details["each_time"] = each_time;
  view.grantable = proxy::rule_head("files") + "write = [\"a\"]\n";
  return view;
}

GrantWanted wanted(const std::string& scope, const std::string& rule = "", const std::string& expires = "") {
  return {.scope = scope, .rule = rule, .expires = expires, .reason = "r"};
}

base::Result<GrantTerms> terms(const GrantWanted& wanted, const AskView& view = asked()) {
  return grant_terms(view, wanted, at(0s));
}

}  // namespace

TEST_CASE("each scope has its rule; the very call is bound by its digest, too") {
  CHECK(terms(wanted("")).value().scope == GrantScope::call);
  CHECK(terms(wanted("")).value().same == base::sha256("same"));
  CHECK(terms(wanted("tool")).value().rule == proxy::rule_for_tool("files", "tools/call", "write_file"));
  CHECK_FALSE(terms(wanted("tool")).value().same.has_value());
  CHECK(terms(wanted("effects")).value().rule == *asked().grantable);
  CHECK(terms(wanted("", "write = [\"b\"]")).value().rule == proxy::rule_head("files") + "write = [\"b\"]\n");
  CHECK(terms(wanted("", "write = [\"b\"]")).value().scope == GrantScope::rule);
}

TEST_CASE("a grant lasts a day at most, and so by default") {
  CHECK(terms(wanted("")).value().until == at(24h));
  CHECK(terms(wanted("", "", "2h")).value().until == at(2h));
  for (const char* wrong : {"25h", "0s", "soon", "-1h"})
    CHECK(terms(wanted("", "", wrong)).error().code() == base::Code::invalid);
}

TEST_CASE("what is asked each time is refused with its reason, in every scope") {
  for (const auto& [word, why] :
       {std::pair("opaque", "understood"), {"malicious", "malicious"}, {"may-deny", "denied"}})
    for (const char* scope : {"call", "effects", "tool"}) {
      const auto refused = terms(wanted(scope), asked(word));
      REQUIRE_FALSE(refused.has_value());
      CHECK(refused.error().code() == base::Code::refused);
      CHECK(refused.error().message().find(why) != std::string::npos);
    }
  CHECK_FALSE(terms(wanted("", "write = [\"**\"]"), asked("opaque")).has_value());
}

TEST_CASE("what cannot be said, or kept as it was said, is refused") {
  CHECK(terms(wanted("all")).error().code() == base::Code::invalid);
  CHECK(terms(wanted("rule")).error().code() == base::Code::invalid);
  CHECK(terms(wanted("tool", "write = [\"b\"]")).error().code() == base::Code::invalid);
  AskView view = asked();
  view.grantable.reset();
  CHECK(terms(wanted("effects"), view).error().code() == base::Code::refused);
  view.grantable = proxy::rule_head("files") + "run = [\"x <redacted:key>\"]\n";
  CHECK(terms(wanted("effects"), view).error().code() == base::Code::refused);
  const std::string secret = "run = [\"x --token ghp_" + std::string(36, 'a') + "\"]";
  CHECK(terms(wanted("", secret)).error().code() == base::Code::refused);
}

TEST_CASE("what is wrong with a rule is said at its place in what was typed") {
  const policy::Anchors anchors{"/w", "/home/dev"};
  const auto wrong = [&](const std::string& rule) {
    return proxy::commands::grant_rule(terms(wanted("", rule)).value().rule, anchors).error().place();
  };
  CHECK(wrong("runn = [\"a\"]") == "--rule:1:1");
  CHECK(wrong("read = [\"a\"]\nwrite = [\"**a\"]") == "--rule:2:10");
  CHECK(proxy::commands::grant_rule(terms(wanted("", "read = [\"a\"]")).value().rule, anchors).has_value());
}
