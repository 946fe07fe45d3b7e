#include "policy/path/seen.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <random>

#include "policy/judge.hpp"
#include "policy/path/known_links.hpp"
#include "policy/path/recalled.hpp"
#include "policy/path/witness.hpp"
#include "tests/policy/path/repository.hpp"
#include "tests/policy/scenes.hpp"

using namespace policy;
using policy_tests::call;
using policy_tests::load;

namespace {

// Nothing may be asked of it.
class Absent final : public Links {
 public:
  std::optional<std::string> target(const std::string&) const override { return refuse("t"); }
  bool may_have_links(const std::string&) const override { return asked_ = true; }
  Standing standing(const std::string&) const override { return asked_ = true, Standing{Kind::link}; }
  std::optional<std::vector<Entry>> entries(const std::string&, std::size_t) const override {
    return asked_ = true, std::vector<Entry>{{"x", Kind::link}};
  }
  std::optional<std::string> text(const std::string&, std::size_t) const override { return refuse("*\n"); }
  bool folds_case(const std::string&) const override { return asked_ = true; }
  bool asked() const { return asked_; }

 private:
  std::string refuse(const char* text) const { return asked_ = true, text; }
  mutable bool asked_ = false;
};

// A described file system: whatever it is asked has one answer, drawn from the path.
class Drawn final : public Links {
 public:
  explicit Drawn(unsigned seed) : seed_(seed) {}
  std::optional<std::string> target(const std::string& path) const override {
    if (kind(path) != Kind::link) return std::nullopt;
    constexpr const char* targets[] = {"/w", "..", "a", "/etc/x", "b/\xff%", "/w/a/b"};
    return targets[draw(path, 1) % std::size(targets)];
  }
  bool may_have_links(const std::string& path) const override {
    for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
      if (kind(path.substr(0, slash)) == Kind::link) return true;
    return kind(path) == Kind::link;
  }
  Standing standing(const std::string& path) const override {
    const auto stands = kind(path);
    return {stands, stands == Kind::file ? draw(path, 2) % 3 : 0};
  }
  std::optional<std::vector<Entry>> entries(const std::string& directory, std::size_t most) const override {
    if (draw(directory, 3) % 5 == 0) return std::nullopt;
    std::vector<Entry> found;
    if (std::count(directory.begin(), directory.end(), '/') < 4)
      for (const char* name : {"a", "b", "c.txt", ".git", "d\xfe", "password"})
        if (const auto stands = kind((directory == "/" ? "" : directory) + '/' + name))
          found.push_back({name, *stands});
    return found.size() <= most ? std::optional(found) : std::nullopt;
  }
  std::optional<std::string> text(const std::string& path, std::size_t most) const override {
    constexpr const char* texts[] = {"*.txt\n", "a/\n", "[core]\n\tbare = false\n", "ref: refs/heads/a\n",
                                     "\xff"};
    const std::string text = texts[draw(path, 4) % std::size(texts)];
    if (kind(path) != Kind::file || text.size() > most) return std::nullopt;
    return text;
  }
  bool folds_case(const std::string& path) const override { return draw(path, 5) % 4 == 0; }

