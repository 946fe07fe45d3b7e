#include "policy/rule/almost.hpp"

#include "policy/review/explain.hpp"
#include "tests/policy/verdicts.hpp"

using namespace policy;
using policy_tests::call;
using policy_tests::judged;
using policy_tests::load;
using policy_tests::run;

namespace {

// Of the first effect that is not allowed.
Almost almost(const std::string& text, const Call& described) {
  const Decision decision = judged(text, described);
  for (const Reason& reason : decision.reasons)
    if (reason.tier != Tier::allow) return reason.almost;
  return {};
}

bool says(const Almost& almost, const std::string& part) {
  INFO(almost.text);
  return almost.text.find(part) != std::string::npos;
}

Call fetch(const std::string& method) {
  base::json::Value arguments{{"url", "https://api.example.com/v1/a"}};
  if (!method.empty()) arguments["method"] = method;
  return call("fetch", arguments.dump(), "web");
}

const std::string declared =
    "[tools.\"web/fetch\"]\nconnect=\"/url\"\nmethod=\"/method\"\n[tools.\"web/get\"]\nconnect=\"/url\"\n";
const std::string get_only = "[[allow]]\nid=\"x\"\nconnect=[\"GET https://api.example.com\"]\n" + declared;

}  // namespace

TEST_CASE("where an allow of the host fails by the method alone, both methods are said") {
  const Almost post = almost(get_only, fetch("POST"));
  CHECK(post.key == "connect");
  CHECK(says(post, "rule `x` at `test.toml:2` would allow it if the method were `GET`, and it is `POST`"));
  CHECK_FALSE(almost(get_only, fetch("GET")));
}

TEST_CASE("where the method is not known, what would make it known is said") {
  const Almost unknown = almost(get_only, call("get", R"({"url":"https://api.example.com/"})", "web"));
  CHECK(says(unknown, "which cannot be known here: declare the argument"));
}

TEST_CASE("where an allow of the host fails by scheme or port alone, that is said") {
  const std::string text = "[[allow]]\nid=\"x\"\nconnect=[\"localhost\"]\n" + declared;
  const Almost port = almost(text, call("get", R"({"url":"http://localhost:3000/"})", "web"));
  CHECK(says(port, "at the scheme and port of `localhost`"));
  CHECK_FALSE(almost(text, call("get", R"({"url":"http://elsewhere.example:3000/"})", "web")));
}

TEST_CASE("a folder that is named without what lies below is told") {
  const std::string text = "[[allow]]\nid=\"x\"\nwrite=[\"src\"]\n";
  const auto write = [](const char* path) {
    return call("write_file", base::json::Value{{"path", path}, {"content", ""}}.dump());
  };
  CHECK(says(almost(text, write("src/a/b.ts")), "if its `src` were `src/`, which is all below"));
  CHECK_FALSE(almost(text, write("src2/a")));
}

TEST_CASE("the key of an allow that does not hold is named") {
  const std::string write_here = "[[allow]]\nid=\"x\"\nwrite=[\"**\"]\n";
  const Call write = call("write_file", R"({"path":"a.txt","content":"text","limit":5})");
  CHECK(almost(write_here + "content=[\"TODO\"]\n", write).key == "content");
  CHECK(almost(write_here + "argument={ \"/limit\" = \"<= 3\" }\n", write).key == "argument");
  CHECK(almost(write_here + "server=\"other\"\n", write).key == "server");
  CHECK(almost(write_here + "agent=\"claude*\"\n", write).key == "agent");
  CHECK(almost(write_here + "except.write=[\"*.txt\"]\n", write).key == "except");
  CHECK(almost("[[allow]]\nid=\"x\"\nrun=[\"sudo ls\"]\nelevated=false\n", run("sudo ls")).key == "elevated");
  CHECK(almost("[[allow]]\nid=\"x\"\nrun=[\"ls\"]\ncwd=[\"src/\"]\n", run("ls")).key == "cwd");
  CHECK(almost("[[allow]]\nid=\"x\"\nrun=[\"git\"]\n", run("git $X")).key == "opaque");
}

TEST_CASE("an allow that waits for earlier calls says which") {
  const Almost found =
      almost("[[allow]]\nid=\"x\"\nrun=[\"git push\"]\nafter={ run=[\"npm test $\"], within=\"1h\" }\n",
             run("git push"));
  CHECK(found.key == "after");
  CHECK(says(found, "would allow it after 1 call in 1h with run `npm test $`"));
}

TEST_CASE("an allow that fails by two keys, or for another path, is not named") {
  const Call write = call("write_file", R"({"path":"a.txt","content":"text"})");
  CHECK_FALSE(almost("[[allow]]\nid=\"x\"\nwrite=[\"**\"]\nserver=\"other\"\nagent=\"claude*\"\n", write));
  CHECK_FALSE(almost("[[allow]]\nid=\"x\"\nwrite=[\"b.txt\"]\n", write));
  CHECK_FALSE(almost("[[allow]]\nid=\"x\"\nserver=\"files\"\ntool=\"other\"\n", call("mine", "{}")));
}

TEST_CASE("what decides is not touched by it, and a rule's denial says nothing of allows") {
  const std::string text = get_only + "[[deny]]\nid=\"no\"\nconnect=[\"@any\"]\n";
  CHECK_FALSE(almost(text, fetch("POST")));
  CHECK(judged(get_only, fetch("POST")).tier == Tier::deny);
}

TEST_CASE("agents and people are told") {
  const Decision decision = judged(get_only, fetch("POST"));
  CHECK(explain_to_agent(decision).find("would allow it if the method were `GET`") != std::string::npos);
  const DescribedFiles files;
  const Explanation explained = explain(load(get_only), fetch("POST"), policy_tests::scene(files));
  CHECK(explanation_text(explained).find("    almost: rule `x`") != std::string::npos);
  CHECK(explanation_json(explained).dump().find(R"("almost":{"key":"connect")") != std::string::npos);
}
