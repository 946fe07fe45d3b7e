// callgate policy log: every version of every policy file that missions ran under, from the ledger.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "ledger/reader.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/json.hpp"
#include "proxy/base/path_shown.hpp"
#include "proxy/base/sha256.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/policy.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/setup/surroundings.hpp"

namespace proxy::commands {
namespace {

using base::json::Value;
using ledger::Record;
using ledger::Type;

constexpr std::size_t shown_missions_max = 4;
constexpr std::string_view layer_prefix = "policy-";
constexpr std::size_t shown_commit_digits = 12;

struct Version {
  std::string layer;
  std::string digest;  // of the file's bytes; of the baseline: of the whole policy
  std::string file;    // empty: not on record
  std::string trusted;
  std::int64_t first = 0, last = 0;  // UTC ns, of records under it
  std::vector<std::string> missions;
  std::vector<std::string> commits;  // checked out where the file lies, while it was in force
};

class Log {
 public:
  explicit Log(const ledger::Reader& reader) : reader_(reader) {}

  base::Result<std::vector<Version>> read() {
    base::Result<void> failed;
    const auto scanned = reader_.scan(0, ~std::uint64_t{0}, [&](const ledger::StoredRecord& stored) {
      const Record& record = stored.record;
      if (record.type == Type::policy_loaded || record.type == Type::policy_changed) failed = load(stored);
      if (record.policy && !record.mission.empty()) use(record);
      return failed.has_value();
    });
    if (!scanned) return scanned.error();
    if (!failed) return failed.error();
    return std::move(versions_);
  }

 private:
  base::Result<void> load(const ledger::StoredRecord& stored) {
    const Record& record = stored.record;
    const auto payload = reader_.payload(stored, "policy-files");
    if (!payload) return payload.error();
    const auto files = base::json::parse(payload->value_or("{}"));
    std::set<std::size_t> under;
    for (const auto& [key, digest] : record.details) {
      if (!key.starts_with(layer_prefix)) continue;
      Version version{.layer = key.substr(layer_prefix.size()), .digest = digest};
      if (files && files->is_object() && files->contains(version.layer) &&
          (*files)[version.layer].is_string())
        version.file = (*files)[version.layer];
      if (version.layer == "repository") version.trusted = record.detail("trusted");
      const std::size_t place = place_of(version, record);
      add_once(versions_[place].commits, record.detail("commit-" + version.layer));
      under.insert(place);
    }
    if (under.empty() && record.policy && record.details.contains("unreadable"))
      under.insert(place_of({.layer = "unreadable", .digest = base::hex(*record.policy)}, record));
    if (under.empty() && record.policy)
      under.insert(place_of({.layer = "built-in", .digest = base::hex(*record.policy)}, record));
    if (record.policy) under_[*record.policy] = std::move(under);
    return {};
  }

  std::size_t place_of(const Version& version, const Record& record) {
    for (std::size_t i = 0; i < versions_.size(); ++i)
      if (versions_[i].layer == version.layer && versions_[i].digest == version.digest &&
          versions_[i].file == version.file && versions_[i].trusted == version.trusted)
        return i;
    versions_.push_back(version);
    versions_.back().first = record.time;
    return versions_.size() - 1;
  }

  void use(const Record& record) {
    const auto found = under_.find(*record.policy);
    if (found == under_.end()) return;
    for (const std::size_t i : found->second) {
      Version& version = versions_[i];
      version.last = std::max(version.last, record.time);
      add_once(version.missions, record.mission);
    }
  }

  static void add_once(std::vector<std::string>& names, const std::string& name) {
    if (!name.empty() && std::find(names.rbegin(), names.rend(), name) == names.rend()) names.push_back(name);
  }

  const ledger::Reader& reader_;
  std::vector<Version> versions_;
  std::map<base::Digest, std::set<std::size_t>> under_;  // digest of a whole policy → its files' versions
};

std::string utc(std::int64_t nanoseconds) {
  return base::utc_text(base::WallTime(std::chrono::nanoseconds(nanoseconds)));
}

Value as_json(const Version& version) {
  Value value{{"layer", version.layer},
              {"digest", version.digest},
              {"file", version.file.empty() ? Value() : Value(version.file)},
              {"first", utc(version.first)},
              {"last", utc(version.last)},
              {"missions", version.missions},
              {"commits", version.commits}};
  if (!version.trusted.empty()) value["trusted"] = version.trusted == "yes";
  return value;
}

void print(const Version& version) {
  std::printf("%s %s", version.layer.c_str(), version.digest.substr(0, 16).c_str());
  if (version.layer == "built-in") std::fputs("  no policy file: the baseline stood", stdout);
  if (version.layer == "unreadable")
    std::fputs("  a policy file could not be read: everything was denied", stdout);
  if (!version.file.empty())
    std::printf("  %s", base::printable(version.file, base::path_shown_bytes_max).c_str());
  if (!version.commits.empty())
    std::printf("  at commit %s", version.commits.back().substr(0, shown_commit_digits).c_str());
  if (version.commits.size() > 1) std::printf(" (%zu before)", version.commits.size() - 1);
  if (!version.trusted.empty()) std::fputs(version.trusted == "yes" ? "  trusted" : "  not trusted", stdout);
  std::printf("\n  from %s to %s\n  %zu %s: ", utc(version.first).c_str(), utc(version.last).c_str(),
              version.missions.size(), version.missions.size() == 1 ? "mission" : "missions");
  const std::size_t shown = std::min(version.missions.size(), shown_missions_max);
  for (std::size_t i = 0; i < shown; ++i)
    std::printf("%s%s", i == 0 ? "" : ", ", base::printable(version.missions[i]).c_str());
  std::puts(shown < version.missions.size() ? ", …" : "");
}

int show_log(bool json) {
  const auto here = find_surroundings();
  if (!here) return fail(here.error());
  const auto reader = ledger::Reader::open({here->state_folder});
  if (!reader) return fail(reader.error(), exit_failed);
  const auto versions = Log(**reader).read();
  if (!versions) return fail(versions.error(), exit_failed);
  if (json) {
    Value all = Value::array();
    for (const Version& version : *versions) all.push_back(as_json(version));
    std::printf("%s\n", all.dump(2).c_str());
    return 0;
  }
  if (versions->empty()) std::fprintf(stderr, "no mission has run yet\n");
  for (const Version& version : *versions) print(version);
  return 0;
}

}  // namespace

void add_policy_log(CLI::App& policy, int& exit) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = policy.add_subcommand(
      "log",
      "Every version of every policy file that missions ran under, oldest first: layer, "
      "digest, file, the git commit checked out there, from when to\n"
      "when calls were judged by it, and in which missions.\n"
      "Example: callgate policy log --json");
  command->add_flag("--json", *json, "A list of objects, with whole digests and every mission");
  command->callback([json, &exit] { exit = show_log(*json); });
}

}  // namespace proxy::commands
