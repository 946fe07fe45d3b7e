#include "ledger/redact.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/catch.hpp"

using ledger::Redacted;
using ledger::Redactor;

namespace {

const Redactor& plain() {
  static const Redactor redactor({});
  return redactor;
}

std::string out(std::string_view text) { return plain().redact(text).bytes; }

bool json(const std::string& text) { return nlohmann::json::accept(text); }

std::string repeated(std::string_view piece, std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += piece;
  return text;
}

}  // namespace

TEST_CASE("an input without secrets stays as it is", "[redact]") {
  for (const std::string text : {"", "{}", R"({"a":"b\u0041\n","n":[1,2.50,true],"é":"ü"})",
                                 "plain text, token by token", "\xff\xfe\x00binary"}) {
    const Redacted redacted = plain().redact(text);
    CHECK(redacted.bytes == text);
    CHECK(redacted.counts.empty());
  }
}

TEST_CASE("the string values of keys that name secrets are taken out at every depth", "[redact]") {
  CHECK(out(R"({"password":"x"})") == R"({"password":"<redacted:password>"})");
  CHECK(out(R"({"a":[{"b":{"API-Key" : "x y"}}]})") == R"({"a":[{"b":{"API-Key" : "<redacted:api_key>"}}]})");
  CHECK(out(R"({"db_password":"p\"q\\"})") == R"({"db_password":"<redacted:password>"})");
  CHECK(out(R"({"githubToken":"abc","clientSecret":"d"})") ==
        R"({"githubToken":"<redacted:token>","clientSecret":"<redacted:secret>"})");
  CHECK(out(R"({"set-cookie":["a=1","b=2"],"z":"kept"})") ==
        R"({"set-cookie":["<redacted:cookie>","<redacted:cookie>"],"z":"kept"})");
  CHECK(plain().redact(R"({"password":"a","passwd":"b","token":"c"})").counts ==
        std::map<std::string, std::uint64_t>{{"password", 2}, {"token", 1}});
  for (const std::string key :
       {"authorization", "Proxy-Authorization", "cookie", "private_key", "access_key",
        "AWS_SECRET_ACCESS_KEY", "x-api-key", "apikey", "passphrase", "refresh_token"})
    CHECK(out("{\"" + key + "\":\"canary\"}").find("canary") == std::string::npos);
}

TEST_CASE("keys in JSON inside JSON strings are found", "[redact]") {
  nlohmann::json value = {{"password", "canary-0=!%~*"}, {"after", "kept"}};
  for (int depth = 0; depth < 4; ++depth) {
    const std::string text = value.dump();
    const std::string redacted = out(text);
    INFO(text << " -> " << redacted);
    CHECK(redacted.find("na") == std::string::npos);
    CHECK(redacted.find("kept") != std::string::npos);
    REQUIRE(json(redacted));
    nlohmann::json inner = nlohmann::json::parse(redacted);
    for (int level = 0; level < depth; ++level)
      inner = nlohmann::json::parse(inner["text"].get<std::string>());
    CHECK(inner["password"] == "<redacted:password>");
    CHECK(inner["after"] == "kept");
    value = {{"text", text}};
  }
}

TEST_CASE("what only looks like the name of a secret is kept", "[redact]") {
  for (const std::string text :
       {R"({"token":5})", R"({"_meta":{"progressToken":"abc"}})", R"({"max_tokens":"4096"})",
        R"({"nextPageToken":"abcdefgh"})", R"({"password":{"type":"string"}})",
        R"({"required":["password","token"]})", R"({"password":null,"secret":true})",
        R"({"text":"the password is checked by the token: see below"})", R"({"password":""})",
        R"({"note":"task-management-with-a-rather-long-name-indeed"})", "https://localhost:8080/a@b",
        "see http://example.com:80/path?x=@y", "const password: string = getPassword();",
        "eyJ is how base64 of a brace begins", "MAX_TOKENS=4096", "-----BEGIN PUBLIC KEY-----\nMIIB\n"}) {
    INFO(text);
    CHECK(out(text) == text);
  }
}