 private:
  std::optional<Kind> kind(const std::string& path) const {
    if (path == "/" || path.empty() || path == "/w") return Kind::directory;
    switch (draw(path, 6) % 6) {
      case 0: return Kind::link;
      case 1: return std::nullopt;
      case 2:
      case 3: return Kind::file;
      default: return Kind::directory;
    }
  }
  unsigned draw(const std::string& path, unsigned what) const {
    std::seed_seq sequence{seed_, what, static_cast<unsigned>(std::hash<std::string>()(path))};
    unsigned drawn[1];
    sequence.generate(drawn, drawn + 1);
    return drawn[0];
  }
  unsigned seed_;
};

const char* const policies[] = {
    "default = \"ask\"\n[[allow]]\nid = \"r\"\nread = [\"**\"]\n",
    "default = \"deny\"\n[[allow]]\nid = \"r\"\nread = [\"a/**\", \"/etc/**\"]\nwrite = [\"b/**\"]\n"
    "[[deny]]\nid = \"d\"\nwrite = [\"**/c.txt\"]\n",
    "default = \"ask\"\n[[deny]]\nid = \"d\"\npath = [\"/w/a/b/**\", \"~/x\"]\n[[ask]]\nid = \"q\"\n"
    "run = [\"git\", \"rm\"]\n",
};
const char* const lines[] = {"cat a/b c.txt",
                             "cd a && rm -r b",
                             "git add -A; git commit -m x",
                             "rg x",
                             "ls a/*",
                             "cp a/* b/",
                             "ln -s /etc a/l; cat a/l/x",
                             "git checkout .",
                             "find . -name '*.txt' -delete",
                             "echo x > b/c.txt",
                             "cat ~/x A/B",
                             "mv a b; cat b/a"};
const char* const files[] = {"a", "a/b", "b/c.txt", "/etc/x", "~/x", "A/B", "../w/a", "a/d\xc3\xa9"};

Call any_call(std::mt19937& random) {
  using base::json::Value;
  const auto pick = [&](const auto& list) { return std::string(list[random() % std::size(list)]); };
  switch (random() % 4) {
    case 0: return call("read_file", Value{{"path", pick(files)}}.dump(), "workshop");
    case 1: return call("write_file", Value{{"path", pick(files)}, {"content", "x"}}.dump(), "workshop");
    default:
      return call("run_command", Value{{"command", pick(lines) + "; " + pick(lines)}}.dump(), "workshop");
  }
}

Seen read_back(const Seen& seen) {
  const std::string payload = seen_payload(seen);
  if (payload.empty()) return {};
  INFO(payload);
  auto read = seen_from_payload(payload);
  REQUIRE(read.has_value());
  CHECK(seen_payload(*read) == payload);
  return std::move(*read);
}

Seen some_seen() {
  Seen seen;
  seen.plain = {"/w/%", "/w/a\xff"};
  seen.standing = {{"/w", {Links::Kind::directory}},
                   {"/w/f", {Links::Kind::file, 2}},
                   {"/w/l", {Links::Kind::link}},
                   {"/w/n", {}}};
  seen.targets = {{"/w/l", "../x\x80"}};
  seen.folds = {{"/w", false}, {"/w/f", true}};
  seen.lists = {{"/w", {std::vector<Links::Entry>{{"f", Links::Kind::file}, {"\xff", Links::Kind::link}}}},
                {"/x", {std::nullopt, 7}}};
  seen.texts = {{"/w/a", {Seen::Part::bytes, "x\n", {}, 0}},
                {"/w/b", {Seen::Part::bytes, std::string("\0\xff", 2), {}, 0}},
                {"/w/c", {Seen::Part::digest, {}, base::sha256("x"), 1}},
                {"/w/d", {Seen::Part::none, {}, {}, 9}}};
  return seen;
}

}  // namespace

TEST_CASE("the payload is the one that the format says") {
  CHECK(seen_payload(some_seen()) ==
        R"({"plain":["/w/%25","/w/a%FF"],"stands":[["/w","directory"],["/w/f","file2"],["/w/l","link"],)"
        R"(["/w/n","nothing"]],"links":[["/w/l","../x%80"]],"folds":[["/w",false],["/w/f",true]],)"
        R"("entries":[["/w",["ff","l%FF"]],["/x",7]],"texts":[["/w/a","text","x\n"],["/w/b","hex","00ff"],)"
        R"(["/w/c","sha256","2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881",1],)"
        R"(["/w/d","none",9]]})");
  read_back(some_seen());
  CHECK(seen_payload({}).empty());
  Seen nothing;
  nothing.whole = false;
  CHECK(seen_payload(nothing) == R"({"whole":false})");
  CHECK_FALSE(read_back(nothing).whole);
}

TEST_CASE(
    "a payload that is cut, or has a byte changed, is refused or says something else, and never crashes") {
  const std::string payload = seen_payload(some_seen());
  for (std::size_t length = 0; length < payload.size(); ++length)
    CHECK_FALSE(seen_from_payload(payload.substr(0, length)).has_value());
  for (std::size_t i = 0; i < payload.size(); ++i)
    for (const char flip : {'\x01', '\x20', '\x80'}) {
      std::string changed = payload;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      if (const auto read = seen_from_payload(changed)) CHECK(seen_payload(*read) != payload);
    }
}

TEST_CASE("payloads that callgate does not write are refused") {
  for (const char* hostile : {"",
                              "null",
                              "[]",
                              "{}",
                              R"({"plain":[]})",
                              R"({"plain":["/b","/a"]})",
                              R"({"plain":["/a","/a"]})",
                              R"({"plain":[1]})",
                              R"({"plain":["%4"]})",
                              R"({"plain":["%zz"]})",
                              R"({"plain":["%41"]})",
                              R"({"stands":[["/a","file-1"]]})",
                              R"({"stands":[["/a","file99999999999"]]})",
                              R"({"stands":[["/a","door"]]})",
                              R"({"stands":[["/a"]]})",
                              R"({"links":[["/a","b","c"]]})",
                              R"({"folds":[["/a",1]]})",
                              R"({"entries":[["/a",["x"]]]})",
                              R"({"entries":[["/a",["f"]]]})",
                              R"({"entries":[["/a",["fa/b"]]]})",
                              R"({"entries":[["/a",-1]]})",
                              R"({"texts":[["/a","text"]]})",
                              R"({"texts":[["/a","hex","0"]]})",
                              R"({"texts":[["/a","sha256","00",1]]})",
                              R"({"texts":[["/a","none",99999999999999999999]]})",
                              R"({"whole":true})",
                              R"({"other":[["/a",1]]})"}) {
    CAPTURE(hostile);
    CHECK_FALSE(seen_from_payload(hostile).has_value());
  }
  CHECK(seen_from_payload(std::string(seen_bytes_max + 1, ' ')).error().code() == base::Code::limit);
}

