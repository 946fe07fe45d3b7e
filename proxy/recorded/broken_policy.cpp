#include "proxy/recorded/broken_policy.hpp"

#include <string>

#include "proxy/base/json.hpp"
#include "proxy/recorded/scene.hpp"
#include "proxy/setup/load_policy.hpp"
#include "proxy/setup/trust.hpp"

namespace proxy {
namespace {

using ledger::StoredRecord;
using ledger::Type;

// The session's start, and the last of its policies that could be read.
struct Found {
  std::optional<StoredRecord> start, policy;
};

Found find(const ledger::Reader& reader, const ledger::Record& ask) {
  Found found;
  const auto scanned = reader.scan_back([&](const StoredRecord& stored) {
    const ledger::Record& record = stored.record;
    if (record.writer != ask.writer) return true;
    const bool policy = record.type == Type::policy_loaded || record.type == Type::policy_changed;
    if (policy && !found.policy && record.detail("unreadable").empty()) found.policy = stored;
    if (record.type == Type::session_start) found.start = stored;
    return !found.start || !found.policy;
  });
  return scanned ? found : Found();
}

// That of --policy, absolute; empty: none.
std::string mission_file(const ledger::Reader& reader, const StoredRecord& policy,
                         const std::string& directory) {
  const auto names = reader.payload(policy, "policy-files");
  const auto files = base::json::parse(names && *names ? **names : "{}");
  const char* layer = policy::name(policy::Layer::mission);
  if (!files || !files->contains(layer) || !(*files)[layer].is_string()) return {};
  const std::string file = (*files)[layer];
  return file.starts_with('/') ? file : directory + "/" + file;
}

}  // namespace

std::optional<base::Error> broken_policy(const ledger::Reader& reader, const Surroundings& here,
                                         const ledger::Record& ask) {
  const Found found = find(reader, ask);
  if (!found.start || !found.policy) return std::nullopt;
  const auto payload = reader.payload(*found.start, "scene");
  const auto scene = payload && *payload ? scene_from_payload(**payload) : std::nullopt;
  if (!scene) return std::nullopt;
  Surroundings there = here;
  there.workspace = scene->workspace;
  there.directory = scene->directory;
  const auto loaded =
      load_policy(there, mission_file(reader, *found.policy, scene->directory), trusted_on_record(there));
  return loaded ? std::nullopt : std::optional(loaded.error());
}

}  // namespace proxy