TEST_CASE("values with the shape of a secret are taken out whole", "[redact]") {
  const std::string a(64, 'a');
  const std::string digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOP";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"aws_key",
       "AKIA"
       "IOSFODNN7EXAMPLE"},
      {"github_token", "ghp_" + digits.substr(0, 36)},
      {"github_token", "gho_" + digits.substr(0, 36)},
      {"github_token", "github_pat_" + digits.substr(0, 22) + "_" + digits.substr(0, 40)},
      {"gitlab_token", "glpat-" + digits.substr(0, 20)},
      {"slack_token",
       "xoxb"
       "-123456789012-abcdefghijkl"},
      {"google_key", "AIza" + digits.substr(0, 35)},
      {"stripe_key", "sk_live_" + digits.substr(0, 24)},
      {"npm_token", "npm_" + digits.substr(0, 36)},
      {"jwt", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl"},
      {"model_key", "sk-ant-api03-" + digits},
      {"model_key", "sk-proj-" + digits},
      {"model_key", "sk-" + digits.substr(0, 48)},
  };
  for (const auto& [rule, secret] : cases) {
    INFO(secret);
    const std::string mark = "<redacted:" + rule + ">";
    CHECK(out(secret) == mark);
    CHECK(out("{\"t\":\"a " + secret + " b\"}") == "{\"t\":\"a " + mark + " b\"}");
    CHECK(out("{\"t\":\"a\\n" + secret + "\\nb\"}") == "{\"t\":\"a\\n" + mark + "\\nb\"}");
    CHECK(out("(" + secret + "," + secret + ")") == "(" + mark + "," + mark + ")");
    CHECK(plain().redact(secret).counts == std::map<std::string, std::uint64_t>{{rule, 1}});
  }
}

