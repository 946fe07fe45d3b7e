// Looking only around literals finds what trying every pattern on the whole text finds.

#include "ledger/redact_search.hpp"

#include <random>

#include "ledger/redact.hpp"
#include "tests/catch.hpp"

namespace {

using ledger::SecretSearch;
using ledger::SecretSpan;

const std::vector<std::string>& secrets() {
  static const std::vector<std::string> values{"hunter2-canary-value", "s3cr/et \"va\\lue\" ü\n!",
                                               "nSECRETVALUE",         "0041SECRET",
                                               "endswith\\",           "1234567890",
                                               "abcabcabcx",           std::string(300, 'q') + "zz1"};
  return values;
}

// What patterns, keys and the reading of escapes act on, whole and in parts that nearly fit.
const std::vector<std::string>& pieces() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> made{"IOSFODNN7EXAMPLE",
                                  "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP",
                                  "abcdefghijklmnop",
                                  "hooks.slack.com\\/services/T00000000/B00000000/XXXXXXXX",
                                  "ant-",
                                  "proj-",
                                  "=1abcd",
                                  "==",
                                  "/",
                                  "\\/",
                                  ".",
                                  "-",
                                  "_",
                                  " ",
                                  "\t",
                                  "\n",
                                  "\r\n",
                                  "\\n",
                                  "\\\\n",
                                  "\"",
                                  "\\\"",
                                  "\\\\\\\"",
                                  "'",
                                  "`",
                                  "$(",
                                  ")",
                                  "{",
                                  "}",
                                  "[",
                                  "]",
                                  ",",
                                  ":",
                                  ";",
                                  "=",
                                  "&",
                                  "|",
                                  "<",
                                  ">",
                                  "@",
                                  "; sid=abcdefgh",
                                  "Bearer ",
                                  "bearer\t",
                                  "Authorization: Basic ",
                                  "Cookie: a=1",
                                  "postgres://me:hunter2@db",
                                  "https:\\/\\/me:",
                                  "hunter2@",
                                  "Password",
                                  "api key",
                                  "access-token",
                                  "encryption.key",
                                  "progresstoken",
                                  "\"password\":\"",
                                  "\\\"token\\\":\\\"",
                                  "\"secret\" : [ \"",
                                  "\":\"",
                                  "\",\"",
                                  "-----BEGIN ",
                                  "RSA ",
                                  "PRIVATE KEY-----\n",
                                  "-----END RSA PRIVATE KEY-----",
                                  "-----BEGIN PRIVATE KEY-----\\n",
                                  "\\u0022",
                                  "\\u005c",
                                  "\\\\u0061",
                                  "MIIEpAIBAAKCAQEAcanary+/QQQQQQQQQQQQQQQQQQQQ\n",
                                  "Proc-Type: 4,ENCRYPTED\n",
                                  "\\u003c",
                                  "\\u00e9",
                                  "<redacted:token>",
                                  "x",
                                  "7",
                                  "\xc3\xbc",
                                  "\xff",
                                  std::string(1, '\0'),
                                  "\x0b",
                                  "\f",
                                  "\x7f"};
    const auto add = [&](std::string_view literals) {
      for (std::size_t end = 0; !literals.empty();
           literals.remove_prefix(std::min(end + 1, literals.size()))) {
        end = std::min(literals.find('|'), literals.size());
        made.emplace_back(literals.substr(0, end));
      }
    };
    for (const auto& known : ledger::redact_patterns::patterns) add(known.literals);
    add(ledger::redact_patterns::key_literals);
    for (const std::string& secret : secrets()) made.push_back(secret);
    return made;
  }();
  return all;
}

class Texts {
 public:
  explicit Texts(unsigned seed) : random_(seed) {}

  std::string next() {
    std::string text = pick(3) == 0 ? "{\"t\":\"" : "";
    for (std::size_t left = 1 + pick(pick(4) == 0 ? 60 : 14); left > 0; --left) text += piece();
    if (pick(8) == 0) text = with_escapes(text);
    return text;
  }

 private:
  std::size_t pick(std::size_t below) { return random_() % below; }

  std::string piece() {
    if (pick(12) == 0) return std::string(1, static_cast<char>(pick(256)));
    std::string text = pieces()[pick(pieces().size())];
    if (pick(10) == 0) text = text.substr(pick(text.size()));
    if (pick(20) == 0)
      for (char& byte : text)
        byte = static_cast<char>(pick(2) == 0 ? std::toupper(byte) : std::tolower(byte));
    return text;
  }

  std::string with_escapes(const std::string& text) {
    std::string escaped;
    for (const char byte : text) {
      char code[8]{};
      if (pick(5) == 0 && byte >= 0x20 && byte < 0x7f)
        std::snprintf(code, sizeof code, pick(2) == 0 ? "\\u%04x" : "\\u%04X", static_cast<unsigned>(byte));
      escaped += code[0] != '\0' ? std::string(code) : std::string(1, byte);
    }
    return escaped;
  }

  std::mt19937 random_;
};

std::string settled(std::string_view text, std::vector<SecretSpan> spans) {
  ledger::settle(text, spans);
  return ledger::take_out(text, spans).bytes;
}

TEST_CASE("what is found around literals is what every pattern finds on the whole text", "[redact]") {
  const SecretSearch search(secrets());
  Texts texts(20261129);
  std::size_t with_secrets = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text = texts.next();
    std::vector<SecretSpan> quick, slow;
    search.search(text, quick);
    search.search_everywhere(text, slow);
    with_secrets += slow.empty() ? 0 : 1;
    if (settled(text, quick) != settled(text, slow)) {
      INFO(text);
      REQUIRE(settled(text, quick) == settled(text, slow));
    }
  }
  CHECK(with_secrets > 5'000);
}

TEST_CASE("every pattern can be found by each of its literals alone", "[redact]") {
  for (const auto& known : ledger::redact_patterns::patterns) {
    INFO(known.pattern);
    std::string_view literals = known.literals;
    CHECK(literals.size() >= 3);
    for (std::size_t end = 0; !literals.empty(); literals.remove_prefix(std::min(end + 1, literals.size()))) {
      end = std::min(literals.find('|'), literals.size());
      CHECK(end >= 3);
      if (known.any_case)
        for (const char byte : literals.substr(0, end)) CHECK_FALSE((byte >= 'A' && byte <= 'Z'));
    }
  }
}

TEST_CASE("the places of bytes survive the reading of escapes", "[redact]") {
  const std::string text = R"(a\u0062c\\u0022\u005c\n\\\u0064)";
  const auto view = ledger::without_ascii_escapes(text);
  CHECK(view.text == R"(abc\\\"\\\nd)");
  CHECK(view.origin(0) == 0);
  CHECK(view.origin(1) == 1);
  CHECK(view.origin(2) == 7);
  CHECK(view.origin(3) == 8);
  CHECK(view.origin(6) == 8);
  CHECK(view.origin(7) == 15);
  CHECK(view.origin(view.text.size()) == text.size());
}

}  // namespace
