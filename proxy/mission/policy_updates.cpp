#include "proxy/mission/policy_updates.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "policy/load/built_in.hpp"
#include "policy/load/layers.hpp"
#include "proxy/base/path_shown.hpp"
#include "proxy/base/text.hpp"
#include "proxy/mission/next_policy.hpp"
#include "proxy/setup/load_policy.hpp"
#include "proxy/setup/trust.hpp"

namespace proxy {

namespace {

constexpr std::chrono::milliseconds between_looks{100};

std::string holds_now(const policy::Policy& before, const policy::Policy& now) {
  const std::string files = changed_files(before, now);
  return "the policy has changed" + (files.empty() ? files : " (" + files + ")") +
         ", and holds as it stands now";
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

void PolicyUpdates::look() {
  std::vector<Stamp> now = stamps();
  if (now == seen_ && !time_to_ask()) return;
  seen_ = std::move(now);
  auto read = next_policy(here_, file_, good_);
  if (!read) {
    const std::string why = read.error().text();
    policy::Policy nothing = denying_policy(here_, why);
    if (nothing.digest() == in_force_.digest()) return;
    take_up(std::move(nothing));
    return log_("every call is denied, since a policy that has changed cannot be read: " + why);
  }
  policy::Policy& next = read->policy;
  if (next.digest() == in_force_.digest()) return waiting_.reset();
  if (!goes_over(here_, good_, run_.policy.sequence, *read) && !never_readable()) return wait_with(next);
  const std::string holds = holds_now(good_, next);
  good_ = next;
  take_up(std::move(next));
  log_(holds);  // whoever reads it finds the change on record
  for (const std::string& notice : {trust_notice(here_, good_.sources()), narrowed_notice(here_, good_)})
    if (!notice.empty()) log_(notice);
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
  log_("the policy has changed and would let more pass (" + changed_files(good_, next) +
       "); until the operator " +
       (trust_comes_first(good_, next)
            ? "trusts " + base::quoted(repository_of(next.sources())->file, base::path_shown_bytes_max) +
                  " as it stands (`callgate policy trust`)"
            : std::string("accepts that (`callgate policy accept`)")) +
       ", calls are judged as before");
}

}  // namespace proxy
