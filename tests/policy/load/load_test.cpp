#include "policy/load/load.hpp"

#include <algorithm>

#include "policy/load/built_in.hpp"
#include "tests/catch.hpp"

using namespace policy;

namespace {

const Anchors anchors{"/w", "/home/dev"};

Source source(std::string bytes, Layer layer = Layer::mission, bool trusted = true) {
  return {layer, "p.toml", std::move(bytes), trusted};
}

// The first complaint about a policy that begins with `version = 1`, as text.
std::string complaint(const std::string& rest) {
  const auto errors = check_source(source("version = 1\n" + rest), anchors);
  return errors.empty() ? "" : errors.front().text();
}

std::string rule(const std::string& keys) { return "[[deny]]\nid = \"x\"\n" + keys; }
std::string allow(const std::string& keys) { return "[[allow]]\nid = \"x\"\n" + keys; }

CompiledRules loaded(const std::vector<Source>& sources) { return compile_sources(sources, anchors).value(); }

Tier default_of(const CompiledRules& rules, EffectKind kind) { return rules.default_for(kind).tier; }

}  // namespace

TEST_CASE("each thing wrong with a policy is said at its place") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"x = 1\n", "p.toml:2:1: unknown key `x`"},
      {"defualt = \"ask\"\n", "p.toml:2:1: unknown key `defualt`; did you mean `default`?"},
      {"[delegate]\nallow = [\"read\"]\n",
       "p.toml:2:1: `[delegate]` stands in the organisation's policy only"},
      {"default = \"allow\"\n",
       "p.toml:2:11: a default is never `allow`; write a rule that says what may be done"},
      {"default = \"maybe\"\n", "p.toml:2:11: the default `maybe` is not `deny` or `ask`"},
      {"default = 1\n", "p.toml:2:11: `default` must be `\"deny\"`, `\"ask\"`, or a table of them by effect"},
      {"default = { raed = \"ask\" }\n", "p.toml:2:13: unknown key `raed`; did you mean `read`?"},
      {"[[deny]]\nread = \"a\"\n", "p.toml:2:1: the rule has no `id`"},
      {"[[deny]]\nid = \"a b\"\n",
       "p.toml:3:6: the id `a b` is not 1 to 100 of letters, digits, `-`, `_`, `.`, `:` and `/`"},
      {"[[deny]]\nid = 3\n", "p.toml:3:6: `id` must be a string"},
      {"[[deny]]\nid = \"a\"\n[[ask]]\nid = \"a\"\n", "p.toml:5:6: the id `a` is already used in line 3"},
      {"[deny]\nid = \"a\"\n", "p.toml:2:1: `deny` must be a list of rules, each begun by `[[deny]]`"},
      {"deny = [3]\n", "p.toml:2:9: `deny` must be a table"},
      {rule("raed = \"a\"\n"), "p.toml:4:1: unknown key `raed`; did you mean `read`?"},
      {rule("after = 3\n"), "p.toml:4:9: `after` must be a table, as in `after = { read = [\"**/.env\"] }`"},
      {rule("after = {}\n"),
       "p.toml:4:9: `after` names no effect: it needs `read`, `write`, `delete`, `path`, `run`, `connect` or "
       "`content`"},
      {rule("after = { count = 2 }\n"),
       "p.toml:4:9: `after` names no effect: it needs `read`, `write`, `delete`, `path`, `run`, `connect` or "
       "`content`"},
      {rule("after = { read = \"a\", tool = \"x\" }\n"),
       "p.toml:4:23: `tool` does not stand in `after`: it looks at what earlier calls did, whatever server "
       "or "
       "tool they were for"},
      {rule("default = \"ask\"\n"),
       "p.toml:4:1: `default` belongs at the head of the file, before the first `[[…]]`"},
      {rule("version = 1\n"),
       "p.toml:4:1: `version` belongs at the head of the file, before the first `[[…]]`"},
      {rule("except = 1\n"),
       "p.toml:4:10: `except` must be a table, as in `except = { path = [\"**/.env.example\"] }`"},
      {allow("write = \"a\"\nredirect = 1\n"),
       "p.toml:5:12: `redirect` must be a table, as in `redirect = { write = { from = \"src\", to = "
       "\"staging\" } }`"},
      {allow("write = \"a\"\nredirect = { write = \"b\" }\n"),
       "p.toml:5:22: `write` must be a table, as in `write = { from = \"src\", to = \"staging\" }`"},
      {allow("connect = \"a.b\"\nredirect = { connect = \"b\" }\n"),
       "p.toml:5:24: `connect` must be a table, as in `connect = { from = \"https://a.example\", to = "
       "\"https://b.example\" }`"},
      {allow("run = \"a\"\nredirect = { run = \"b\" }\n"),
       "p.toml:5:14: `run` is not redirected: what runs is passed on as it is, or not at all"},
      {rule("connect = \"*\"\n"), "p.toml:4:11: `*` names no host; every one is `@any`"},
      {rule("after = { raed = \"a\" }\n"), "p.toml:4:11: unknown key `raed`; did you mean `read`?"},
      {rule("after = { read = \"a\", content = \"b\" }\n"),
       "p.toml:4:9: what `after` waits for never happens: no effect has all that its keys ask for"},
      {rule("after = { read = \"a\", count = 0 }\n"),
       "p.toml:4:31: `count` must be a whole number from 1 to 10000"},
      {rule("after = { read = \"a\", count = \"2\" }\n"),
       "p.toml:4:31: `count` must be a whole number from 1 to 10000"},
      {rule("after = { read = \"a\", within = \"soon\" }\n"),
       "p.toml:4:32: `soon` is no span such as `30s`, `10m`, `2h` or `7d`, at most `366d`"},
      {rule("after = { read = \"a\", within = \"0s\" }\n"),
       "p.toml:4:32: `0s` is no span such as `30s`, `10m`, `2h` or `7d`, at most `366d`"},
      {rule("except = { after = { read = \"a\" } }\n"), "p.toml:4:12: unknown key `after`"},
      {rule("rate = \"3/min\"\n"),
       "p.toml:4:8: `rate` says how often an allow lets pass; a deny or ask rule has none"},
      {allow("rate = 3\n"), "p.toml:4:8: `rate` must be a string"},
      {allow("rate = \"3/m\"\n"),
       "p.toml:4:8: `3/m` is no rate such as `30/min`: a whole number from 1 to 10000, and `/s`, `/min`, "
       "`/h` or "
       "`/day`"},
      {allow("rate = \"0/h\"\n"),
       "p.toml:4:8: `0/h` is no rate such as `30/min`: a whole number from 1 to 10000, and `/s`, `/min`, "
       "`/h` or "
       "`/day`"},
      {allow("redirect = {}\n"), "p.toml:4:12: `redirect` is empty; leave the key out"},
      {rule("host_user = 7\n"), "p.toml:4:13: `host_user` must be a string or a list of strings"},
      {rule("read = []\n"), "p.toml:4:8: `read` is an empty list, which matches nothing; leave the key out"},
      {rule("read = 3\n"), "p.toml:4:8: `read` must be a string or a list of strings"},
      {rule("read = [\"a\", 3]\n"), "p.toml:4:14: `read` must be a string"},
      {rule("read = [\"a\", \"\"]\n"), "p.toml:4:14: the path pattern is empty"},
      {rule("read = \"a\\u0000\"\n"), "p.toml:4:8: `read` holds a control character"},
      {rule("read = \"a\\u001b\"\n"), "p.toml:4:8: `read` holds a control character"},
      {rule("read = \"re:(\"\n"), "p.toml:4:8: the regular expression `(` does not compile: missing ): ("},
      {rule("read = \"re:(abcdefghij){999}\"\n"),
       "p.toml:4:8: the regular expression `(abcdefghij){999}` is too large"},
      {rule("run = \"a && b\"\n"),
       "p.toml:4:7: the command pattern `a && b` never matches: it is the words of one command, without "
       "`&&`"},
      {allow("run = [\"git log\", \"git {status,log\"]\n"),
       "p.toml:4:19: `{` in the command pattern is not closed in its word; quotes make it literal"},
      {allow("run = \"git {status, log}\"\n"),
       "p.toml:4:7: `{` in the command pattern is not closed in its word; quotes make it literal"},
      {allow("run = \"git status,log}\"\n"),
       "p.toml:4:7: `}` in the command pattern closes nothing; quotes make it literal"},
      {allow("run = \"git 'log\"\n"), "p.toml:4:7: a quote in the command pattern is not closed"},
      {rule("connect = \"@internal\"\n"),
       "p.toml:4:11: the name `@internal` is not `@any`, `@private`, `@loopback` or `@link-local`"},
      {rule("connect = \"10.0.0.1/8\"\n"),
       "p.toml:4:11: the range `10.0.0.1/8` has bits set beyond its length"},
      {rule("connect = \"get https://a.example\"\n"),
       "p.toml:4:11: `get` is no method; one is in capitals, as in `GET https://example.com/x`"},
      {rule("connect = \"https://a.example/x?y=1\"\n"),
       "p.toml:4:11: the query in `https://a.example/x?y=1` is matched by `re:` only; `?` is one character "
       "here"},
      {rule("argument = { \"a\" = \"x\" }\n"),
       "p.toml:4:14: `a` is no JSON pointer; one starts with `/`, as in `/path`"},
      {rule("argument = { \"/a\" = \"< x\" }\n"),
       "p.toml:4:21: the comparison `< x` needs a number, as in `< 100`"},
      {rule("argument = { \"/a\" = [] }\n"),
       "p.toml:4:21: the test of `/a` must be a string, number or boolean"},
      {rule("argument = {}\n"), "p.toml:4:12: `argument` is empty; leave the key out"},
      {rule("severity = \"huge\"\n"),
       "p.toml:4:12: the severity `huge` is not `low`, `medium`, `high` or `critical`"},
      {allow("severity = \"low\"\n"),
       "p.toml:4:12: `severity` says how a breach is treated; an allow cannot be breached"},
      {allow("class = \"malicious\"\n"), "p.toml:4:9: `class` stands in deny rules only"},
      {rule("class = \"bad\"\n"),
       "p.toml:4:9: the class `bad` is not `malicious`, the only one a rule can state"},
      {rule("elevated = 1\n"), "p.toml:4:12: `elevated` must be `true` or `false`"},
      {allow("opaque = true\n"),
       "p.toml:4:10: an allow with `opaque = true` must name one `server` and one `tool`, without wildcards"},
      {allow("server = \"a\"\ntool = \"b*\"\nopaque = true\n"),
       "p.toml:6:10: an allow with `opaque = true` must name one `server` and one `tool`, without wildcards"},
      {rule("opaque = false\n"),
       "p.toml:4:10: `opaque = false` says nothing here: a deny or ask covers opaque effects too"},
      {rule("read = \"a\"\ncontent = \"b\"\n"),
       "p.toml:2:1: the rule `x` never matches: no effect has all that its keys ask for"},
      {rule("content = [\"a\", \"@secret\"]\n"),
       "p.toml:4:17: there are no detectors `@secret`; there are `@injection`, `@payment`, `@secrets`"},
      {rule("read = \"a\"\nelevated = true\n"),
       "p.toml:2:1: the rule `x` never matches: no effect has all that its keys ask for"},
      {rule("except = {}\n"), "p.toml:4:10: `except` is empty; leave the key out"},
      {rule("except = { id = \"x\" }\n"), "p.toml:4:12: unknown key `id`"},
      {rule("read = \"a\"\nexcept = { write = \"a\" }\n"),
       "p.toml:5:10: the exception never matches: it covers none of the effects that the rule covers"},
      {rule("except = { opaque = true }\n"),
       "p.toml:4:21: a deny or ask makes no exception for what is opaque"},
      {allow("run = \"git log\"\nexamples.match = [\"git push\"]\n"),
       "p.toml:5:19: the example `git push` does not match the rule `x`"},
      {allow("run = \"git log\"\nexamples.miss = [\"git log -1\"]\n"),
       "p.toml:5:18: the example `git log -1` matches the rule `x`"},
      {allow("examples.match = [\"git push\"]\n"),
       "p.toml:4:1: `examples` need `run`, `connect` or a path key to be held against"},
      {allow("run = \"a\"\nexamples.mach = [\"a\"]\n"),
       "p.toml:5:10: unknown key `mach`; did you mean `match`?"},
      {"[tools.x]\nread = \"/p\"\n",
       "p.toml:2:8: the tool `x` must be `SERVER/TOOL`, as in `\"*/read_file\"`"},
      {"[tools.\"x/\"]\nread = \"/p\"\n", "p.toml:2:8: the tool `x/` lacks its server or its tool"},
      {"[tools.\"a/b\"]\nread = \"p\"\n",
       "p.toml:3:8: `p` is no JSON pointer; one starts with `/`, as in `/path`"},
      {"[tools.\"a/b\"]\nraed = \"/p\"\n", "p.toml:3:1: unknown key `raed`; did you mean `read`?"},
      {"[tools.\"a/b\"]\nrun = \"/p\"\nshell = \"fish\"\n",
       "p.toml:4:9: the shell `fish` is not `sh`, `bash`, `zsh` or `none`"},
      {"[tools.\"a/b\"]\nshell = \"sh\"\n", "p.toml:3:9: `shell` means nothing without `run`"},
      {"[tools.\"a/b\"]\ncontent = \"/c\"\n",
       "p.toml:3:11: `content` means nothing without `write` or `connect`"},
      {"tools = 3\n", "p.toml:2:9: `tools` must be a table"},
  };
  for (const auto& [text, expected] : cases) {
    INFO(text);
    CHECK(complaint(text) == expected);
  }
}

