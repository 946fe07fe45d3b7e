#include "proxy/mission/policy_updates.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "policy/load/built_in.hpp"
#include "policy/load/layers.hpp"
#include "policy/review/narrows.hpp"
#include "policy/rule/rule.hpp"
#include "proxy/base/text.hpp"
#include "proxy/mission/acceptance.hpp"
#include "proxy/setup/load_policy.hpp"
#include "proxy/setup/trust.hpp"

namespace proxy {

namespace {

constexpr std::chrono::milliseconds between_looks{100};

const policy::Source* repository_of(const std::vector<policy::Source>& sources) {
  const auto found = std::find_if(sources.begin(), sources.end(), [](const policy::Source& source) {
    return source.layer == policy::Layer::repository;
  });
  return found == sources.end() ? nullptr : &*found;
}

// A repository's file that only narrows what the operator trusted needs no trust of its own in this session.
void carry_trust_over(const policy::Policy& before, std::vector<policy::Source>& after) {
  const policy::Source* was = repository_of(before.sources());
  if (was == nullptr || !was->trusted) return;
  for (policy::Source& is : after)
    if (is.layer == policy::Layer::repository && !is.trusted &&
        policy::only_narrows(*was, is, before.sources(), before.rules().anchors))
      is.trusted = true;
}

}  // namespace

PolicyUpdates::PolicyUpdates(const Surroundings& here, std::string file, policy::Policy& in_force,
                             Joined& run, ledger::Writer& writer, Log log)
    : here_(here),
      file_(std::move(file)),
      in_force_(in_force),
      run_(run),
      writer_(writer),
      log_(std::move(log)),
      good_(in_force) {}

std::vector<PolicyUpdates::Stamp> PolicyUpdates::stamps() const {
  const policy::LayerPlaces places = layer_places(here_, file_);
  std::vector<Stamp> all;
  for (const std::string& file :
       {places.organisation, places.user, policy::repository_file(places.workspace), places.mission}) {
    struct stat status {};
    Stamp& stamp = all.emplace_back();
    if (file.empty() || ::stat(file.c_str(), &status) != 0) continue;
    stamp = {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
             status.st_ctim.tv_sec * 1'000'000'000 + status.st_ctim.tv_nsec};
  }
  return all;
}

// The operator's word is in the ledger: looked for now and then, and only where something depends on it.
bool PolicyUpdates::time_to_ask() {
  if (!waiting_ && repository_of(in_force_.sources()) == nullptr) return false;
  const base::MonotonicTime now = base::monotonic_now();
  if (now - asked_ < between_looks) return false;
  asked_ = now;
  return true;
}

// `withdrawn`: the operator took the trust in the repository's file back.
base::Result<policy::Policy> PolicyUpdates::read_again(bool& withdrawn) const {
  auto sources = policy::read_layers(layer_places(here_, file_), trusted_on_record(here_));
  if (!sources) return sources.error();
  const auto trust = trust_on_record(here_, workspace_digest(here_.workspace));
  // Trust that was taken back is not carried over.
  const policy::Source* was = repository_of(good_.sources());
  withdrawn = was != nullptr && was->trusted && trust && !*trust;
  // Nor is what was trusted before something narrower was taken up, here or by another session.
  const policy::Source* is = repository_of(*sources);
  const bool rolled_back =
      is != nullptr && trust && *trust && (*trust)->ended && (*trust)->policy == base::sha256(is->bytes);
  if (!withdrawn && !rolled_back) carry_trust_over(good_, *sources);
  return policy::Policy::load(*sources, here_.workspace, here_.home);
}

void PolicyUpdates::look() {
  std::vector<Stamp> now = stamps();
  if (now == seen_ && !time_to_ask()) return;
  seen_ = std::move(now);
  bool withdrawn = false;
  auto next = read_again(withdrawn);
  if (!next) {
    const std::string why = next.error().text();
    policy::Policy nothing = denying_policy(here_, why);
    if (nothing.digest() == in_force_.digest()) return;
    log_("every call is denied, since a policy that has changed cannot be read: " + why);
    return take_up(std::move(nothing));
  }
  if (next->digest() == in_force_.digest()) return waiting_.reset();
  const bool holds = withdrawn ||
                     policy::only_narrows(good_.sources(), next->sources(), next->rules().anchors) ||
                     accepted(*next);
  if (!holds && !never_readable()) return wait_with(*next);
  log_("the policy has changed, and holds as it stands now");
  if (const std::string notice = trust_notice(here_, next->sources()); !notice.empty()) log_(notice);
  good_ = *next;
  take_up(std::move(*next));
}

// Accepted since the policy in force was taken up, each part that is another now: a version of before needs
// the operator's word anew, also where another session was the one to leave it.
bool PolicyUpdates::accepted(const policy::Policy& next) const {
  const auto missing =
      not_accepted(parts_of(good_, here_.workspace), parts_of(next, here_.workspace), run_.policy.sequence,
                   [this](const base::Digest& place) { return trust_on_record(here_, place); });
  return missing && missing->empty();
}

void PolicyUpdates::take_up(policy::Policy next) {
  const auto written = writer_.append_now(policy_change(run_, here_.workspace, in_force_, next));
  if (written) {
    run_.policy = written->records.front();
  } else {
    log_("a change of the policy could not be recorded: " + written.error().text());
  }
  waiting_.reset();
  in_force_ = std::move(next);
}

// Nothing was ever judged by: what stands now counts as at a start.
bool PolicyUpdates::never_readable() const {
  const auto& sources = good_.sources();
  return std::any_of(sources.begin(), sources.end(),
                     [](const policy::Source& source) { return policy::is_unreadable(source); });
}

void PolicyUpdates::wait_with(const policy::Policy& next) {
  if (waiting_ == next.digest()) return;
  // The file can be read again: no call is refused any more since it cannot.
  if (in_force_.digest() != good_.digest()) take_up(good_);
  waiting_ = next.digest();
  const policy::Source* repository = repository_of(next.sources());
  const bool untrusted = repository != nullptr && !repository->trusted;
  log_(std::string("the policy has changed and would let more pass; until the operator ") +
       (untrusted ? "trusts the repository's file as it stands (`callgate policy trust`)"
                  : "accepts that (`callgate policy accept`)") +
       ", calls are judged as before");
}

}  // namespace proxy
