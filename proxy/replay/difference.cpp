#include "proxy/replay/difference.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "proxy/replay/align.hpp"

namespace proxy::replay {
namespace {

constexpr std::int64_t slower_by = 100'000'000;  // ns

struct Side {
  std::vector<const Call*> calls;
  std::size_t unknown = 0;
};

Side side_of(const Timeline& timeline) {
  Side side;
  for (const Entry& entry : timeline.entries) {
    const Call* call = std::get_if<Call>(&entry);
    if (call == nullptr || call->judged_again || call->answer_of) continue;
    if (call->request)
      side.calls.push_back(call);
    else
      ++side.unknown;
  }
  return side;
}

// Equal calls get equal numbers.
class Numbers {
 public:
  std::vector<std::size_t> of(const std::vector<const Call*>& calls) {
    std::vector<std::size_t> numbers;
    for (const Call* call : calls)
      numbers.push_back(
          known_.try_emplace({call->server, call->method, call->tool, *call->request}, known_.size())
              .first->second);
    return numbers;
  }

 private:
  std::map<std::tuple<std::string, std::string, std::string, base::Digest>, std::size_t> known_;
};

// How it ended, without how long that took.
std::string ending(const Call& call) {
  return call.state + (call.is_error ? " (error)" : "") + (call.error.empty() ? "" : " " + call.error) +
         (call.result.empty() ? "" : ", result " + call.result);
}

std::string deciding(const Call& call) { return call.grants.empty() ? call.rule : "grant"; }

Pair pair_of(const Call& a, const Call& b) {
  Pair pair{.a = &a, .b = &b};
  if (a.decision != b.decision) pair.changed.emplace_back("decision");
  if (deciding(a) != deciding(b)) pair.changed.emplace_back("rule");
  const std::string answer_a = a.answer ? a.answer->verdict : "",
                    answer_b = b.answer ? b.answer->verdict : "";
  if (ending(a) != ending(b) || answer_a != answer_b) pair.changed.emplace_back("outcome");
  if (a.returned && b.returned && *a.returned != *b.returned) pair.changed.emplace_back("result");
  const auto longer = [](std::int64_t one, std::int64_t other) {
    return one / 2 >= other && one - other >= slower_by;
  };
  pair.slower = longer(b.duration, a.duration);
  pair.faster = longer(a.duration, b.duration);
  return pair;
}

void compare(std::vector<Setting>& settings, const std::string& name, const std::string& a,
             const std::string& b) {
  if (a != b) settings.push_back({name, a, b});
}

const ServerSeen* find(const Timeline& timeline, const std::string& name) {
  for (const ServerSeen& each : timeline.servers)
    if (each.name == name) return &each;
  return nullptr;
}

std::string joined(const std::vector<PolicySeen>& policies) {
  std::string text;
  for (const PolicySeen& each : policies) text += (text.empty() ? "" : ", then ") + each.digest.substr(0, 12);
  return text;
}

std::string shown(const ServerSeen* server) {
  if (server == nullptr) return {};
  return server->server_name.empty() ? "nameless" : server->server_name + " " + server->server_version;
}

std::vector<Setting> settings_of(const Timeline& a, const Timeline& b) {
  std::vector<Setting> settings;
  compare(settings, "agent", a.agent, b.agent);
  compare(settings, "protocol", a.protocol, b.protocol);
  compare(settings, "commit", a.commit, b.commit);
  compare(settings, "policy", joined(a.policies), joined(b.policies));
  std::set<std::string> names;
  for (const Timeline* each : {&a, &b})
    for (const ServerSeen& server : each->servers) names.insert(server.name);
  for (const std::string& name : names) {
    const ServerSeen* in_a = find(a, name);
    const ServerSeen* in_b = find(b, name);
    compare(settings, "server " + name, shown(in_a), shown(in_b));
    if (in_a != nullptr && in_b != nullptr)
      compare(settings, "tools of " + name, in_a->tools.substr(0, 12), in_b->tools.substr(0, 12));
  }
  return settings;
}

}  // namespace

bool Difference::any() const {
  return !settings.empty() || !removed.empty() || !added.empty() ||
         std::any_of(changed.begin(), changed.end(), [](const Pair& each) { return !each.changed.empty(); });
}

Difference difference_of(const Timeline& a, const Timeline& b) {
  const Side in_a = side_of(a), in_b = side_of(b);
  Difference difference;
  difference.settings = settings_of(a, b);
  difference.unknown = in_a.unknown + in_b.unknown;
  Numbers numbers;
  const auto numbers_a = numbers.of(in_a.calls);
  const auto numbers_b = numbers.of(in_b.calls);
  std::size_t next_a = 0, next_b = 0;
  const auto alone = [&](std::size_t to_a, std::size_t to_b) {
    for (; next_a < to_a; ++next_a) difference.removed.push_back(in_a.calls[next_a]);
    for (; next_b < to_b; ++next_b) difference.added.push_back(in_b.calls[next_b]);
  };
  for (const auto& [place_a, place_b] : align(numbers_a, numbers_b)) {
    alone(place_a, place_b);
    next_a = place_a + 1;
    next_b = place_b + 1;
    Pair pair = pair_of(*in_a.calls[place_a], *in_b.calls[place_b]);
    if (pair.changed.empty()) ++difference.same;
    if (!pair.changed.empty() || pair.slower || pair.faster) difference.changed.push_back(std::move(pair));
  }
  alone(in_a.calls.size(), in_b.calls.size());
  return difference;
}

}  // namespace proxy::replay