TEST_CASE("a policy must state version 1") {
  const auto first = [](const std::string& text) {
    return check_source(source(text), anchors).front().text();
  };
  CHECK(first("default = \"ask\"\n") == "p.toml:1:1: the policy does not begin with `version = 1`");
  CHECK(first("version = 2\n") == "p.toml:1:11: `version` must be 1, the only version there is");
  CHECK(first("version = \"1\"\n") == "p.toml:1:11: `version` must be 1, the only version there is");
  CHECK(first("version = 1.0\n") == "p.toml:1:11: `version` must be 1, the only version there is");
}

TEST_CASE("what is no TOML is refused at its place") {
  for (const char* text : {"version = 1\na = \n", "version = 1\na = 'x\n", "version = 1\n\x01",
                           "version = 1\na = \"\xff\"\n", "version = 1\nversion = 1\n"}) {
    const auto errors = check_source(source(text), anchors);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].place().starts_with("p.toml:2:"));
  }
}

TEST_CASE("a file that is too large or nested too deep is refused before it is parsed") {
  CHECK(compile_sources({source(std::string((1 << 20) + 1, '#'))}, anchors).error().code() ==
        base::Code::limit);
  std::string dots = "a";
  for (int i = 0; i < 200000; ++i) dots += ".a";
  CHECK(compile_sources({source(dots + " = 1\n")}, anchors).error().code() == base::Code::limit);
  CHECK(compile_sources({source("x = [\"\"\"a\"\"\"\", {" + dots + "=1}]\n")}, anchors).error().code() ==
        base::Code::limit);
  CHECK(compile_sources({source("x = " + std::string(100000, '[') + "\n")}, anchors).error().code() ==
        base::Code::limit);
}

