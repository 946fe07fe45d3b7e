// Any payload is read or refused. And of any texts, whether UTF-8 or not, the payload that we write is read
// back whole.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "approvals/effects.hpp"
#include "proxy/base/check.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/utf8.hpp"

namespace {

constexpr policy::EffectKind kinds[] = {policy::EffectKind::use,    policy::EffectKind::read,
                                        policy::EffectKind::write,  policy::EffectKind::remove,
                                        policy::EffectKind::run,    policy::EffectKind::connect,
                                        policy::EffectKind::sample, policy::EffectKind::elicit};

// One effect a line, its first byte the kind.
policy::Decision decision_of(std::string_view text) {
  policy::Decision decision;
  while (!text.empty() && decision.effects.size() < 64) {
    const std::string_view line = text.substr(0, text.find('\n'));
    policy::Effect effect;
    effect.kind = kinds[line.empty() ? 0 : static_cast<unsigned char>(line[0]) % 8];
    effect.name = effect.destination = effect.note = line;
    effect.path = {std::string(line), "/" + std::string(line), "/real"};
    effect.command.words = {"run", std::string(line)};
    effect.opaque = line.size() % 2 == 0;
    policy::Reason reason;
    reason.effect = decision.effects.size();
    reason.tier = policy::Tier::ask;
    reason.why = line;
    decision.effects.push_back(std::move(effect));
    decision.reasons.push_back(std::move(reason));
    text.remove_prefix(line.size() == text.size() ? line.size() : line.size() + 1);
  }
  return decision;
}

void check_written(std::string_view text) {
  const policy::Decision decision = decision_of(text);
  const std::string payload = approvals::effects_payload(decision);
  CHECK(base::json::check(payload).has_value());
  const auto lines = approvals::effects_from_payload(payload);
  CHECK(lines.has_value() && lines->size() == decision.effects.size());
  for (std::size_t i = 0; i < lines->size(); ++i) {
    const policy::Effect& effect = decision.effects[i];
    const approvals::ShownEffect& line = (*lines)[i];
    CHECK(line.effect == policy::name(effect.kind));
    CHECK(line.opaque == effect.opaque);
    CHECK(line.tier == "ASK");
    CHECK(line.note.empty() == effect.note.empty());
    if (base::utf8::valid(effect.note)) CHECK(line.note == effect.note && line.why == effect.note);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto lines = approvals::effects_from_payload(text);
  if (lines) {
    const auto value = base::json::parse(text);
    CHECK(value.has_value() && value->is_array() && value->size() == lines->size());
  }
  check_written(text);
  return 0;
}
