#include "policy/rule/found_content.hpp"

#include "policy/review/explain.hpp"
#include "tests/policy/verdicts.hpp"

using namespace policy;
using namespace policy_tests;

namespace {

Call write(const std::string& content) {
  return call("write_file", base::json::Value{{"path", "a"}, {"content", content}}.dump());
}

std::string rule(const std::string& tier, const std::string& content) {
  return allow_w + "[[" + tier + "]]\nid = \"c\"\ncontent = [" + content + "]\n";
}

const std::string card = "4111 1111 1111 1111";

}  // namespace

TEST_CASE("what was found in a content, by which pattern and where, is told, and never the text itself") {
  for (const std::string tier : {"deny", "ask"}) {
    const Decision decision =
        judged(rule(tier, "\"frob\", \"@payment\""), write("one\ntwo\nthe card " + card + "\n"));
    const std::string& found = deciding(decision)->found;
    CHECK(found == "`@payment` (card-number) in `/content`, line 3");
    const std::string told = explain_to_agent(decision);
    CHECK(told.find(found) != std::string::npos);
    CHECK(told.find("4111") == std::string::npos);
  }
}

TEST_CASE("of expressions the one that found something is told") {
  const Decision decision = judged(rule("deny", "\"frob\", \"T[0-9]+K\""), write("a\nxT12Kx"));
  CHECK(deciding(decision)->found == "the expression `T[0-9]+K` in `/content`, line 2");
}

TEST_CASE("what is found in a decoding has no line") {
  const Decision decision = judged(rule("deny", "\"frobnicate\""), write("aGVsbG8gZnJvYm5pY2F0ZSB3b3JsZA=="));
  CHECK(deciding(decision)->found ==
        "the expression `frobnicate` in `/content`, encoded or spread over the text");
}

TEST_CASE("a rule that does not look at content tells of none") {
  CHECK(deciding(judged(allow_w + "[[deny]]\nid = \"d\"\nwrite = [\"/w/a\"]\n", write(card)))->found.empty());
  CHECK(deciding(judged(allow_w, write(card)))->found.empty());
}

TEST_CASE("explain tells what was found") {
  const DescribedFiles files;
  const Policy policy = load(rule("deny", "\"@payment\""));
  const Explanation explanation = explain(policy, write(card), scene(files));
  CHECK(explanation_text(explanation)
            .find("    found in its content: `@payment` (card-number) in `/content`, line 1\n") !=
        std::string::npos);
  CHECK(explanation_json(explanation).dump().find("\"found\":") != std::string::npos);
}