TEST_CASE("dots and brackets in strings and comments do not count as nesting") {
  const std::string dots(100, '.');
  const std::string brackets(100, '[');
  CHECK(complaint("# " + dots + brackets + "\n" + rule("why = \"" + dots + brackets + "\"\n")) == "");
}

TEST_CASE("a file with many regular expressions is refused") {
  std::string list;
  for (int i = 0; i < 300; ++i) list += "\"re:a\", ";
  CHECK(
      complaint(rule("read = [" + list + "]\n")).ends_with("the file has more than 256 regular expressions"));
}

TEST_CASE("every complaint about a file is given, in order of place") {
  const auto errors = check_source(
      source("version = 1\nx = 1\n[[deny]]\nid = \"a\"\nrun = []\n[[allow]]\nid = 3\n"), anchors);
  REQUIRE(errors.size() == 3);
  CHECK(errors[0].place() == "p.toml:2:1");
  CHECK(errors[1].place() == "p.toml:5:7");
  CHECK(errors[2].place() == "p.toml:7:6");
}

TEST_CASE("one bad file among good ones loads nothing") {
  CHECK(Policy::load({source("version = 1\n", Layer::user), source("version = 3\n")}, "/w", "/home/dev")
            .has_error());
}

TEST_CASE("a rule carries its place, words and patterns") {
  const CompiledRules rules =
      loaded({source("version = 1\n[[deny]]\nid = \"s\"\npath = [\"**/.env\"]\nwhy = \"because\"\nseverity = "
                     "\"high\"\nclass = \"malicious\"\n"
                     "except = { read = \"**/.env\" }\n")});
  REQUIRE(rules.rules.size() == 1);
  const Rule& found = rules.rules[0];
  CHECK(found.id == "s");
  CHECK(found.tier == Tier::deny);
  CHECK(found.layer == Layer::mission);
  CHECK(found.place == "p.toml:2");
  CHECK(found.why == "because");
  CHECK(found.severity == Severity::high);
  CHECK(found.violation_class == "malicious");
  CHECK(found.condition.read.size() == 1);
  CHECK(found.condition.write.size() == 1);
  CHECK(found.condition.remove.size() == 1);
  CHECK(found.condition.read[0].matches("/elsewhere/.env"));
  REQUIRE(found.except);
  CHECK(found.except->stance == Stance::permit);
  CHECK_FALSE(found.except->read[0].matches("/elsewhere/.env"));
}

