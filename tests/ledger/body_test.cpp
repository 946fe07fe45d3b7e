#include "ledger/body.hpp"

#include <set>

#include "tests/catch.hpp"

namespace {

using ledger::Record;

// FORMAT.md, «Worked example».
const std::string example =
    R"({"v":1,"ledger":"00112233445566778899aabbccddeeff","sequence":7,)"
    R"("previous":"abababababababababababababababababababababababababababababababab",)"
    R"("time":"1795974442123456789","monotonic":"86400000000001",)"
    R"("boot":"0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f0f","writer":"5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a",)"
    R"("type":"decision","mission":"m-3f2a9c","call":3,)"
    R"("policy":"c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4c4","server":"files",)"
    R"("capability":{"method":"tools/call","tool":"read_\"file\u000a","effects":["use","read"],)"
    R"("call":"d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1"},"decision":"ASK",)"
    R"("rules":[{"id":"ask-writes","layer":"user","tier":"ASK"}],)"
    R"("payloads":[{"slot":"arguments","digest":"e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2e2","size":42}],)"
    R"("redacted":{"env":1},"details":{"expires":"1795975042123456789"}})";

base::Digest digest(std::uint8_t byte) {
  base::Digest digest{};
  digest.fill(byte);
  return digest;
}

Record full() {
  Record record;
  record.ledger = std::string(32, '1');
  record.sequence = ledger::integer_max;
  record.previous = digest(2);
  record.time = std::numeric_limits<std::int64_t>::max();
  record.monotonic = 0;
  record.boot = std::string(32, '3');
  record.writer = std::string(32, '4');
  record.type = ledger::Type::degraded;
  record.mission = "m \"quoted\" \\ \x01\x1f\x7f é 😀";
  record.call = 1;
  record.answers = ledger::Reference{5, digest(6)};
  record.agent = ledger::Agent{"a", "", "2025-06-18", {1, 2, std::string(32, '7')}, "abc"};
  record.policy = digest(8);
  record.server = "s";
  record.capability = ledger::Capability{"tools/call", std::string("a\0b", 3), {"use", "run"}, digest(9)};
  record.decision = "DENY";
  record.rules = {{"a", "user", "DENY"}, {"", "built-in", "ALLOW"}};
  record.violation = ledger::Violation{"rule", "malicious", "critical", "r"};
  record.operator_ = ledger::Operator{"deny", "pin", std::string(64, 'a'), std::string(128, 'b'), 77};
  record.outcome = ledger::Outcome{"failed", "closed", true, 10, 20};
  record.payloads = {{"arguments", digest(10), 0}, {"effects", digest(11), 9}};
  record.redacted = {{"aws", 2}, {"env", 1}};
  record.details = {{"a", ""}, {"b", "\n"}};
  return record;
}

Record least() {
  Record record;
  record.ledger = record.boot = record.writer = std::string(32, '0');
  return record;
}

// The members of the outermost object, as text.
std::vector<std::string> members(const std::string& body) {
  std::vector<std::string> found;
  std::string member;
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 1; i + 1 < body.size(); ++i) {
    const char c = body[i];
    if (quoted && c == '\\') {
      member += c;
      member += body[++i];
      continue;
    }
    if (c == '"') quoted = !quoted;
    if (!quoted) depth += (c == '{' || c == '[') ? 1 : (c == '}' || c == ']') ? -1 : 0;
    if (!quoted && depth == 0 && c == ',') {
      found.push_back(std::exchange(member, {}));
    } else {
      member += c;
    }
  }
  found.push_back(member);
  return found;
}

std::string join(const std::vector<std::string>& parts) {
  std::string body = "{";
  for (const auto& part : parts) body += (body.size() > 1 ? "," : "") + part;
  return body + "}";
}

TEST_CASE("the worked example decodes to its record, encodes to its bytes and has its leaf") {
  REQUIRE(example.size() == 850);
  const auto record = ledger::decode(example);
  REQUIRE(record.has_value());
  CHECK(record->sequence == 7);
  CHECK(record->capability->tool == "read_\"file\n");
  CHECK(record->redacted.at("env") == 1);
  CHECK(ledger::encode(*record).value() == example);
  CHECK(base::hex(ledger::leaf_of(example)) ==
        "4f116ac4787339cda75bc8acc7ac64d6fd95a13ca4bc93eebe5432cc70da8682");
}

TEST_CASE("a record with every key, and one with the least, come back as they were") {
  for (const Record& record : {full(), least()}) {
    const auto body = ledger::encode(record);
    REQUIRE(body.has_value());
    const auto again = ledger::decode(*body);
    REQUIRE(again.has_value());
    CHECK(*again == record);
    CHECK(ledger::encode(*again).value() == *body);
  }
}

TEST_CASE("every type has a name that leads back to it") {
  std::set<std::string> names;
  for (int i = 0; i <= static_cast<int>(ledger::Type::degraded); ++i) {
    const auto type = static_cast<ledger::Type>(i);
    CHECK(ledger::type_from_name(ledger::name(type)) == type);
    names.insert(ledger::name(type));
  }
  CHECK(names.size() == 40);
  CHECK_FALSE(ledger::type_from_name("unknown").has_value());
}

