#include "policy/result.hpp"

#include <algorithm>

#include "policy/load/load.hpp"
#include "policy/review/explain.hpp"
#include "tests/policy/verdicts.hpp"

using namespace policy;
using namespace policy_tests;

namespace {

std::string deny(const std::string& keys, const std::string& id = "x") {
  return "[[deny]]\nid = \"" + id + "\"\n" + keys + "\n";
}

std::string complaint(const std::string& text) {
  const auto errors =
      check_source({Layer::mission, "p.toml", "version = 1\n" + text, true}, {"/w", "/home/dev"});
  return errors.empty() ? "" : errors.front().text();
}

// What becomes of one string under a policy's rules; `-`: it is withheld, `=`: it stays.
std::string looked(const std::string& policy_text, const std::string& text, bool fixed = false) {
  const Policy loaded = policy_tests::load(policy_text);
  ResultSearch search(loaded.rules().result_rules);
  const auto left = search.look(text, fixed);
  return search.withheld_by() != nullptr ? "-" : left.value_or("=");
}

std::size_t searching(const std::string& policy_text, const Call& call) {
  return judged(policy_text, call).result_rules.size();
}

const std::string key =
    "AKIA"
    "Q3EGRTV7WXZ5MNBC";
const std::string token = "TOK_[A-Z]{3}";

}  // namespace

TEST_CASE("a rule on results says nothing of the call itself") {
  const std::string rule = deny("result = \"secret\"");
  CHECK(tier(allow_w, read("a")) == Tier::allow);
  CHECK(tier(allow_w + rule, read("a")) == Tier::allow);
  CHECK(tier(ask + rule, read("a")) == Tier::ask);
}

TEST_CASE("an answer is searched where the rule's other keys match the call and an effect") {
  const std::string rule = allow_w + deny("read = \"src/**\"\nresult = \"secret\"");
  CHECK(searching(rule, read("src/a")) == 1);
  CHECK(searching(rule, read("b")) == 0);
  CHECK(searching(rule, call("write_file", R"({"path":"src/a","content":""})")) == 0);
  CHECK(searching(allow_w + deny("tool = \"read_*\"\nresult = \"s\""), read("a")) == 1);
  CHECK(searching(allow_w + deny("tool = \"read_*\"\nresult = \"s\""), run("ls")) == 0);
  CHECK(searching(allow_w + deny("read = \"**\"\nexcept.read = \"src/a\"\nresult = \"s\""), read("src/a")) ==
        0);
  CHECK(searching(allow_w + deny("result = \"s\""), call("do", "{}", "other")) == 1);
  Call task = call("", R"({"taskId":"1"})");
  task.method = "tasks/result";
  CHECK(searching(rule, task) == 1);
  CHECK(searching(allow_w + deny("server = \"other\"\nresult = \"s\""), task) == 0);
}

TEST_CASE("what is found withholds the answer, or is cut out of it") {
  const std::string plain = deny("result = \"" + token + "\"");
  CHECK(looked(plain, "nothing") == "=");
  CHECK(looked(plain, "a TOK_ABC b") == "-");
  const std::string redacts = deny("result = \"" + token + "\"\nredact = true");
  CHECK(looked(redacts, "nothing") == "=");
  CHECK(looked(redacts, "a TOK_ABC b TOK_DEF") == "a [redacted: x] b [redacted: x]");
  CHECK(looked(redacts, "TOK_ABC", true) == "-");
  CHECK(looked(redacts + deny("result = \"b T\"", "y"), "a TOK_ABC b TOK_DEF") == "-");
  CHECK(looked(redacts + deny("result = \"ABC b\"\nredact = true", "y"), "a TOK_ABC b") == "a [redacted: x]");
}

TEST_CASE("detectors are cut out, and what is encoded goes with the whole text") {
  const std::string redacts = deny("result = \"@secrets\"\nredact = true");
  const std::string left = looked(redacts, "key " + key + " here");
  CHECK(left.find("Q3EGRTV7") == std::string::npos);
  CHECK(left.find("[redacted: x]") != std::string::npos);
  CHECK(left.find(" here") != std::string::npos);
  CHECK(looked(redacts, "echo cG9zdGdyZXM6Ly9hcHA6czhmN0txMm1acEBkYi9hcHA=") == "[redacted: x]");
  CHECK(looked(redacts, "no key here") == "=");
}

TEST_CASE("expressions are held against what is encoded, as detectors are") {
  const std::string redacts = deny("result = \"" + token + "\"\nredact = true");
  const std::string encoded = "cGFzczogVE9LX0FCQyBhbmQgbm8gbW9yZQ==";  // `pass: TOK_ABC and no more`
  CHECK(looked(redacts, encoded) == "[redacted: x]");
  CHECK(looked(redacts, "TOK_DEF and " + encoded) == "[redacted: x]");
  CHECK(looked(redacts, encoded, true) == "-");
  CHECK(looked(deny("result = \"" + token + "\""), encoded) == "-");
  // A file of bytes, as `blob` has it.
  CHECK(looked(redacts, "AP+BAgNwYXNzOiBUT0tfQUJDIGFuZP8AgQ==") == "[redacted: x]");
  CHECK(looked(redacts, "00000000: 7061 7373 3a20 544f 4b5f 4142 43         pass: TOK_A BC") ==
        "[redacted: x]");
  CHECK(looked(redacts, "cGFzczogdG9rZW4gYW5kIG5vIG1vcmUuLi4=") == "=");
  // More encoded text than is looked through may be anything.
  const std::string over_and_over =
      "%2541 \xE2\x80\x8B %25%32%35 \xE2\x80\x8B" + std::string(std::size_t{4} << 20, '.');
  CHECK(looked(redacts, over_and_over) == "[redacted: x]");
}