TEST_CASE("of headers, URLs and lines of environment files only the secret is taken out", "[redact]") {
  CHECK(out(R"(curl -H 'Authorization: Bearer abcdefghijklmnop1234' u)") ==
        R"(curl -H 'Authorization: Bearer <redacted:authorization>' u)");
  CHECK(out("x: Bearer abcdefghijklmnop1234;") == "x: Bearer <redacted:bearer>;");
  CHECK(out("Authorization: Basic dXNlcjpwYXNz") == "Authorization: Basic <redacted:authorization>");
  CHECK(out(R"({"u":"postgres://me:hunter2@db:5432/x"})") ==
        R"({"u":"postgres://me:<redacted:url_password>@db:5432/x"})");
  CHECK(out(R"({"u":"https:\/\/me:hunter2@host"})") ==
        R"({"u":"https:\/\/me:<redacted:url_password>@host"})");
  CHECK(out(R"({"t":"A=1\nDB_PASSWORD=hunter2\nB=2"})") ==
        R"({"t":"A=1\nDB_PASSWORD=<redacted:env_line>\nB=2"})");
  CHECK(out("password = hunter2hunter2\n") == "password = <redacted:assignment>\n");
  CHECK(out("TOKEN=$(curl evil)") == "TOKEN=$(curl evil)");
}

TEST_CASE("private keys are taken out in every spelling", "[redact]") {
  const std::string head = "-----BEGIN RSA PRIVATE KEY-----";
  const std::string tail = "-----END RSA PRIVATE KEY-----";
  const std::string line = "MIIEpAIBAAKCAQEAcanary+/" + std::string(40, 'Q');
  CHECK(out("x\n" + head + "\n" + line + "\n" + line + "\n" + tail + "\ny") ==
        "x\n<redacted:private_key>\ny");
  CHECK(out("{\"k\":\"" + head + "\\n" + line + "\\n" + tail + "\\n\"}") ==
        "{\"k\":\"<redacted:private_key>\\n\"}");
  CHECK(out("{\"k\":\"" + head + "\\\\n" + line + "\\\\n" + tail + "\"}") ==
        "{\"k\":\"<redacted:private_key>\"}");
  for (const std::string& text :
       {"{\"k\":\"" + head + "\\n" + line + "\"}", "[\"" + head + "\",\"" + line + "\",\"" + tail + "\"]"}) {
    const std::string redacted = out(text);
    INFO(redacted);
    CHECK(redacted.find("canary") == std::string::npos);
    CHECK(redacted.find("QQQ") == std::string::npos);
    CHECK(json(redacted));
  }
}

TEST_CASE("the attacker's commands stay in sight of who approves them", "[redact]") {
  const auto shown = [](const std::string& command) {
    const std::string text = nlohmann::json{{"command", command}}.dump();
    return nlohmann::json::parse(out(text))["command"].get<std::string>();
  };
  const std::string line(40, 'Q');
  const std::string head = "-----BEGIN PRIVATE KEY-----\n";
  const std::string tail = "\n-----END PRIVATE KEY-----";
  CHECK(shown("echo cookie: a=xxxx; touch pwned2; echo done") ==
        "echo cookie: a=<redacted:cookie>; touch pwned2; echo done");
  CHECK(shown("cat <<E\n" + head + "Ma" + line + "\ntouch pwned\nMa" + line + tail) ==
        "cat <<E\n<redacted:private_key>\ntouch pwned\n<redacted:private_key>" + tail);
  for (const std::string command :
       {"echo http://a:;touch${IFS}pwned1;@x", "echo http://a:`touch`@x", "echo http://a:x&touch@x",
        R"(echo '"token":"';touch pwned4;'"')", R"(echo '"token":["';touch pwned4;'"]')",
        R"x({"token":"$(touch x)"})x",
        "cat <<E\n-----BEGIN PRIVATE KEY-----\nE\ntouch pwned3\n-----END PRIVATE KEY-----",
        "cat <<E\n-----BEGIN PRIVATE KEY-----\nE\n/workspace/evil\n-----END PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\ntouch pwned",
        "-----BEGIN PRIVATE KEY-----; touch x -----END PRIVATE KEY-----", "secret= ./evil1script",
        "authorization=basic ./evil1script", "a=bearer /workspace/evilscript",
        "a=authorization: ./evil1script", "a=''authorization: ./evil1script"}) {
    INFO(command);
    CHECK(shown(command) == command);
  }
  // The line end of an escape is not taken along with the token that seems to begin within it.
  CHECK(shown("echo x\npm_" + std::string(30, 'a')).find("x\n") == 6 - 1);
}

TEST_CASE("of a string nothing is taken out that a shell acts on, unless it is the value of a secret's key",
          "[redact]") {
  const std::string line = "MIIEpAIBAAKCAQEA" + std::string(48, 'Q');
  const std::vector<std::string> afters = {"", "@x", "\"", "; sid=abcdefgh",
                                           "\n" + line + "\n-----END PRIVATE KEY-----"};
  const auto count = [](std::string text, char byte) {
    for (std::size_t at = 0; (at = text.find("<redacted:", at)) != std::string::npos;)
      text.erase(at, text.find('>', at) + 1 - at);
    return std::count(text.begin(), text.end(), byte);
  };
  for (const std::string before :
       {"cookie: a=xxxx", "Cookie: a=1; sid=abcdefgh", "http://a:", "http://a:pass", "\"token\":\"",
        "\"token\":\"abc", "{\"password\":[\"x\",\"", "'\"cookie\" : \"", "PASSWORD=abcdef",
        "secret=abc1defg", "authorization: basic abcdefgh", "bearer abcdefghijklmnop",
        "AccountKey=", "ghp_0123456789abcdefghijklmnopqrstuvwxyz", "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\nMIIEpAIBAAKCAQEAcanary",
        "-----BEGIN PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED"})
    for (const char meta : std::string(";&|<>()$`'\"\\ \t\n"))
      for (const std::string& after : afters) {
        const std::string command = before + meta + "touch pwned" + meta + after;
        const std::string text = nlohmann::json{{"command", command}}.dump();
        const std::string shown = nlohmann::json::parse(out(text))["command"].get<std::string>();
        INFO(command << " -> " << shown);
        CHECK(shown.find(std::string(1, meta) + "touch pwned" + meta) != std::string::npos);
        const bool block = before.starts_with("-----");
        for (const char byte : std::string(block ? ";&|<>()$`'\"\\" : ";&|<>()$`'\"\\ \t\n"))
          CHECK(count(shown, byte) == count(command, byte));
      }
}

TEST_CASE("every cookie of a header is taken out by itself", "[redact]") {
  CHECK(out("Cookie: a=1; sid=abcdefgh; t=x1y2z3==\r\n") ==
        "Cookie: a=1; sid=<redacted:cookie>; t=<redacted:cookie>\r\n");
  CHECK(out(R"(curl --header='Authorization: Basic abcdefgh1' u)") ==
        R"(curl --header='Authorization: Basic <redacted:authorization>' u)");
  CHECK(out(R"({"t":"A=1\nAuthorization: Basic abcdefgh1\n"})") ==
        R"({"t":"A=1\nAuthorization: Basic <redacted:authorization>\n"})");
}

TEST_CASE("an encrypted key and an indented one are taken out whole", "[redact]") {
  const std::string line = "MIIEpAIBAAKCAQEA" + std::string(48, 'q');
  const std::string begin = "-----BEGIN RSA PRIVATE KEY-----";
  const std::string end = "-----END RSA PRIVATE KEY-----";
  CHECK(out(begin + "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123456789ABCDEF\n\n" + line + "\n" +
            end) == "<redacted:private_key>");
  CHECK(out("key: |\n  " + begin + "\r\n  " + line + "\r\n  " + line + "\r\n  " + end + "\n") ==
        "key: |\n  <redacted:private_key>\n");
  CHECK(out(begin + line + line + end) == begin + "<redacted:private_key>" + end);
}

TEST_CASE("given values are taken out as JSON may write them", "[redact]") {
  const std::string secret = "s3cr/et \"va\\lue\" ü\n!";
  const Redactor redactor({secret, "short", "production", "/home/operator/project"});
  const nlohmann::json value = {{"t", "a " + secret + " b"}};
  nlohmann::json nested = {{"text", value.dump()}};
  std::string slashes = value.dump();
  slashes.replace(slashes.find('/'), 1, "\\/");
  for (const std::string& text : {value.dump(), value.dump(-1, ' ', true), nested.dump(), slashes}) {
    const Redacted redacted = redactor.redact(text);
    INFO(text << " -> " << redacted.bytes);
    CHECK(redacted.bytes.find("<redacted:env>") != std::string::npos);
    CHECK(redacted.bytes.find("lue") == std::string::npos);
    CHECK(redacted.counts == std::map<std::string, std::uint64_t>{{"env", 1}});
    CHECK(json(redacted.bytes));
  }
  CHECK(redactor.redact("a " + secret + " b").bytes == "a <redacted:env> b");
  const std::string common = R"({"short":"production","p":"/home/operator/project/x"})";
  CHECK(redactor.redact(common).bytes == common);
}

TEST_CASE("a long given value is taken out as one", "[redact]") {
  std::string secret;
  for (int i = 0; i < 3000; ++i) secret += static_cast<char>('A' + (i * 7 + i / 26) % 26);
  const Redacted redacted = Redactor({secret}).redact("{\"k\":\"x" + secret + "y\"}");
  CHECK(redacted.bytes == "{\"k\":\"x<redacted:env>y\"}");
}

TEST_CASE("secrets hidden behind escapes are found", "[redact]") {
  const Redactor redactor({"hunter2-canary-value"});
  const auto hide = [](std::string_view text, std::string_view slash) {
    std::string hidden;
    char code[8];
    for (const char byte : text) {
      std::snprintf(code, sizeof code, "u%04X", static_cast<unsigned>(static_cast<unsigned char>(byte)));
      hidden += std::string(slash) + code;
    }
    return hidden;
  };
  for (const std::string slash : {"\\", "\\\\"}) {
    CHECK(redactor.redact("{\"t\":\"x" + hide("hunter2-canary-value", slash) + "y\"}").bytes ==
          "{\"t\":\"x<redacted:env>y\"}");
    CHECK(redactor.redact("{\"t\":\"" + hide("hunter2", slash) + "-canary-value\"}").bytes ==
          "{\"t\":\"<redacted:env>\"}");
    CHECK(redactor.redact("{\"t\":\" " + hide("AKIAIOSF", slash) + "ODNN7EXAMPLE\"}").bytes ==
          "{\"t\":\" <redacted:aws_key>\"}");
  }
  CHECK(out(R"({"pass\u0077ord":"ab\"c\u0022d\\"})") == R"({"pass\u0077ord":"<redacted:password>"})");
  CHECK(out(R"({"text":"{\"pass\\u0077ord\":\"ab\\u0063d\"}"})") ==
        R"({"text":"{\"pass\\u0077ord\":\"<redacted:password>\"}"})");
}

TEST_CASE("JSON stays JSON where a given value meets escapes, numbers and quotes", "[redact]") {
  const Redactor redactor(
      {"nSECRETVALUE", "0041SECRET", "endswith\\", "1234567890", "a\"b\"c\"d\"e", "SECRETx\\u00"});
  for (const std::string text :
       {R"({"t":"x\nSECRETVALUE"})", R"({"t":"\u0041SECRET"})", R"({"t":"endswith\\","u":"endswith\"q"})",
        R"({"n":1234567890,"m":[-91234567890.5e3],"s":"1234567890"})", R"({"a":"b","c":"d"})",
        R"("a"b"c"d"e")", R"({"t":"SECRETx\\u00","v":"SECRETx\u00e9"})"}) {
    const std::string redacted = redactor.redact(text).bytes;
    INFO(text << " -> " << redacted);
    CHECK(json(redacted) == json(text));
  }
  CHECK(redactor.redact(R"({"n":91234567890})").bytes == R"({"n":"<redacted:env>"})");
}

