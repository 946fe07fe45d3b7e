// The first byte chooses whose call it is, the rest is its arguments. Whatever they are, the effects begin
// with `use` and are bounded; of an undeclared tool they never help to allow; the decision is theirs.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policy/describe/describe.hpp"
#include "policy/describe/effect_list.hpp"
#include "policy/policy.hpp"
#include "policy/review/cases.hpp"
#include "policy/rule/rule.hpp"
#include "proxy/base/check.hpp"
#include "proxy/base/json.hpp"

namespace {

policy::Policy load(const char* toml) {
  return policy::Policy::load({{policy::Layer::mission, "p.toml", toml, true}}, "/w", "/home/dev").value();
}

// All that is certain is allowed; one path is denied whatever it takes to see it.
const policy::Policy& rules() {
  static const policy::Policy policy = load(R"(version = 1
[[allow]]
id = "all"
path = ["/**"]
[[deny]]
id = "keys"
path = ["**/.ssh/**"]
)");
  return policy;
}

// Every server and tool of the catalogue, and one that is in none.
std::vector<std::pair<std::string, std::string>> tools() {
  std::vector<std::pair<std::string, std::string>> all{{"", "unheard_of"}};
  for (const auto& [server, entry] : policy::built_in_catalogue()->servers)
    for (const auto& [tool, declared] : entry.tools) all.emplace_back(server, tool);
  return all;
}

policy::Call call_of(std::uint8_t choice, base::json::Value arguments) {
  static const auto known = tools();
  policy::Call call;
  call.server = "s";
  call.arguments = std::move(arguments);
  constexpr const char* others[] = {"resources/read", "prompts/get", "sampling/createMessage", "tools/other"};
  if (choice < 8) {
    call.method = others[choice / 2];
    return call;
  }
  call.method = "tools/call";
  const auto& [server, tool] = known[choice % known.size()];
  call.catalogue_entry = server;
  call.tool = tool;
  return call;
}

bool absolute(const policy::Effect& effect) {
  return effect.path.lexical.starts_with('/') && effect.path.real.starts_with('/');
}

bool has_path(const policy::Effect& effect) {
  return effect.kind == policy::EffectKind::read || effect.kind == policy::EffectKind::write ||
         effect.kind == policy::EffectKind::remove;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  auto arguments = base::json::parse({reinterpret_cast<const char*>(data) + 1, size - 1});
  if (!arguments) return 0;
  const policy::Call call = call_of(data[0], std::move(*arguments));
  const policy::DescribedFiles links;
  policy::Scene scene{.workspace = "/w", .directory = "/w", .home = "/home/dev", .user = "dev"};
  scene.links = &links;
  const auto effects = policy::describe(call, scene, {}, *policy::built_in_catalogue());
  CHECK(!effects.empty() && effects.size() <= policy::effects_max);
  CHECK(call.method == "sampling/createMessage" || effects.front().kind == policy::EffectKind::use);
  const bool undeclared = call.method == "tools/call" && call.catalogue_entry.empty();
  for (const policy::Effect& effect : effects) {
    CHECK(!has_path(effect) || effect.opaque || !effect.refused.empty() || absolute(effect));
    CHECK(!undeclared || effect.guessed || effect.opaque || effect.kind == policy::EffectKind::use);
    static_cast<void>(policy::summary(effect));
  }
  const policy::Decision decision = rules().judge(call, scene);
  CHECK(decision == rules().judge(call, scene));
  CHECK(decision.reasons.size() == decision.effects.size());
  const bool key = std::ranges::any_of(effects, [](const policy::Effect& effect) {
    return has_path(effect) && effect.path.real.find("/.ssh/x") != std::string::npos;
  });
  const bool refused =
      std::ranges::any_of(effects, [](const policy::Effect& effect) { return !effect.refused.empty(); });
  if (key || refused) CHECK(decision.tier == policy::Tier::deny);
  return 0;
}
