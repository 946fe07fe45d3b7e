#include <algorithm>
#include <charconv>
#include <limits>

#include "ledger/body.hpp"
#include "ledger/profile.hpp"
#include "proxy/base/utf8.hpp"

namespace ledger {
namespace {

// Appends in the profile and remembers the first thing that it cannot hold.
class Encoder {
 public:
  Encoder() { bytes_.reserve(1024); }

  void raw(std::string_view text) { bytes_ += text; }

  void string(std::string_view text) {
    bytes_ += '"';
    if (profile::plain(text)) {
      bytes_ += text;
    } else {
      if (!base::utf8::valid(text)) problem("a string that is not UTF-8");
      escape(text);
    }
    bytes_ += '"';
  }

  void integer(std::uint64_t value) {
    if (value > integer_max) problem("an integer above 2^53 - 1");
    digits(value);
  }
  void integer(std::int64_t value) {
    if (value < 0) return problem("a negative integer");
    integer(static_cast<std::uint64_t>(value));
  }

  void decimal(std::int64_t value) {
    if (value < 0) return problem("a negative time");
    bytes_ += '"';
    digits(static_cast<std::uint64_t>(value));
    bytes_ += '"';
  }

  void digest(const base::Digest& digest) {
    static constexpr char digits[] = "0123456789abcdef";
    char text[66];
    char* end = text;
    *end++ = '"';
    for (const auto byte : digest) {
      *end++ = digits[byte >> 4];
      *end++ = digits[byte & 15];
    }
    *end++ = '"';
    bytes_.append(text, sizeof text);
  }

  void hex(std::string_view text, std::size_t count) {
    if (!profile::hex_digits(text, count)) return problem("an id that is not lower-case hex of its length");
    bytes_ += '"';
    bytes_ += text;
    bytes_ += '"';
  }

  template <std::size_t N>
  void one_of(std::string_view text, const std::array<std::string_view, N>& words) {
    if (!profile::one_of(text, words)) problem("a word outside its enumeration");
    string(text);
  }

  void require(bool condition, const char* what) {
    if (!condition) problem(what);
  }

  base::Result<std::string> finish() && {
    if (problem_ != nullptr)
      return base::Error(base::Code::invalid, std::string("the record holds ") + problem_);
    if (bytes_.size() > body_bytes_max)
      return base::Error(base::Code::limit,
                         "the record is larger than " + std::to_string(body_bytes_max) + " bytes");
    return std::move(bytes_);
  }

 private:
  void problem(const char* what) {
    if (problem_ == nullptr) problem_ = what;
  }

  void digits(std::uint64_t value) {
    char text[20];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    bytes_.append(text, end);
  }

  void escape(std::string_view text) {
    static constexpr char digits[] = "0123456789abcdef";
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte < 0x20) {
        bytes_ += "\\u00";
        bytes_ += digits[byte >> 4];
        bytes_ += digits[byte & 15];
      } else {
        if (c == '"' || c == '\\') bytes_ += '\\';
        bytes_ += c;
      }
    }
  }

  std::string bytes_;
  const char* problem_ = nullptr;
};

void encode_head(Encoder& out, const Record& record) {
  out.raw("{\"v\":1,\"ledger\":");
  out.hex(record.ledger, 32);
  out.raw(",\"sequence\":");
  out.integer(record.sequence);
  out.raw(",\"previous\":");
  out.digest(record.previous);
  out.raw(",\"time\":");
  out.decimal(record.time);
  out.raw(",\"monotonic\":");
  out.decimal(record.monotonic);
  out.raw(",\"boot\":");
  out.hex(record.boot, 32);
  out.raw(",\"writer\":");
  out.hex(record.writer, 32);
  out.raw(",\"type\":");
  out.string(name(record.type));
}

void encode_agent(Encoder& out, const Agent& agent) {
  out.raw(",\"agent\":{\"name\":");
  out.string(agent.name);
  out.raw(",\"version\":");
  out.string(agent.version);
  out.raw(",\"protocol\":");
  out.string(agent.protocol);
  out.raw(",\"process\":{\"pid\":");
  out.integer(agent.process.pid);
  out.raw(",\"start\":");
  out.integer(agent.process.start);
  out.raw(",\"boot\":");
  out.hex(agent.process.boot, agent.process.boot.empty() ? 0 : 32);
  out.raw("},\"commit\":");
  out.string(agent.commit);
  out.raw("}");
}

void encode_capability(Encoder& out, const Capability& capability) {
  out.raw(",\"capability\":{\"method\":");
  out.string(capability.method);
  out.raw(",\"tool\":");
  out.string(capability.tool);
  out.raw(",\"effects\":[");
  out.require(capability.effects.size() <= profile::effects_max, "too many effects");
  for (std::size_t i = 0; i < capability.effects.size() && i < profile::effects_max; ++i) {
    const auto here = capability.effects.begin() + static_cast<std::ptrdiff_t>(i);
    out.require(std::find(capability.effects.begin(), here, *here) == here, "an effect twice");
    if (i != 0) out.raw(",");
    out.string(*here);
  }
  out.raw("],\"call\":");
  out.digest(capability.call);
  out.raw("}");
}