TEST_CASE("examples know what the file itself says of programs") {
  CHECK(complaint("[[deny]]\nid = \"x\"\nrun = \"rm\"\nexamples.match = [\"wrap rm x\"]\n"
                  "[commands.wrap]\noperands = \"command\"\n") == "");
}

TEST_CASE("examples are held against patterns as calls would be") {
  CHECK(complaint(allow(
            "run = \"git log\"\nexamples.match = [\"git log -5\"]\n"
            "examples.miss = [\"git -c core.pager=x log\", \"sudo git log\", \"git log; rm x\"]\n")) == "");
  CHECK(complaint(rule("run = \"rm\"\nexamples.match = [\"rm x\", \"sudo rm x\", \"/bin/rm "
                       "x\"]\nexamples.miss = [\"ls rm\"]\n")) == "");
  CHECK(
      complaint(allow(
          "read = \"src/**\"\nexamples.match = [\"src/a\", \"/w/src\"]\nexamples.miss = [\"src/../b\"]\n")) ==
      "");
  CHECK(complaint(allow("connect = \"a.example\"\nexamples.match = \"https://a.example/\"\nexamples.miss = "
                        "\"http://a.example/\"\n")) == "");
  CHECK(complaint(rule("path = \"**/.env\"\nexcept.path = \"x/.env\"\nexamples.match = "
                       "\"y/.env\"\nexamples.miss = \"x/.env\"\n")) == "");
}

