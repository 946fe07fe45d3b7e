// Laws that hold for every shell line, over lines and policies by chance: what is wrapped, joined or spelled
// otherwise is never judged milder.
#include <random>

#include "tests/policy/verdicts.hpp"

using namespace policy;
using namespace policy_tests;

namespace {

std::mt19937 generator(20261130);

std::size_t below(std::size_t count) {
  return std::uniform_int_distribution<std::size_t>(0, count - 1)(generator);
}

template <std::size_t N>
std::string pick(const char* const (&list)[N]) {
  return list[below(N)];
}

std::string path() {
  static const char* const paths[] = {"a",           "src/a", ".env",      "src/.env",
                                      "/etc/passwd", "../x",  "~/.ssh/id", "out/b"};
  return pick(paths);
}

// One command that neither sets nor leaves anything.
std::string command() {
  static const char* const heads[] = {
      "cat ", "rm ",        "ls ",        "git push ", "git status ", "cp src/a ",      "sort -o ",
      "tee ", "echo hi > ", "grep -r x ", "head -3 ",  "chmod 600 ",  "sed -i s/a/b/ ", "unknown "};
  return pick(heads) + path();
}

std::string line() {
  static const char* const joints[] = {"; ", " && ", " || ", " | ", " & ", "\n"};
  std::string text = command();
  for (std::size_t more = below(3); more > 0; --more) text += pick(joints) + command();
  return text;
}

std::string single_quoted(const std::string& text) { return "'" + text + "'"; }

// Each runs the line, or a shell may think that it does.
std::string wrapped(const std::string& line) {
  switch (below(14)) {
    case 0: return "( " + line + " )";
    case 1: return "{ " + line + "\n}";
    case 2: return "if true; then " + line + "\nfi";
    case 3: return "while read -r x; do " + line + "\ndone";
    case 4: return "bash -c " + single_quoted(line);
    case 5: return "eval " + single_quoted(line);
    case 6: return "bash <<'E'\n" + line + "\nE";
    case 7: return "echo \"$(" + line + ")\"";
    case 8: return "f() { " + line + "\n}; f";
    case 9: return "case x in y) ;; *) " + line + "\n;; esac";
    case 10: return "timeout 5 sh -c " + single_quoted(line);
    case 11: return "for i in 1 2; do " + line + "\ndone";
    case 12: return "trap " + single_quoted(line) + " EXIT";
    default: return "coproc { " + line + "\n}";
  }
}

// The same words to a shell.
std::string spelled(const std::string& line) {
  std::string text;
  for (const char c : line) {
    const bool letter = (c >= 'a' && c <= 'z') || c == '.';
    switch (letter ? below(8) : 7) {
      case 0: text.append("\\").append(1, c); break;
      case 1: text.append("'").append(1, c).append("'"); break;
      case 2: text.append("\"").append(1, c).append("\""); break;
      case 3: text.append("\\\n").append(1, c); break;
      default: text += c;
    }
  }
  return text;
}

std::string rule(const char* kind, std::size_t number) {
  static const char* const keys[] = {"run = [\"cat\", \"ls\", \"head\", \"grep\", \"echo\"]",
                                     "run = [\"rm\"]",
                                     "run = [\"git push\"]",
                                     "run = [\"git status\", \"cp\", \"tee\", \"sort\", \"sed\", \"chmod\"]",
                                     "read = [\"**\"]",
                                     "write = [\"**\"]",
                                     "path = [\"src/**\"]",
                                     "path = [\"**/.env\"]",
                                     "read = [\"/etc/**\"]",
                                     "delete = [\"out/**\"]",
                                     "tool = \"*\""};
  return std::string("[[") + kind + "]]\nid = \"r" + std::to_string(number) + "\"\n" + pick(keys) + "\n";
}

std::string rules() {
  static const char* const kinds[] = {"allow", "allow", "allow", "ask", "deny"};
  static const char* const defaults[] = {"default = \"ask\"\n", "default = \"deny\"\n"};
  std::string text = pick(defaults);
  for (std::size_t i = 0; i < 5; ++i) text += rule(pick(kinds).c_str(), i);
  return text;
}

}  // namespace

TEST_CASE("a line inside another is judged as strictly as alone, at least") {
  for (int round = 0; round < 400; ++round) {
    const std::string policy = rules();
    const std::string inner = line();
    const std::string outer = wrapped(inner);
    INFO(policy << inner << "\n--\n" << outer);
    CHECK(tier(policy, run(outer)) <= tier(policy, run(inner)));
  }
}

TEST_CASE("lines that are joined are judged as strictly as the strictest, at least") {
  static const char* const joints[] = {"; ", " && ", " || ", " | ", " & ", "\n"};
  for (int round = 0; round < 400; ++round) {
    const std::string policy = rules();
    const std::string first = line();
    const std::string second = line();
    const std::string both = first + pick(joints) + second;
    INFO(policy << both);
    CHECK(tier(policy, run(both)) <= std::min(tier(policy, run(first)), tier(policy, run(second))));
  }
}

TEST_CASE("quotes that change no word change no decision") {
  for (int round = 0; round < 400; ++round) {
    const std::string policy = rules();
    const std::string plain = line();
    const std::string quoted = spelled(plain);
    INFO(policy << plain << "\n--\n" << quoted);
    CHECK(tier(policy, run(quoted)) == tier(policy, run(plain)));
  }
}

TEST_CASE("for lines, too, one more deny never loosens and one more allow never tightens") {
  for (int round = 0; round < 400; ++round) {
    const std::string policy = rules();
    const std::string text = below(2) == 0 ? line() : wrapped(line());
    INFO(policy << text);
    const Tier before = tier(policy, run(text));
    CHECK(tier(policy + rule("deny", 9), run(text)) <= before);
    CHECK(tier(policy + rule("allow", 9), run(text)) >= before);
  }
}
