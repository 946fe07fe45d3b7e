#include "proxy/mission/next_policy.hpp"

#include <algorithm>
#include <utility>

#include "policy/load/built_in.hpp"
#include "policy/load/layers.hpp"
#include "policy/review/narrows.hpp"
#include "policy/rule/rule.hpp"
#include "proxy/base/path_shown.hpp"
#include "proxy/base/text.hpp"
#include "proxy/mission/acceptance.hpp"
#include "proxy/mission/mission.hpp"
#include "proxy/setup/load_policy.hpp"
#include "proxy/setup/trust.hpp"

namespace proxy {

namespace {

// A repository's file that only narrows what the operator trusted needs no trust of its own in this session.
void carry_trust_over(const policy::Policy& before, std::vector<policy::Source>& after) {
  const policy::Source* was = repository_of(before.sources());
  if (was == nullptr || !was->trusted) return;
  for (policy::Source& is : after)
    if (is.layer == policy::Layer::repository && !is.trusted &&
        policy::only_narrows(*was, is, before.sources(), before.rules().anchors))
      is.trusted = true;
}

// Accepted since the policy in force was taken up, each part that is another now: a version of before needs
// the operator's word anew, also where another session was the one to leave it.
bool accepted(const Surroundings& here, const policy::Policy& before, std::uint64_t since,
              const policy::Policy& next) {
  const auto missing =
      not_accepted(parts_of(before, here.workspace), parts_of(next, here.workspace), since,
                   [&here](const base::Digest& place) { return trust_on_record(here, place); });
  return missing && missing->empty();
}

const policy::Source* same_layer(const std::vector<policy::Source>& sources, policy::Layer layer) {
  const auto found = std::find_if(sources.begin(), sources.end(),
                                  [&](const policy::Source& each) { return each.layer == layer; });
  return found == sources.end() ? nullptr : &*found;
}

}  // namespace

const policy::Source* repository_of(const std::vector<policy::Source>& sources) {
  return same_layer(sources, policy::Layer::repository);
}

base::Result<NextPolicy> next_policy(const Surroundings& here, const std::string& file,
                                     const policy::Policy& before) {
  auto sources = policy::read_layers(layer_places(here, file), trusted_on_record(here));
  if (!sources) return sources.error();
  const auto trust = trust_on_record(here, workspace_digest(here.workspace));
  // Trust that was taken back is not carried over.
  const policy::Source* was = repository_of(before.sources());
  const bool withdrawn = was != nullptr && was->trusted && trust && !*trust;
  // Nor is what was trusted before something narrower was taken up, here or by another session.
  const policy::Source* is = repository_of(*sources);
  const bool rolled_back =
      is != nullptr && trust && *trust && (*trust)->ended && (*trust)->policy == base::sha256(is->bytes);
  if (!withdrawn && !rolled_back) carry_trust_over(before, *sources);
  auto policy = policy::Policy::load(*sources, here.workspace, here.home);
  if (!policy) return policy.error();
  return NextPolicy{std::move(*policy), withdrawn};
}

bool goes_over(const Surroundings& here, const policy::Policy& before, std::uint64_t since,
               const NextPolicy& next) {
  return next.withdrawn ||
         policy::only_narrows(before.sources(), next.policy.sources(), next.policy.rules().anchors) ||
         accepted(here, before, since, next.policy);
}

bool trust_comes_first(const policy::Policy& before, const policy::Policy& next) {
  const policy::Source* was = repository_of(before.sources());
  const policy::Source* is = repository_of(next.sources());
  return is != nullptr && !is->trusted && (was == nullptr || was->trusted || was->bytes != is->bytes);
}

std::string narrowed_notice(const Surroundings& here, const policy::Policy& next) {
  const policy::Source* is = repository_of(next.sources());
  if (is == nullptr || !is->trusted || trusted_on_record(here)(base::sha256(is->bytes))) return {};
  return base::quoted(is->file, base::path_shown_bytes_max) +
         " has changed since it was trusted and only narrows that: sessions under way go on trusting it, one "
         "that starts now does not count its allow rules; trust it again with `callgate policy trust`";
}

std::string changed_files(const policy::Policy& before, const policy::Policy& after) {
  std::string text;
  for (const policy::Layer layer : {policy::Layer::organisation, policy::Layer::user,
                                    policy::Layer::repository, policy::Layer::mission}) {
    const policy::Source* was = same_layer(before.sources(), layer);
    const policy::Source* is = same_layer(after.sources(), layer);
    const bool same =
        was != nullptr && is != nullptr ? was->bytes == is->bytes && was->trusted == is->trusted : was == is;
    if (same) continue;
    text += (text.empty() ? "" : ", ") +
            base::quoted(is != nullptr ? is->file : was->file, base::path_shown_bytes_max) +
            (is == nullptr ? " (gone)" : "");
  }
  return text;
}

}  // namespace proxy