TEST_CASE("a body with a needed key removed, keys exchanged or doubled, or a key added is refused") {
  const std::string body = ledger::encode(full()).value();
  const auto parts = members(body);
  REQUIRE(parts.size() == 24);
  REQUIRE(join(parts) == body);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    auto changed = parts;
    changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(i));
    CHECK(ledger::decode(join(changed)).has_value() == (i >= 9));  // the first nine are always present
    changed = parts;
    changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(i), parts[i]);
    CHECK_FALSE(ledger::decode(join(changed)).has_value());
    changed[i] = "\"extra\":1";
    CHECK_FALSE(ledger::decode(join(changed)).has_value());
    if (i == 0) continue;
    changed = parts;
    std::swap(changed[i - 1], changed[i]);
    CHECK_FALSE(ledger::decode(join(changed)).has_value());
  }
}

TEST_CASE("every byte flipped gives a body that is refused or another record with another leaf") {
  for (const std::string& body : {example, ledger::encode(full()).value()}) {
    const Record record = ledger::decode(body).value();
    for (std::size_t at = 0; at < body.size(); ++at) {
      for (int bit = 0; bit < 8; ++bit) {
        std::string flipped = body;
        flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
        const auto other = ledger::decode(flipped);
        if (!other) continue;
        if (*other == record || ledger::encode(*other).value() != flipped)
          FAIL("byte " << at << " bit " << bit);
      }
    }
  }
}

TEST_CASE("every cut of a body is refused") {
  const std::string body = ledger::encode(full()).value();
  for (std::size_t length = 0; length < body.size(); ++length)
    if (ledger::decode(body.substr(0, length))) FAIL("cut at " << length);
  CHECK_FALSE(ledger::decode(body + " ").has_value());
  CHECK_FALSE(ledger::decode(body + "\n").has_value());
}

TEST_CASE("other encodings of the same values are refused") {
  const auto refused = [](const std::string& from, const std::string& to) {
    std::string body = example;
    const auto at = body.find(from);
    REQUIRE(at != std::string::npos);
    body.replace(at, from.size(), to);
    const auto decoded = ledger::decode(body);
    CHECK_FALSE(decoded.has_value());
  };
  refused("\\u000a", "\\n");
  refused("\\u000a", "\\u000A");
  refused("\\u000a", "\n");
  refused("files", "\\u0066iles");
  refused("files", "f\\/iles");
  refused("\"sequence\":7", "\"sequence\":07");
  refused("\"sequence\":7", "\"sequence\":7.0");
  refused("\"sequence\":7", "\"sequence\":-7");
  refused("\"sequence\":7", "\"sequence\": 7");
  refused("\"sequence\":7", "\"sequence\":9007199254740992");
  refused("\"time\":\"1795974442123456789\"", "\"time\":\"9223372036854775808\"");
  refused("\"time\":\"1795974442123456789\"", "\"time\":1795974442123456789");
  refused("c4c4", "C4C4");
  refused("\"call\":3", "\"call\":0");
  refused("\"mission\":\"m-3f2a9c\"", "\"mission\":\"\"");
  refused("\"ASK\"", "\"ask\"");
  refused("[\"use\",\"read\"]", "[\"use\",\"use\"]");
  refused("\"env\":1", "\"env\":0");
  refused("\"env\":1", "\"env\":1,\"aws\":1");
  refused("\"env\":1", "\"env\":1,\"env\":1");
  refused("files", "\xc0\xaf");
  refused("files", "\xed\xa0\x80");
  refused("\"v\":1", "\"v\":2");
}

TEST_CASE("a record that the profile does not hold is not encoded") {
  const auto refused = [](void (*change)(Record&)) {
    Record record = full();
    change(record);
    return !ledger::encode(record);
  };
  CHECK(refused([](Record& r) { r.ledger = "x"; }));
  CHECK(refused([](Record& r) { r.sequence = ledger::integer_max + 1; }));
  CHECK(refused([](Record& r) { r.time = -1; }));
  CHECK(refused([](Record& r) { r.server = "\xff"; }));
  CHECK(refused([](Record& r) { r.decision = "allow"; }));
  CHECK(refused([](Record& r) { r.rules[0].tier = ""; }));
  CHECK(refused([](Record& r) { r.operator_->answer = "yes"; }));
  CHECK(refused([](Record& r) { r.operator_->key.pop_back(); }));
  CHECK(refused([](Record& r) { r.outcome->status = ""; }));
  CHECK(refused([](Record& r) { r.outcome->duration = -1; }));
  CHECK(refused([](Record& r) { r.payloads.push_back(r.payloads[0]); }));
  CHECK(refused([](Record& r) { r.payloads[0].slot.clear(); }));
  CHECK(refused([](Record& r) { r.redacted["zero"] = 0; }));
  CHECK(refused([](Record& r) { r.details[""] = "x"; }));
  CHECK(refused([](Record& r) { r.capability->effects.push_back("use"); }));
  Record large = full();
  large.server = std::string(ledger::body_bytes_max, 'x');
  CHECK(ledger::encode(large).error().code() == base::Code::limit);
}

}  // namespace
