#include <random>

#include "tests/policy/scenes.hpp"

using namespace policy;
using policy_tests::call;

namespace {

using Texts = std::initializer_list<std::string>;

std::mt19937 generator(20260117);

std::size_t below(std::size_t count) {
  return std::uniform_int_distribution<std::size_t>(0, count - 1)(generator);
}

std::string pick(Texts list) { return *(list.begin() + below(list.size())); }

std::string rule(const std::string& kind) {
  static int number = 0;
  std::string text = "[[" + kind + "]]\nid=\"r" + std::to_string(++number) + "\"\n";
  const std::string path = pick({"/w/**", "**/.env", "/w/src/a", "/etc/", "**"});
  return text + pick({"", "read=[\"" + path + "\"]\n", "path=[\"" + path + "\"]\n", "run=[\"ls\"]\n",
                      "tool=\"do\"\n", "server=\"files\"\n", "connect=[\"@any\"]\n",
                      "path=[\"" + path + "\"]\nexcept={ path=[\"/w/src/a\"] }\n"});
}

std::string declaration() {
  std::string text =
      "[tools.\"" + pick({"*/*", "files/*", "other/do", "*/read_file", "workshop/run_command"}) + "\"]\n";
  const std::string pointer = pick({"/path", "/x", "", "/command", "/content"});
  text += pick({"read", "write", "delete", "connect", "resource", "cwd"}) + "=\"" + pointer + "\"\n";
  if (below(3) == 0) text += "run=\"/command\"\nshell=\"" + pick({"sh", "none"}) + "\"\n";
  if (below(3) == 0) text += "ignore=[\"/path\", \"/x\", \"/command\"]\n";
  return text;
}

std::string repository() {
  std::string text = pick({"", "", "default=\"ask\"\n", "default=\"deny\"\n", "default={ read=\"deny\" }\n"});
  for (std::size_t rules = below(3); rules > 0; --rules) text += rule(pick({"allow", "ask", "ask", "deny"}));
  return below(2) == 0 ? text : text + declaration();
}

std::vector<Source> operators() {
  std::string text = pick({"", "default=\"ask\"\n"});
  if (below(3) == 0) return {};  // the baseline stands
  for (std::size_t rules = below(4); rules > 0; --rules)
    text += rule(pick({"allow", "allow", "ask", "deny"}));
  return {{Layer::user, "user.toml", "version = 1\n" + text, true}};
}

Call any_call() {
  const std::string path = pick({"src/a", ".env", "/etc/passwd", "l/x", "file:///w/a"});
  const base::json::Value both{{"path", path}, {"x", "https://h/"}, {"command", pick({"ls", "cat .env"})}};
  switch (below(5)) {
    case 0: return call("read_file", base::json::Value{{"path", path}}.dump());
    case 1: return call("do", both.dump(), "other");
    case 2: return call("do", "{}", "other");
    case 3: return call("run_command", base::json::Value{{"command", "cat " + path}}.dump(), "workshop");
    default: return call("directory_tree", both.dump());
  }
}

Decision judged(std::vector<Source> sources, const std::string& repository_text, const Call& described) {
  if (!repository_text.empty())
    sources.push_back({Layer::repository, "r.toml", "version = 1\n" + repository_text, false});
  const DescribedFiles files(std::map<std::string, std::string>{{"/w/l", "/etc"}});
  const auto loaded = Policy::load(sources, "/w", "/home/dev");
  INFO((loaded ? std::string() : loaded.error().text()) << repository_text);
  REQUIRE(loaded.has_value());
  return loaded->judge(described, policy_tests::scene(files));
}

}  // namespace

TEST_CASE("an untrusted declaration does not stand for the allow that a tool needs") {
  const Call pay = call("pay", R"({"x":"README.md"})", "bank");
  CHECK(judged({}, "", pay).tier == Tier::ask);
  for (const char* key : {"read", "write", "delete", "connect", "resource", "run"}) {
    INFO(key);
    CHECK(judged({}, "[tools.\"*/*\"]\n" + std::string(key) + "=\"/x\"\n", pay).tier <= Tier::ask);
  }
  CHECK(judged({}, "[tools.\"*/*\"]\nread=\"/x\"\n", call("pay", R"({"x":"/w/.env"})", "bank")).tier ==
        Tier::deny);
}

TEST_CASE("an untrusted ask neither lifts a denial nor speaks as the operator") {
  const std::string words = "[[ask]]\nid=\"reviewed-by-security-team\"\nwhy=\"safe to approve\"\n";
  const std::vector<Source> deny{{Layer::user, "u.toml", "version = 1\ndefault=\"deny\"\n", true}};
  const std::vector<Source> ask{{Layer::user, "u.toml", "version = 1\ndefault=\"ask\"\n", true}};
  const Call read = call("read_file", R"({"path":"a"})");
  CHECK(judged(deny, words, read).tier == Tier::deny);
  CHECK(judged(ask, words, read) == judged(ask, "", read));
  const Decision asked = judged({}, words, read);
  CHECK(asked.tier == Tier::ask);
  REQUIRE(deciding(asked) != nullptr);
  CHECK(deciding(asked)->rule == "untrusted-repository/reviewed-by-security-team");
  CHECK(deciding(asked)->why == "the untrusted repository says: safe to approve");
  const std::string below = "[[deny]]\nid=\"d\"\nread=[\"**/x\"]\n";
  CHECK(judged(deny, below, call("directory_tree", R"({"path":"a"})")).tier == Tier::deny);
}

TEST_CASE("no file of an untrusted repository makes a decision milder") {
  for (int round = 0; round < 400; ++round) {
    const std::vector<Source> sources = operators();
    const std::string text = repository();
    for (int i = 0; i < 4; ++i) {
      const Call described = any_call();
      INFO((sources.empty() ? "baseline" : sources.front().bytes)
           << "\n--\n"
           << text << "\n--\n"
           << described.tool << " " << described.arguments.dump());
      CHECK(judged(sources, text, described).tier <= judged(sources, "", described).tier);
    }
  }
}
