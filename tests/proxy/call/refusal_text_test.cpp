#include "proxy/call/refusal_text.hpp"

#include <set>

#include "tests/catch.hpp"

using proxy::Direction;
using proxy::refusal_text;
using proxy::RefusedCall;
using proxy::WhyRefused;

namespace {

const auto whys = {WhyRefused::none,    WhyRefused::denied, WhyRefused::by_operator, WhyRefused::timed_out,
                   WhyRefused::pending, WhyRefused::failed, WhyRefused::peer_gone};

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("every refusal is a sentence of its own, and what needs an operator says which approval") {
  std::set<std::string> texts;
  for (const WhyRefused why : whys) {
    const std::string text = refusal_text({.why = why, .ask = 17});
    CHECK_FALSE(text.empty());
    texts.insert(text);
    CHECK(contains(text, "17") == (why == WhyRefused::timed_out || why == WhyRefused::pending));
  }
  CHECK(texts.size() == whys.size() - 1);  // none is the same failure as failed
}

TEST_CASE("whether a call took effect is never said to be known once it was passed on") {
  for (const WhyRefused why : {WhyRefused::failed, WhyRefused::peer_gone}) {
    CHECK(contains(refusal_text({.why = why, .forwarded = true}), "unknown"));
    CHECK_FALSE(contains(refusal_text({.why = why, .forwarded = false}), "unknown"));
  }
}

TEST_CASE("who is gone is the side that should have answered") {
  CHECK(contains(refusal_text({.why = WhyRefused::peer_gone, .direction = Direction::to_server}),
                 "the server"));
  CHECK(
      contains(refusal_text({.why = WhyRefused::peer_gone, .direction = Direction::to_agent}), "the agent"));
}

TEST_CASE("a denial says the rule's reason, or the one that stands in its place") {
  RefusedCall denied{.why = WhyRefused::denied};
  denied.decision.reasons.push_back({.rule = "no-secrets", .why = "secrets stay here"});
  denied.decision.effects.emplace_back();
  CHECK(contains(refusal_text(denied), "no-secrets"));
  denied.because = "nobody is there";
  CHECK(refusal_text(denied) == "callgate refused this call: nobody is there");
}

TEST_CASE("an operator's words are told, and none are made up") {
  CHECK(contains(refusal_text({.why = WhyRefused::by_operator, .because = "use the test database"}),
                 "refused this call: use the test database;"));
  CHECK(contains(refusal_text({.why = WhyRefused::by_operator}), "refused this call;"));
}

TEST_CASE("a refusal's code says whether it is worth a repeat") {
  CHECK(proxy::refusal_code(WhyRefused::denied) == proxy::AnswerCode::denied);
  CHECK(proxy::refusal_code(WhyRefused::by_operator) == proxy::AnswerCode::denied);
  CHECK(proxy::refusal_code(WhyRefused::pending) == proxy::AnswerCode::pending);
  CHECK(proxy::refusal_code(WhyRefused::timed_out) == proxy::AnswerCode::timed_out);
  CHECK(proxy::refusal_code(WhyRefused::peer_gone) == proxy::AnswerCode::peer_gone);
  CHECK(proxy::refusal_code(WhyRefused::failed) == proxy::AnswerCode::failed);
  CHECK(proxy::refusal_code(WhyRefused::none) == proxy::AnswerCode::failed);
}
