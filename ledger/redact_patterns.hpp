#pragma once
// The secrets that redact.cpp knows by their shape: data. RE2 syntax over bytes (Latin-1).
// Each match of `pattern` holds one of `literals` (with `|` between them, each at least 3 bytes; lower case
// when `any_case`): only around these is it searched, so a pattern costs nothing where they do not stand. In
// a match, what `keep` matches at its start and the last `keep_tail` bytes stay; the rest is the secret, or
// with `pairs` the values of `name=value; name=value`. Inside the secret, patterns match only what
// redact_spans.hpp calls inert: JSON stays JSON, and whoever approves a call sees every command in it.

#include <array>
#include <cstddef>

namespace ledger::redact_patterns {

// What a match of the pattern never holds, but for its first byte: then it lies between two such bytes.
enum class Within {
  token,  // all but letters, digits and `_`, `.`, `-`
  word,   // white space and `"`
  line,   // what is not inert, apart from blanks, tabs and `;`
};

struct Pattern {
  const char* rule;
  const char* literals;
  bool any_case;
  Within within;
  const char* pattern;
  const char* keep;
  std::size_t keep_tail;
  bool pairs = false;
};

// Not inside a longer word; what an escape such as `\n` ends is not a word.
#define CALLGATE_WORD R"re((?:^|[^A-Za-z0-9_]|\\[bfnrt]|\\u[0-9A-Fa-f]{4}))re"
#define CALLGATE_KEEP_WORD R"re((?:\\[bfnrt]|\\u[0-9A-Fa-f]{4}|[^A-Za-z0-9_])?)re"
// What a secret in running text consists of, as inert() of redact_spans.hpp; the second also ends where a
// URL's password does.
#define CALLGATE_TEXT R"re([^\x00-\x20\x7f"'`\\,;|&<>(){}$])re"
#define CALLGATE_URL_TEXT R"re([^\x00-\x20\x7f"'`\\,;|&<>(){}$/@])re"
#define CALLGATE_PAIR R"re([A-Za-z0-9_.\-]+=)re" CALLGATE_TEXT "*"

inline constexpr std::array patterns = {
    Pattern{"aws_key", "AKIA|ASIA", false, Within::token, CALLGATE_WORD R"re(A(?:KI|SI)A[0-9A-Z]{16})re",
            CALLGATE_KEEP_WORD, 0},
    Pattern{"github_token", "gho_|ghp_|ghu_|ghs_|ghr_", false, Within::token,
            R"re(gh[opusr]_[A-Za-z0-9]{30,})re", "", 0},
    Pattern{"github_token", "github_pat_", false, Within::token, R"re(github_pat_[A-Za-z0-9_]{22,})re", "",
            0},
    Pattern{"gitlab_token", "glpat-|gldt-|glrt-|glcbt-|glptt-|glsoat-", false, Within::token,
            R"re(gl(?:pat|dt|rt|cbt|ptt|soat)-[A-Za-z0-9_\-.]{16,})re", "", 0},
    Pattern{"slack_token", "xoxa-|xoxb-|xoxe-|xoxo-|xoxp-|xoxr-|xoxs-|xapp-", false, Within::token,
            R"re(x(?:ox[abeoprs]|app)-[A-Za-z0-9\-]{10,})re", "", 0},
    Pattern{"slack_hook", "hooks.slack.com", false, Within::word,
            R"re(hooks\.slack\.com\\*/(?:services|workflows)\\*/[A-Za-z0-9/_]{20,})re",
            R"re(hooks\.slack\.com\\*/[a-z]+\\*/)re", 0},
    Pattern{"google_key", "AIza", false, Within::token, CALLGATE_WORD R"re(AIza[0-9A-Za-z_\-]{35})re",
            CALLGATE_KEEP_WORD, 0},
    Pattern{"google_token", "ya29.|GOCSPX-", false, Within::token,
            R"re(ya29\.[0-9A-Za-z_\-.]{20,}|GOCSPX-[0-9A-Za-z_\-]{20,})re", "", 0},
    Pattern{"stripe_key", "sk_live_|sk_test_|rk_live_|rk_test_|whsec_", false, Within::word,
            R"re((?:sk|rk)_(?:live|test)_[0-9A-Za-z]{16,}|whsec_[0-9A-Za-z+/=]{16,})re", "", 0},
    Pattern{"npm_token", "npm_", false, Within::token, R"re(npm_[A-Za-z0-9]{30,})re", "", 0},
    Pattern{"pypi_token", "pypi-AgE", false, Within::token, R"re(pypi-AgE[A-Za-z0-9_\-]{40,})re", "", 0},
    Pattern{"huggingface_token", "hf_", false, Within::token, R"re(hf_[A-Za-z0-9]{30,})re", "", 0},
    Pattern{"sendgrid_key", "SG.", false, Within::token,
            R"re(SG\.[A-Za-z0-9_\-]{16,32}\.[A-Za-z0-9_\-]{32,64})re", "", 0},
    Pattern{"vault_token", "hvs.|hvb.|hvr.", false, Within::token,
            CALLGATE_WORD R"re(hv[sbr]\.[A-Za-z0-9_\-]{24,})re", CALLGATE_KEEP_WORD, 0},
    Pattern{"digitalocean_token", "doo_v1_|dop_v1_|dor_v1_", false, Within::token,
            R"re(do[opr]_v1_[0-9a-f]{40,})re", "", 0},
    Pattern{"age_key", "AGE-SECRET-KEY-1", false, Within::token, R"re(AGE-SECRET-KEY-1[0-9A-Z]{50,})re", "",
            0},
    Pattern{"model_key", "sk-", false, Within::token,
            CALLGATE_WORD
            R"re(sk-(?:(?:ant|proj|svcacct|admin|or|live)-[A-Za-z0-9_\-]{16,}|[A-Za-z0-9]{32,}))re",
            CALLGATE_KEEP_WORD, 0},
    Pattern{"azure_key", "AccountKey=", false, Within::word, R"re(AccountKey=[A-Za-z0-9+/]{40,}={0,2})re",
            "AccountKey=", 0},
    Pattern{"jwt", "eyJ", false, Within::token,
            R"re(eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]*)re", "", 0},
    Pattern{
        "authorization", "authorization:|authorization=", true, Within::line,
        R"re((?i)authorization[:=][ \t]*(?:(?:basic|token|digest|bearer|negotiate|apikey)[ \t]+)?)re" CALLGATE_TEXT
        "{8,}",
        R"re((?i)authorization[:=][ \t]*(?:(?:basic|token|digest|bearer|negotiate|apikey)[ \t]+)?)re", 0},
    Pattern{"bearer", "bearer", true, Within::line, R"re((?i)bearer[ \t]+[A-Za-z0-9._~+/=\-]{16,})re",
            R"re((?i)bearer[ \t]+)re", 0},
    Pattern{"cookie", "cookie:", true, Within::line,
            R"re((?i)cookie:[ \t]*)re" CALLGATE_PAIR R"re((?:;[ \t]*)re" CALLGATE_PAIR ")*",
            R"re((?i)cookie:[ \t]*)re", 0, true},
    Pattern{"url_password", R"re(://|:/\|:\/|:\\)re", false, Within::word,
            R"re([A-Za-z][A-Za-z0-9+.\-]*:\\*/\\*/[^\s/:@"'<>\\]*:)re" CALLGATE_URL_TEXT "+@",
            R"re([A-Za-z][A-Za-z0-9+.\-]*:\\*/\\*/[^\s/:@"'<>\\]*:)re", 1},
    Pattern{"env_line",
            "PASSWORD=|PASSWD=|SECRET=|TOKEN=|APIKEY=|API_KEY=|PRIVATE_KEY=|ACCESS_KEY=|SECRET_KEY=", false,
            Within::word,
            "(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|PRIVATE_KEY|ACCESS_KEY|SECRET_KEY)=" CALLGATE_TEXT
            "{6,}",
            "[A-Z_]+=", 0},
    Pattern{"assignment", "password|passwd|apikey|api_key|secret|access_key|access_token|auth_token", true,
            Within::line,
            "(?i)(?:password|passwd|api_?key|secret|access_key|access_token|auth_token)[ \t]*[:=][ "
            "\t]*" CALLGATE_TEXT "*[0-9]" CALLGATE_TEXT "{4,}",
            R"re((?i)[a-z_]+[ \t]*[:=][ \t]*)re", 0},
};

#undef CALLGATE_WORD
#undef CALLGATE_KEEP_WORD
#undef CALLGATE_PAIR
#undef CALLGATE_URL_TEXT
#undef CALLGATE_TEXT

// Names of keys whose string values are secrets, as they end, in any case, with or without `_`, `-`, `.` or a
// space.
struct Key {
  const char* ending;  // lower case, no separators
  const char* rule;
};
inline constexpr std::array keys = {
    Key{"password", "password"},
    Key{"passwd", "password"},
    Key{"passphrase", "password"},
    Key{"pwd", "password"},
    Key{"secret", "secret"},
    Key{"secretkey", "secret"},
    Key{"secretaccesskey", "secret"},
    Key{"accesskey", "access_key"},
    Key{"apikey", "api_key"},
    Key{"privatekey", "private_key"},
    Key{"signingkey", "private_key"},
    Key{"encryptionkey", "private_key"},
    Key{"accountkey", "access_key"},
    Key{"authorization", "authorization"},
    Key{"cookie", "cookie"},
    Key{"cookies", "cookie"},
    Key{"token", "token"},
    Key{"credentials", "secret"},
    Key{"connectionstring", "secret"},
};
// Finds the key, the colon and the opening quote of its value, or of the first one of an array.
#define CALLGATE_KEYS                                                                                        \
  "(?i)(?:password|passwd|passphrase|pwd|secret|secret[_. -]?key|access[_. -]?key|api[_. -]?key|"            \
  "private[_. -]?key|signing[_. -]?key|encryption[_. -]?key|account[_. -]?key|authorization|cookies?|token|" \
  "credentials|connection[_. -]?string)"
#define CALLGATE_KEY_TAIL CALLGATE_KEYS R"re(\\*"\s*:\s*(?:\[\s*)?\\*")re"
inline constexpr const char* key_pattern = R"re((?i)"[A-Z0-9_. -]*)re" CALLGATE_KEY_TAIL;
// The same from where one of these literals stands, in any case.
inline constexpr const char* key_literals =
    "password|passwd|passphrase|pwd|secret|access|api|private|signing|encryption|account|authorization|"
    "cookie|"
    "token|credentials|connection";
inline constexpr const char* key_tail = CALLGATE_KEY_TAIL;
#undef CALLGATE_KEY_TAIL
#undef CALLGATE_KEYS

// Keys that end like one above and hold no secret.
inline constexpr std::array harmless_keys = {
    "progresstoken", "pagetoken", "nexttoken", "synctoken",  "continuationtoken", "cancellationtoken",
    "cursortoken",   "eostoken",  "bostoken",  "padtoken",   "unktoken",          "septoken",
    "clstoken",      "masktoken", "stoptoken", "starttoken", "endtoken",          "resumptiontoken",
};

inline constexpr const char* private_key_literal = "PRIVATE KEY";
#define CALLGATE_LABEL " (?:[A-Z0-9]{1,12} ){0,2}PRIVATE KEY(?: BLOCK)?-----"
inline constexpr const char* private_key_pattern = "-----BEGIN" CALLGATE_LABEL;
inline constexpr const char* private_key_end = "-----END" CALLGATE_LABEL;
#undef CALLGATE_LABEL
inline constexpr const char* private_key_bound = "-----(?:BEGIN|END) ";
inline constexpr const char* private_key_header =
    "Proc-Type: 4,ENCRYPTED|DEK-Info: [A-Z0-9-]{4,24},[0-9A-Fa-f]{8,32}";

// A printable ASCII character written as an escape begins so: then the text is searched once more without
// such escapes.
inline constexpr const char* escape_literal = R"re(\u00)re";

// Values that stand in many environments and are no secret, lower case.
inline constexpr std::array common_values = {
    "localhost",      "127.0.0.1",  "production",      "development",   "staging-1",    "testing-1",
    "xterm-256color", "truecolor",  "screen-256color", "c.utf-8",       "en_us.utf-8",  "en_gb.utf-8",
    "de_de.utf-8",    "us-east-1",  "us-west-2",       "eu-west-1",     "eu-central-1", "undefined",
    "disabled",       "password",   "postgres",        "postgresql",    "application",  "application/json",
    "workspace",      "repository", "anonymous",       "administrator", "document",     "database",
};

}  // namespace ledger::redact_patterns