void encode_rules(Encoder& out, const std::vector<Rule>& rules) {
  std::string_view before = ",\"rules\":[{\"id\":";
  for (const auto& rule : rules) {
    out.raw(std::exchange(before, ",{\"id\":"));
    out.string(rule.id);
    out.raw(",\"layer\":");
    out.string(rule.layer);
    out.raw(",\"tier\":");
    out.one_of(rule.tier, profile::tiers);
    out.raw("}");
  }
  if (!rules.empty()) out.raw("]");
}

void encode_violation(Encoder& out, const Violation& violation) {
  out.raw(",\"violation\":{\"kind\":");
  out.string(violation.kind);
  out.raw(",\"class\":");
  out.string(violation.violation_class);
  out.raw(",\"severity\":");
  out.one_of(violation.severity, profile::severities);
  out.raw(",\"rule\":");
  out.string(violation.rule);
  out.raw("}");
}

void encode_operator(Encoder& out, const Operator& by) {
  out.raw(",\"operator\":{\"answer\":");
  out.one_of(by.answer, profile::answers);
  out.raw(",\"level\":");
  out.one_of(by.level, profile::levels);
  out.raw(",\"key\":");
  out.hex(by.key, 64);
  out.raw(",\"signature\":");
  out.hex(by.signature, 128);
  out.raw(",\"valid_until\":");
  out.decimal(by.valid_until);
  out.raw("}");
}

void encode_outcome(Encoder& out, const Outcome& outcome) {
  out.raw(",\"outcome\":{\"status\":");
  out.one_of(outcome.status, profile::statuses);
  out.raw(",\"error\":");
  out.string(outcome.error);
  out.raw(outcome.is_error ? ",\"is_error\":1,\"size\":" : ",\"is_error\":0,\"size\":");
  out.integer(outcome.size);
  out.raw(",\"duration\":");
  out.integer(outcome.duration);
  out.raw("}");
}

void encode_payloads(Encoder& out, const std::vector<Commitment>& payloads) {
  out.require(payloads.size() <= profile::payloads_max, "too many payloads");
  std::string_view before = ",\"payloads\":[{\"slot\":";
  for (std::size_t i = 0; i < payloads.size() && i < profile::payloads_max; ++i) {
    out.require(!payloads[i].slot.empty(), "a payload without a slot");
    for (std::size_t j = 0; j < i; ++j)
      out.require(payloads[j].slot != payloads[i].slot, "a payload slot twice");
    out.raw(std::exchange(before, ",{\"slot\":"));
    out.string(payloads[i].slot);
    out.raw(",\"digest\":");
    out.digest(payloads[i].digest);
    out.raw(",\"size\":");
    out.integer(payloads[i].size);
    out.raw("}");
  }
  if (!payloads.empty()) out.raw("]");
}

void encode_tail(Encoder& out, const Record& record) {
  std::string_view before = ",\"redacted\":{";
  for (const auto& [rule, count] : record.redacted) {
    out.require(!rule.empty() && count != 0, "a redaction without rule or count");
    out.raw(std::exchange(before, ","));
    out.string(rule);
    out.raw(":");
    out.integer(count);
  }
  if (!record.redacted.empty()) out.raw("}");
  before = ",\"details\":{";
  for (const auto& [key, value] : record.details) {
    out.require(!key.empty(), "a detail without a key");
    out.raw(std::exchange(before, ","));
    out.string(key);
    out.raw(":");
    out.string(value);
  }
  if (!record.details.empty()) out.raw("}");
  out.raw("}");
}

void encode_named(Encoder& out, std::string_view key, const std::string& value) {
  if (value.empty()) return;
  out.raw(key);
  out.string(value);
}

}  // namespace

base::Result<std::string> encode(const Record& record) {
  Encoder out;
  encode_head(out, record);
  encode_named(out, ",\"mission\":", record.mission);
  if (record.call != 0) {
    out.raw(",\"call\":");
    out.integer(record.call);
  }
  if (record.answers) {
    out.raw(",\"answers\":{\"sequence\":");
    out.integer(record.answers->sequence);
    out.raw(",\"leaf\":");
    out.digest(record.answers->leaf);
    out.raw("}");
  }
  if (record.agent) encode_agent(out, *record.agent);
  if (record.policy) {
    out.raw(",\"policy\":");
    out.digest(*record.policy);
  }
  encode_named(out, ",\"server\":", record.server);
  if (record.capability) encode_capability(out, *record.capability);
  if (!record.decision.empty()) {
    out.raw(",\"decision\":");
    out.one_of(record.decision, profile::tiers);
  }
  encode_rules(out, record.rules);
  if (record.violation) encode_violation(out, *record.violation);
  if (record.operator_) encode_operator(out, *record.operator_);
  if (record.outcome) encode_outcome(out, *record.outcome);
  encode_payloads(out, record.payloads);
  encode_tail(out, record);
  return std::move(out).finish();
}

base::Digest leaf_of(std::string_view body) { return base::sha256({std::string_view("\0", 1), body}); }

}  // namespace ledger