TEST_CASE("a tool declaration carries its pointers") {
  const CompiledRules rules =
      loaded({source("version = 1\n[tools.\"*/run\"]\nrun = [\"/a\", \"/b~1c\"]\ncwd = \"/cwd\"\nenv = "
                     "\"/env\"\nshell = \"bash\"\nignore = \"/d\"\n")});
  REQUIRE(rules.declarations.size() == 1);
  const ToolDeclaration& tool = rules.declarations[0];
  CHECK(tool.server.matches("any"));
  CHECK(tool.tool.text() == "run");
  CHECK(tool.run == std::vector<std::string>{"/a", "/b~1c"});
  CHECK(tool.shell == Shell::bash);
  CHECK(tool.ignore == std::vector<std::string>{"/d"});
  CHECK_FALSE(tool.adds_only);
  CHECK(tool.place == "p.toml:2");
}

TEST_CASE("the default is the strictest that any layer states, by effect") {
  const auto user = source("version = 1\ndefault = \"ask\"\n", Layer::user);
  CHECK(default_of(loaded({user}), EffectKind::read) == Tier::ask);
  CHECK(default_of(loaded({source("version = 1\n")}), EffectKind::read) == Tier::deny);
  const CompiledRules both = loaded({user, source("version = 1\ndefault = { run = \"deny\" }\n")});
  CHECK(default_of(both, EffectKind::run) == Tier::deny);
  CHECK(default_of(both, EffectKind::read) == Tier::ask);
  CHECK(both.default_for(EffectKind::run).place == "p.toml:2");
  const CompiledRules other =
      loaded({source("version = 1\ndefault = { run = \"ask\", other = \"deny\" }\n")});
  CHECK(default_of(other, EffectKind::run) == Tier::ask);
  CHECK(default_of(other, EffectKind::use) == Tier::deny);
}