TEST_CASE("redacting twice changes nothing more", "[redact]") {
  const std::string once = out(R"({"password":"x","t":"ghp_0123456789abcdefghijklmnopqrstuvwxyz"})");
  CHECK(plain().redact(once).bytes == once);
  CHECK(plain().redact(once).counts.empty());
}

TEST_CASE("no input of a megabyte takes quadratic time", "[redact]") {
  const Redactor redactor({"hunter2-canary-value", std::string(300, 'a') + "1b"});
  for (const std::string_view piece : {"\"token\":\"",
                                       "-----BEGIN PRIVATE KEY-----",
                                       "-----BEGIN PRIVATE KEY-----\\\"",
                                       "-----BEGIN PRIVATE KEY-----\n",
                                       "\n",
                                       "a=authorization: ",
                                       "a://b:",
                                       "a://b:c@",
                                       "eyJaaaaaaaa.",
                                       "\\",
                                       "\\\\\\\"",
                                       "\"",
                                       "\"password\":\"\\\"",
                                       "\\u0041",
                                       "\\u005c",
                                       "AKIA",
                                       "xsk-proj-",
                                       "bearer ",
                                       "cookie: a=",
                                       "PASSWORD=",
                                       "a",
                                       "aaaaaaaa1",
                                       "{\"token\":[\"",
                                       "api_key=",
                                       "\"token\":[\"a\",",
                                       "\\u0022token\\u0022:\\u0022"}) {
    INFO(piece);  // a quadratic one would not be done within the time that ctest gives
    CHECK_FALSE(redactor.redact(repeated(piece, 1 << 20)).bytes.empty());
  }
}
