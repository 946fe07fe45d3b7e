#include "proxy/mission/sessions_under_way.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "ledger/reader.hpp"
#include "proxy/base/path_shown.hpp"
#include "proxy/base/text.hpp"
#include "proxy/mission/in_force.hpp"
#include "proxy/mission/next_policy.hpp"
#include "proxy/setup/trust.hpp"

namespace proxy {

namespace {

std::string absolute(const std::string& file) {
  return file.empty() ? file : std::filesystem::absolute(file).lexically_normal().string();
}

std::string mission_file(const policy::Policy& policy) {
  for (const policy::Source& source : policy.sources())
    if (source.layer == policy::Layer::mission) return source.file;
  return {};
}

}  // namespace

base::Result<std::optional<SessionsUnderWay>> sessions_under_way(const Surroundings& here,
                                                                 const std::string& file,
                                                                 const policy::Policy& at_start) {
  using Found = std::optional<SessionsUnderWay>;
  const auto reader = ledger::Reader::open({here.state_folder});
  if (!reader && reader.error().code() == base::Code::not_found) return Found();
  if (!reader) return reader.error();
  const auto same = only_in_force(**reader, here, at_start.digest());
  if (!same) return same.error();
  if (*same) return Found();
  auto all = policies_in_force(**reader, here, built_in_here(at_start));
  if (!all) return all.error();
  const auto same_file = [&](const InForce& each) {
    return absolute(mission_file(each.policy)) == absolute(file);
  };
  const auto newest = std::find_if(all->begin(), all->end(), same_file);
  if (newest == all->end()) return Found();
  auto next = next_policy(here, file, newest->policy);
  if (!next) return next.error();
  SessionsUnderWay found{newest->policy, {}};
  if (goes_over(here, newest->policy, newest->record, *next)) {
    found.policy = std::move(next->policy);
  } else {
    found.waits_for =
        trust_comes_first(newest->policy, next->policy) ? "callgate policy trust" : "callgate policy accept";
  }
  if (found.policy.digest() == at_start.digest()) return Found();
  return Found(std::move(found));
}

std::string notice_of(const Surroundings& here, const SessionsUnderWay& sessions,
                      const policy::Policy& at_start) {
  if (sessions.waits_for.empty()) return narrowed_notice(here, sessions.policy);
  return changed_files(sessions.policy, at_start) +
         " would let more pass than before: sessions under way judge as before until you say " +
         base::quoted(sessions.waits_for) + "; one that starts now judges by what stands there" +
         (trust_notice(here, at_start.sources()).empty()
              ? std::string()
              : ", but for the allow rules of " +
                    base::quoted(repository_of(at_start.sources())->file, base::path_shown_bytes_max));
}

}  // namespace proxy