TEST_CASE("a payload never gets longer than its limit, and says when it is not whole") {
  Seen seen;
  for (int i = 100; i < 200; ++i)
    seen.texts.emplace_back("/w/" + std::to_string(i),
                            Seen::Text{Seen::Part::bytes, std::string(10'000, 'x'), {}, 0});
  const Seen read = read_back(seen);
  CHECK(seen_payload(seen).size() <= seen_bytes_max);
  CHECK(read.whole);
  CHECK(read.texts.size() == 100);
  CHECK(read.texts.back().second.part == Seen::Part::digest);
  for (int i = 0; i < 20'000; ++i) seen.plain.push_back("/w/some/path" + std::to_string(100'000 + i));
  CHECK(seen_payload(seen).size() <= seen_bytes_max);
  CHECK_FALSE(read_back(seen).whole);
}

TEST_CASE("a judgement is made again from what it saw, without the file system") {
  std::mt19937 random(7);
  const Absent absent;
  std::size_t effects = 0;
  for (unsigned round = 0; round < 600; ++round) {
    const Drawn files(round);
    const Witness witness(files);
    const policy::Policy policy = load(policies[random() % std::size(policies)]);
    const Call made = any_call(random);
    CAPTURE(round, made.arguments.dump());
    const Decision then = policy.judge(made, policy_tests::scene(witness));
    const Recalled recalled(read_back(witness.seen()), absent, AskToday::nothing);
    const Decision again = policy.judge(made, policy_tests::scene(recalled));
    CHECK(again == then);
    CHECK(recalled.whole());
    CHECK(recalled.missing().value_or("") == "");
    effects += then.effects.size();
  }
  CHECK(effects > 2000);
  CHECK_FALSE(absent.asked());
}

TEST_CASE("a real repository is seen as it was once it is gone, but for a text that is too long") {
  const Absent absent;
  std::optional<policy_tests::Repository> repository(std::in_place);
  for (const char* name : {"a.txt", "sub/b.txt", ".env"}) repository->file(name);
  repository->file(".gitignore", ".env\n");
  repository->git("add -A");
  policy::Scene scene = policy_tests::scene(absent);
  scene.workspace = scene.directory = repository->root();
  const auto loaded = policy::Policy::load(
      {{Layer::mission, "t", "version = 1\ndefault = \"ask\"\n[[deny]]\nid = \"d\"\nread = [\".env\"]\n",
        true}},
      scene.workspace, scene.home);
  REQUIRE(loaded.has_value());
  const policy::Policy& policy = *loaded;
  const policy::FileSystem files;
  for (const char* line :
       {"git add -A", "git commit -am x", "rg x", "cat sub/*", "git grep x", "git stash -u"}) {
    CAPTURE(line);
    const Call made = call("run_command", base::json::Value{{"command", line}}.dump(), "workshop");
    const Witness witness(files);
    scene.links = &witness;
    const Decision then = policy.judge(made, scene);
    const Recalled recalled(read_back(witness.seen()), absent, AskToday::nothing);
    scene.links = &recalled;
    CHECK(policy.judge(made, scene) == then);
    CHECK(recalled.missing().value_or("") == "");
  }
  for (int i = 0; i < 400; ++i) repository->file("many/" + std::to_string(i));
  repository->git("add -A");
  const Call made = call("run_command", R"({"command":"git commit -am x"})", "workshop");
  const Witness witness(files);
  scene.links = &witness;
  const Decision then = policy.judge(made, scene);
  const Recalled kept(read_back(witness.seen()), files, AskToday::texts);
  scene.links = &kept;
  CHECK(policy.judge(made, scene) == then);
  CHECK_FALSE(kept.missing());
  repository->file("one-more");
  repository->git("add -A");
  const Recalled changed(witness.seen(), files, AskToday::texts);
  scene.links = &changed;
  policy.judge(made, scene);
  CHECK(changed.missing().value_or("").ends_with("/.git/index"));
}

TEST_CASE("what follows from what was seen is not asked of today") {
  const Absent absent;
  const Recalled recalled(some_seen(), absent, AskToday::all);
  CHECK_FALSE(recalled.target("/w"));
  CHECK_FALSE(recalled.target("/w/f"));
  CHECK(recalled.target("/w/l") == "../x\x80");
  CHECK(recalled.standing("/w/\xff").kind == Links::Kind::link);  // listed
  CHECK_FALSE(recalled.standing("/w/unlisted").kind);
  CHECK_FALSE(recalled.entries("/x", 7));
  CHECK_FALSE(recalled.entries("/w", 1));
  CHECK(recalled.text("/w/a", 2) == "x\n");
  CHECK_FALSE(recalled.text("/w/a", 1));
  CHECK_FALSE(recalled.missing());
  CHECK_FALSE(absent.asked());
  CHECK(recalled.entries("/x", 8));
  CHECK(recalled.missing() == "/x");
  CHECK(absent.asked());
}
