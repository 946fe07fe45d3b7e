#include <algorithm>

#include "ledger/body.hpp"
#include "ledger/profile.hpp"
#include "proxy/base/text.hpp"
#include "proxy/base/utf8.hpp"

namespace ledger {
namespace {

constexpr std::uint64_t decimal_max = (std::uint64_t{1} << 63) - 1;

// Reads the one encoding that the profile allows. After the first failure every read fails.
class Decoder {
 public:
  explicit Decoder(std::string_view body) : rest_(body), size_(body.size()) {}

  bool accept(std::string_view text) {
    if (failed_ || !rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }

  bool expect(std::string_view text) { return accept(text) || fail("expected " + base::quoted(text, 40)); }

  bool require(bool condition, const char* what) { return (!failed_ && condition) || fail(what); }

  bool string(std::string& out) {
    if (!expect("\"")) return false;
    for (;;) {
      const std::size_t count = plain_count();
      out.append(rest_.substr(0, count));
      rest_.remove_prefix(count);
      if (accept("\"")) return true;
      if (!escape(out)) return false;
    }
  }

  bool named(std::string& out) { return string(out) && require(!out.empty(), "an empty string"); }

  bool integer(std::uint64_t& out, std::uint64_t most = integer_max) {
    std::size_t count = 0;
    std::uint64_t value = 0;
    while (count < rest_.size() && count < 19 && rest_[count] >= '0' && rest_[count] <= '9')
      value = value * 10 + static_cast<std::uint64_t>(rest_[count++] - '0');
    if (failed_ || count == 0 || (count > 1 && rest_[0] == '0') || value > most)
      return fail("no such integer");
    rest_.remove_prefix(count);
    out = value;
    return true;
  }
  bool integer(std::int64_t& out) {
    std::uint64_t value = 0;
    if (!integer(value)) return false;
    out = static_cast<std::int64_t>(value);
    return true;
  }

  bool decimal(std::int64_t& out) {
    std::uint64_t value = 0;
    if (!expect("\"") || !integer(value, decimal_max) || !expect("\"")) return false;
    out = static_cast<std::int64_t>(value);
    return true;
  }

  bool hex(std::string& out, std::size_t count) {
    if (!expect("\"")) return false;
    const auto text = rest_.substr(0, count);
    if (!profile::hex_digits(text, count)) return fail("expected hex digits");
    out = text;
    rest_.remove_prefix(count);
    return expect("\"");
  }

  bool digest(base::Digest& out) {
    if (!expect("\"")) return false;
    const auto read = base::digest_from_hex(rest_.substr(0, 64));
    if (!read) return fail("expected hex digits");
    out = *read;
    rest_.remove_prefix(64);
    return expect("\"");
  }

  template <std::size_t N>
  bool one_of(std::string& out, const std::array<std::string_view, N>& words) {
    return string(out) && require(profile::one_of(out, words), "no such word");
  }

  bool at_end() { return require(rest_.empty(), "bytes after the end"); }

  base::Error error() const {
    return {base::Code::invalid, "a record's body is not in the profile at byte " +
                                     std::to_string(size_ - failed_at_) + ": " + problem_};
  }

 private:
  bool fail(std::string what) {
    if (!failed_) {
      failed_ = true;
      problem_ = std::move(what);
      failed_at_ = rest_.size();
    }
    return false;
  }

  std::size_t plain_count() const {
    std::size_t count = 0;
    while (count < rest_.size() && static_cast<unsigned char>(rest_[count]) >= 0x20 && rest_[count] != '"' &&
           rest_[count] != '\\')
      ++count;
    return count;
  }

  bool escape(std::string& out) {
    if (accept("\\\"")) return out += '"', true;
    if (accept("\\\\")) return out += '\\', true;
    if (accept("\\u00") && rest_.size() >= 2 && (rest_[0] == '0' || rest_[0] == '1') &&
        profile::hex_digits(rest_.substr(0, 2), 2)) {
      const int low = rest_[1] <= '9' ? rest_[1] - '0' : rest_[1] - 'a' + 10;
      out += static_cast<char>((rest_[0] - '0') * 16 + low);
      rest_.remove_prefix(2);
      return true;
    }
    return fail("a string that is not encoded as the profile says");
  }

  std::string_view rest_;
  std::size_t size_;
  bool failed_ = false;
  std::size_t failed_at_ = 0;
  std::string problem_;
};

bool decode_head(Decoder& in, Record& record) {
  std::string type;
  if (!(in.expect("{\"v\":1,\"ledger\":") && in.hex(record.ledger, 32) && in.expect(",\"sequence\":") &&
        in.integer(record.sequence) && in.expect(",\"previous\":") && in.digest(record.previous) &&
        in.expect(",\"time\":") && in.decimal(record.time) && in.expect(",\"monotonic\":") &&
        in.decimal(record.monotonic) && in.expect(",\"boot\":") && in.hex(record.boot, 32) &&
        in.expect(",\"writer\":") && in.hex(record.writer, 32) && in.expect(",\"type\":") && in.string(type)))
    return false;
  const auto known = type_from_name(type);
  if (!in.require(known.has_value(), "no such type")) return false;
  record.type = *known;
  return true;
}

bool decode_agent(Decoder& in, Agent& agent) {
  return in.expect("{\"name\":") && in.string(agent.name) && in.expect(",\"version\":") &&
         in.string(agent.version) && in.expect(",\"protocol\":") && in.string(agent.protocol) &&
         in.expect(",\"process\":{\"pid\":") && in.integer(agent.process.pid) && in.expect(",\"start\":") &&
         in.integer(agent.process.start) && in.expect(",\"boot\":") &&
         (in.accept("\"\"") || in.hex(agent.process.boot, 32)) && in.expect("},\"commit\":") &&
         in.string(agent.commit) && in.expect("}");
}

bool decode_capability(Decoder& in, Capability& capability) {
  if (!(in.expect("{\"method\":") && in.string(capability.method) && in.expect(",\"tool\":") &&
        in.string(capability.tool) && in.expect(",\"effects\":[")))
    return false;
  auto& effects = capability.effects;
  if (!in.accept("]")) {
    do {
      std::string effect;
      if (!in.string(effect) || !in.require(effects.size() < profile::effects_max, "too many effects") ||
          !in.require(std::find(effects.begin(), effects.end(), effect) == effects.end(), "an effect twice"))
        return false;
      effects.push_back(std::move(effect));
    } while (in.accept(","));
    if (!in.expect("]")) return false;
  }
  return in.expect(",\"call\":") && in.digest(capability.call) && in.expect("}");
}

bool decode_rules(Decoder& in, std::vector<Rule>& rules) {
  do {
    Rule rule;
    if (!(in.expect("{\"id\":") && in.string(rule.id) && in.expect(",\"layer\":") && in.string(rule.layer) &&
          in.expect(",\"tier\":") && in.one_of(rule.tier, profile::tiers) && in.expect("}")))
      return false;
    rules.push_back(std::move(rule));
  } while (in.accept(","));
  return in.expect("]");
}

bool decode_violation(Decoder& in, Violation& violation) {
  return in.expect("{\"kind\":") && in.string(violation.kind) && in.expect(",\"class\":") &&
         in.string(violation.violation_class) && in.expect(",\"severity\":") &&
         in.one_of(violation.severity, profile::severities) && in.expect(",\"rule\":") &&
         in.string(violation.rule) && in.expect("}");
}

bool decode_operator(Decoder& in, Operator& by) {
  return in.expect("{\"answer\":") && in.one_of(by.answer, profile::answers) && in.expect(",\"level\":") &&
         in.one_of(by.level, profile::levels) && in.expect(",\"key\":") && in.hex(by.key, 64) &&
         in.expect(",\"signature\":") && in.hex(by.signature, 128) && in.expect(",\"valid_until\":") &&
         in.decimal(by.valid_until) && in.expect("}");
}

bool decode_outcome(Decoder& in, Outcome& outcome) {
  if (!(in.expect("{\"status\":") && in.one_of(outcome.status, profile::statuses) &&
        in.expect(",\"error\":") && in.string(outcome.error) && in.expect(",\"is_error\":")))
    return false;
  outcome.is_error = in.accept("1");
  return (outcome.is_error || in.expect("0")) && in.expect(",\"size\":") && in.integer(outcome.size) &&
         in.expect(",\"duration\":") && in.integer(outcome.duration) && in.expect("}");
}

bool decode_payloads(Decoder& in, std::vector<Commitment>& payloads) {
  do {
    Commitment commitment;
    if (!(in.expect("{\"slot\":") && in.named(commitment.slot) && in.expect(",\"digest\":") &&
          in.digest(commitment.digest) && in.expect(",\"size\":") && in.integer(commitment.size) &&
          in.expect("}") && in.require(payloads.size() < profile::payloads_max, "too many payloads")))
      return false;
    for (const auto& other : payloads)
      if (!in.require(other.slot != commitment.slot, "a payload slot twice")) return false;
    payloads.push_back(std::move(commitment));
  } while (in.accept(","));
  return in.expect("]");
}

// Members with keys ascending by bytes; `value` reads one value.
template <class Map, class ReadValue>
bool decode_map(Decoder& in, Map& map, ReadValue read_value) {
  do {
    std::string key;
    typename Map::mapped_type value{};
    if (!(in.named(key) && in.expect(":") && read_value(value) &&
          in.require(map.empty() || map.rbegin()->first < key, "keys that do not ascend")))
      return false;
    map.emplace_hint(map.end(), std::move(key), std::move(value));
  } while (in.accept(","));
  return in.expect("}");
}

bool decode_call(Decoder& in, Record& record) {
  if (in.accept(",\"mission\":") && !in.named(record.mission)) return false;
  if (in.accept(",\"call\":") && !(in.integer(record.call) && in.require(record.call != 0, "call 0")))
    return false;
  if (in.accept(",\"answers\":{\"sequence\":")) {
    auto& answers = record.answers.emplace();
    if (!(in.integer(answers.sequence) && in.expect(",\"leaf\":") && in.digest(answers.leaf) &&
          in.expect("}")))
      return false;
  }
  if (in.accept(",\"agent\":") && !decode_agent(in, record.agent.emplace())) return false;
  if (in.accept(",\"policy\":") && !in.digest(record.policy.emplace())) return false;
  if (in.accept(",\"server\":") && !in.named(record.server)) return false;
  if (in.accept(",\"capability\":") && !decode_capability(in, record.capability.emplace())) return false;
  if (in.accept(",\"decision\":") && !in.one_of(record.decision, profile::tiers)) return false;
  return true;
}

bool decode_rest(Decoder& in, Record& record) {
  if (in.accept(",\"rules\":[") && !decode_rules(in, record.rules)) return false;
  if (in.accept(",\"violation\":") && !decode_violation(in, record.violation.emplace())) return false;
  if (in.accept(",\"operator\":") && !decode_operator(in, record.operator_.emplace())) return false;
  if (in.accept(",\"outcome\":") && !decode_outcome(in, record.outcome.emplace())) return false;
  if (in.accept(",\"payloads\":[") && !decode_payloads(in, record.payloads)) return false;
  if (in.accept(",\"redacted\":{") && !decode_map(in, record.redacted, [&](std::uint64_t& count) {
        return in.integer(count) && in.require(count != 0, "a count of 0");
      }))
    return false;
  if (in.accept(",\"details\":{") &&
      !decode_map(in, record.details, [&](std::string& value) { return in.string(value); }))
    return false;
  return in.expect("}") && in.at_end();
}

}  // namespace

base::Result<Record> decode(std::string_view body) {
  if (body.size() > body_bytes_max)
    return base::Error(base::Code::invalid,
                       "a record's body is larger than " + std::to_string(body_bytes_max) + " bytes");
  if (!base::utf8::valid(body)) return base::Error(base::Code::invalid, "a record's body is not UTF-8");
  Decoder in(body);
  Record record;
  if (decode_head(in, record) && decode_call(in, record) && decode_rest(in, record)) return record;
  return in.error();
}

}  // namespace ledger