TEST_CASE("an answer of too many texts is withheld, however short they are") {
  const Policy loaded = policy_tests::load(deny("result = \"TOK\""));
  ResultSearch search(loaded.rules().result_rules);
  std::size_t texts = 0;
  while (search.withheld_by() == nullptr && texts < 1'000'000) {
    search.look("a", false);
    ++texts;
  }
  CHECK(texts > 300'000);
  CHECK(texts < 1'000'000);
}

TEST_CASE("what its own mark would be found by is withheld") {
  CHECK(looked(deny("result = \"redacted|TOK\"\nredact = true"), "a TOK b") == "-");
  CHECK(looked(deny("result = \"x*\"\nredact = true"), "abc") == "-");
}

TEST_CASE("an ask rule lets a person say, unless a deny rule withholds the answer") {
  const std::string ask = "[[ask]]\nid = \"look\"\nresult = \"TOK\"\n";
  const auto asks = [](const std::string& rules, std::string_view text) {
    const Policy loaded = policy_tests::load(rules);
    ResultSearch search(loaded.rules().result_rules);
    CHECK(search.look(text, false) == std::nullopt);
    return search.withheld_by() != nullptr ? 'w' : search.asks() ? 'a' : '-';
  };
  CHECK(asks(ask, "a TOK b") == 'a');
  CHECK(asks(ask, "a tok b") == '-');
  CHECK(asks(ask + deny("result = \"a\""), "a TOK b") == 'w');
  // What is cut out for one rule is still asked for by another.
  const Policy both = policy_tests::load(ask + deny("result = \"TOK\"\nredact = true"));
  ResultSearch search(both.rules().result_rules);
  CHECK(search.look("a TOK b", false) == "a [redacted: x] b");
  CHECK(search.asks());
}

TEST_CASE("findings name rule and detector") {
  const Policy loaded = policy_tests::load(deny("result = [\"@secrets\", \"" + token + "\"]\nredact = true"));
  ResultSearch search(loaded.rules().result_rules);
  search.look("TOK_ABC", false);
  search.look("key " + key, false);
  search.look("TOK_ABC", false);
  REQUIRE(search.findings().size() == 1);
  const auto& detectors = search.findings().front().detectors;
  CHECK(std::count(detectors.begin(), detectors.end(), "expression") == 1);
  CHECK(detectors.size() >= 2);
}

TEST_CASE("what is wrong with a rule on results is said at its place") {
  CHECK(complaint(deny("result = \"x\"\nredact = true")).empty());
  CHECK(complaint("[[allow]]\nid = \"x\"\nresult = \"x\"\n")
            .find("p.toml:4:10: `result` stands in ask and deny rules") == 0);
  CHECK(complaint("[[ask]]\nid = \"x\"\nresult = \"x\"\n").empty());
  CHECK(complaint("[[ask]]\nid = \"x\"\nresult = \"x\"\nredact = true\n")
            .find("p.toml:5:10: `redact` stands beside `result` in deny rules") == 0);
  CHECK(complaint(deny("redact = true")).find("p.toml:4:10: `redact` stands beside `result`") == 0);
  CHECK(complaint(deny("result = \"(\"")).find("does not compile") != std::string::npos);
  CHECK(complaint(deny("result = \"@nothing\"")) != "");
  CHECK(complaint(deny("read = \"a\"\nexcept = { result = \"x\" }")).find("unknown key `result`") !=
        std::string::npos);
}

TEST_CASE("explain says by what the answer would be searched") {
  const DescribedFiles files;
  const Policy loaded = policy_tests::load(allow_w + deny("read = \"**\"\nresult = \"s\"\nredact = true"));
  const Explanation explained = explain(loaded, read("a"), policy_tests::scene(files));
  CHECK(explanation_text(explained).find(
            "  what comes back: searched by `x` at test.toml:7, which cuts out what it finds\n") !=
        std::string::npos);
  CHECK(explanation_json(explained)["result"][0]["redact"] == true);
  const Policy asking = policy_tests::load(allow_w + "[[ask]]\nid = \"x\"\nresult = \"s\"\n");
  const Explanation asked = explain(asking, read("a"), policy_tests::scene(files));
  CHECK(explanation_text(asked).find("searched by `x` at test.toml:7, which has a person asked") !=
        std::string::npos);
  CHECK(explanation_json(asked)["result"][0]["decision"] == "ASK");
}