TEST_CASE("an untrusted repository may tighten only") {
  const std::string text =
      "version = 1\ndefault = \"ask\"\n[[allow]]\nid = \"a\"\n[[deny]]\nid = \"d\"\nread = \"x\"\n"
      "[tools.\"a/b\"]\nread = \"/p\"\nignore = \"/q\"\n";
  const CompiledRules untrusted = loaded({source(text, Layer::repository, false)});
  REQUIRE(untrusted.rules.size() == 1);
  CHECK(untrusted.rules[0].id == "untrusted-repository/d");
  CHECK_FALSE(untrusted.rules[0].trusted);
  CHECK(default_of(untrusted, EffectKind::read) == Tier::deny);
  CHECK(untrusted.declarations[0].adds_only);
  CHECK(untrusted.declarations[0].ignore.empty());
  const CompiledRules trusted = loaded({source(text, Layer::repository, true)});
  CHECK(trusted.rules.size() == 2);
  CHECK(default_of(trusted, EffectKind::read) == Tier::ask);
  CHECK_FALSE(trusted.declarations[0].adds_only);
}

TEST_CASE("the baseline stands where no other policy counts") {
  const auto load = [](const std::vector<Source>& sources) {
    return Policy::load(sources, "/w", "/home/dev").value();
  };
  CHECK(load({}).rules().baseline);
  CHECK(load({source("version = 1\n", Layer::repository, false)}).rules().baseline);
  CHECK(load({built_in_folders({"/etc/x"}, {})}).rules().baseline);
  CHECK_FALSE(load({source("version = 1\n", Layer::repository, true)}).rules().baseline);
  CHECK_FALSE(load({source("version = 1\n", Layer::user)}).rules().baseline);
  const auto bare = load({});
  CHECK(default_of(bare.rules(), EffectKind::run) == Tier::ask);
  CHECK(default_of(bare.rules(), EffectKind::connect) == Tier::deny);
}

TEST_CASE("the built-in denials always stand") {
  const auto policy = Policy::load({source("version = 1\n")}, "/w", "/home/dev").value();
  const auto denies_write = [&](const std::string& path) {
    return std::any_of(policy.rules().rules.begin(), policy.rules().rules.end(), [&](const Rule& found) {
      return found.tier == Tier::deny && found.layer == Layer::built_in && found.place.empty() &&
             std::any_of(found.condition.write.begin(), found.condition.write.end(),
                         [&](const PathPattern& pattern) { return pattern.matches(path); });
    });
  };
  for (const char* path : {"/w/.callgate/policy.toml", "/w/.callgate",
                           "/home/dev/.config/callgate/callgate.toml", "/etc/callgate/policy.toml",
                           "/home/dev/.local/state/callgate/ledger", "/w/.mcp.json", "/w/.cursor/mcp.json",
                           "/w/.vscode/mcp.json", "/home/dev/.claude.json", "/w/.claude/settings.local.json",
                           "/home/dev/.codex/config.toml", "/w/.gemini/settings.json", "/w/opencode.json"}) {
    INFO(path);
    CHECK(denies_write(path));
  }
  CHECK_FALSE(denies_write("/w/src/a"));
}

TEST_CASE("folders that stand elsewhere are guarded too, whatever their names hold") {
  const Source extra = built_in_folders({"/x \"q\"*/c"}, {"/s\\t"});
  const CompiledRules rules = loaded({extra});
  REQUIRE(rules.rules.size() == 2);
  CHECK(rules.rules[0].condition.write[0].matches("/x \"q\"*/c/policy.toml"));
  CHECK(rules.rules[1].condition.read[0].matches("/s\\t/ledger"));
}

TEST_CASE("the digest changes with any byte, layer or trust and not with order") {
  const auto digest = [](const std::vector<Source>& sources) {
    return Policy::load(sources, "/w", "/home/dev").value().digest();
  };
  const Source user = source("version = 1\n", Layer::user);
  const Source repository = source("version = 1\n", Layer::repository);
  CHECK(digest({user, repository}) == digest({repository, user}));
  CHECK(digest({user}) != digest({repository}));
  CHECK(digest({user}) != digest({source("version = 1 \n", Layer::user)}));
  CHECK(digest({user, repository}) != digest({user, source("version = 1\n", Layer::repository, false)}));
}

TEST_CASE("broken TOML is an error with its place, whatever breaks it") {
  for (const char* text :
       {"[[}", "[}", "[\"a\"]]", "a = [1", "a = \"", "a.\"", "= 1", "[[a]", "\xff", "a = 1_", "[[]]"}) {
    INFO(text);
    const auto loaded = compile_sources({{Layer::user, "p.toml", text, true}}, {"/w", "/home/dev"});
    REQUIRE(loaded.has_error());
    CHECK(loaded.error().place().starts_with("p.toml:1:"));
  }
}
