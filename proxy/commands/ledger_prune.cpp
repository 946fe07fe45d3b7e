// callgate ledger prune, erase: payloads that go. Nothing goes without `--yes`.

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "approvals/custody.hpp"
#include "ledger/reader.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/text.hpp"
#include "proxy/commands/custody.hpp"
#include "proxy/commands/ledger_commands.hpp"
#include "proxy/commands/progress.hpp"
#include "proxy/commands/report.hpp"
#include "proxy/commands/verified.hpp"
#include "proxy/mission/mission.hpp"
#include "proxy/setup/config.hpp"

namespace proxy::commands {
namespace {

using ledger::Removal;
using ledger::Type;

// Of each name: where its records begin and end, and whether something is left of their payloads.
struct Mission {
  std::uint64_t first = 0, last = 0;
  std::int64_t last_time = 0;
  std::uint64_t payloads = 0;
  std::uint64_t removed_to = 0;  // a removal took them up to this record
};

base::Result<std::map<std::string, Mission>> missions_of(const ledger::Reader& reader) {
  Progress progress("looking through", "records");
  const auto head = reader.head();
  if (!head) return head.error();
  const std::uint64_t all = *head ? (*head)->sequence + 1 : 0;
  std::map<std::string, Mission> missions;
  const auto scanned = reader.scan(0, ~std::uint64_t{0}, [&](const ledger::StoredRecord& stored) {
    const ledger::Record& record = stored.record;
    progress.at(record.sequence, all);
    if (record.mission.empty()) return true;
    const auto [at, added] = missions.try_emplace(record.mission);
    Mission& mission = at->second;
    if (added) mission.first = record.sequence;
    if (record.type == Type::purge || record.type == Type::erase) {
      if (const auto removal = ledger::removal_of(record)) mission.removed_to = removal->to;
      mission.payloads = 0;
      return true;
    }
    mission.last = record.sequence;
    mission.last_time = std::max(mission.last_time, record.time);
    mission.payloads += record.payloads.size();
    return true;
  });
  if (!scanned) return scanned.error();
  return missions;
}

// What an anchor does not hold yet is not purged where there are anchors.
base::Result<std::uint64_t> proven_size(const Surroundings& here) {
  const auto config = load_config(here.config_folder + "/callgate.toml");
  if (!config) return config.error();
  auto anchors = read_anchors(here);
  if (!anchors) return anchors.error();
  const bool anchored = !anchors->empty();
  const auto report = verified(here, {.anchors = std::move(*anchors)});
  if (!report) return report.error();
  if (!ledger::is_sound(report->level))
    return base::Error(base::Code::refused, "the ledger is " + std::string(ledger::name(report->level)) +
                                                "; nothing is removed (`callgate ledger verify` says more)");
  return anchored ? report->anchored_size : report->signed_size;
}

struct Candidate {
  Removal removal;
  std::uint64_t payloads = 0;
};

base::Result<std::vector<Candidate>> old_missions(const Custody& custody, const std::string& only,
                                                  std::int64_t before) {
  // Agents that are gone have ended theirs.
  if (auto ended = end_missions_without_agent(*custody.writer, {custody.here.state_folder}); !ended)
    return ended.error();
  const auto proven = proven_size(custody.here);
  if (!proven) return proven.error();
  const auto reader = ledger::Reader::open({custody.here.state_folder});
  if (!reader) return reader.error();
  const auto missions = missions_of(**reader);
  if (!missions) return missions.error();
  const ledger::Fold fold = custody.writer->state();
  std::vector<Candidate> candidates;
  for (const auto& [name, mission] : *missions) {
    if (!only.empty() && name != only) continue;
    if (mission.payloads == 0 || fold.mission(name) != nullptr || mission.last >= *proven) continue;
    if (before != 0 && mission.last_time >= before) continue;
    candidates.push_back({{name, mission.first, mission.last, before, *proven, {}}, mission.payloads});
  }
  return candidates;
}

int remove_all(const Custody& custody, const std::vector<Candidate>& candidates, Type type, bool yes) {
  int exit = 0;
  for (const Candidate& each : candidates) {
    const std::string name = "mission " + base::quoted(each.removal.mission, 100);
    if (!yes) {
      std::printf("%s: %llu payloads would go\n", name.c_str(),
                  static_cast<unsigned long long>(each.payloads));
      continue;
    }
    const auto removed = custody.writer->remove(
        approvals::make_removal(custody.writer->ledger_id(), type, each.removal, {}, custody.key));
    if (!removed) {
      complain(name + " is left as it is: " + removed.error().text());
      exit = exit_failed;
      continue;
    }
    std::printf("%s: %llu payloads are gone\n", name.c_str(), static_cast<unsigned long long>(*removed));
  }
  if (!yes && !candidates.empty()) std::fprintf(stderr, "nothing was removed; `--yes` does it\n");
  return exit;
}

int prune(const std::string& mission, bool yes) {
  const auto custody = open_custody();
  if (!custody) return fail(custody.error(), exit_failed);
  const auto config = load_config(custody->here.config_folder + "/callgate.toml");
  if (!config) return fail(config.error());
  const auto before = base::wall_now() - config->operational;
  const auto candidates = old_missions(*custody, mission, before.time_since_epoch().count());
  if (!candidates) return fail(candidates.error(), exit_failed);
  if (candidates->empty())
    std::fprintf(stderr, "nothing is older than the operational period, has ended, and is signed%s\n",
                 config->anchors.empty() ? "" : " and anchored");
  return remove_all(*custody, *candidates, Type::purge, yes);
}

struct Erase {
  std::string mission, slot;
  std::uint64_t record = 0;
  bool yes = false;
};

int erase_record(const Erase& options) {
  const auto custody = open_custody();
  if (!custody) return fail(custody.error(), exit_failed);
  const auto reader = ledger::Reader::open({custody->here.state_folder});
  if (!reader) return fail(reader.error(), exit_failed);
  const auto stored = (*reader)->record(options.record);
  if (!stored) return fail(stored.error(), exit_failed);
  Removal removal{"", options.record, options.record, 0, 0, {}};
  if (*stored) removal.mission = (*stored)->record.mission;
  if (*stored)
    for (const auto& each : (*stored)->record.payloads)
      if (options.slot.empty() || each.slot == options.slot) removal.slots.push_back(each.slot);
  if (removal.slots.empty())
    return fail(
        {base::Code::not_found, "there is no such payload of record " + std::to_string(options.record)},
        exit_failed);
  if (!options.yes) {
    for (const std::string& slot : removal.slots)
      std::printf("payload %s would go\n", base::quoted(slot).c_str());
    std::fprintf(stderr, "nothing was removed; `--yes` does it\n");
    return 0;
  }
  const auto removed = custody->writer->remove(
      approvals::make_removal(custody->writer->ledger_id(), Type::erase, removal,
                              ledger::Reference{options.record, (*stored)->leaf}, custody->key));
  if (!removed) return fail(removed.error(), exit_failed);
  std::printf("%llu payloads are gone\n", static_cast<unsigned long long>(*removed));
  return 0;
}

int erase(const Erase& options) {
  if (options.mission.empty()) return erase_record(options);
  const auto custody = open_custody();
  if (!custody) return fail(custody.error(), exit_failed);
  const auto candidates = old_missions(*custody, options.mission, 0);
  if (!candidates) return fail(candidates.error(), exit_failed);
  if (candidates->empty())
    return fail({base::Code::not_found, "there is no mission " + base::quoted(options.mission) +
                                            " that has ended, is signed and has payloads left"},
                exit_failed);
  return remove_all(*custody, *candidates, Type::erase, options.yes);
}

}  // namespace

void add_ledger_prune(CLI::App& ledger, int& exit) {
  struct Prune {
    std::string mission;
    bool yes = false;
  };
  auto pruned = std::make_shared<Prune>();
  CLI::App* command = ledger.add_subcommand(
      "prune",
      "Remove payloads that are older than the operational period (callgate.toml, 90 days), of missions that "
      "have "
      "ended.\nTheir records stay, and verify. Holds win. Says what would go; `--yes` does it.\n"
      "Example: callgate ledger prune");
  command->add_option("--mission", pruned->mission, "Of this mission only")->type_name("ID");
  command->add_flag("--yes", pruned->yes, "Do it");
  command->callback([pruned, &exit] { exit = prune(pruned->mission, pruned->yes); });

  auto options = std::make_shared<Erase>();
  CLI::App* erased = ledger.add_subcommand(
      "erase",
      "Remove payloads of one record, or of a mission that has ended, whatever their age: a person's data, a "
      "secret "
      "that slipped in.\nThe record stays, and verifies. Holds win. Says what would go; `--yes` does it.\n"
      "Example: callgate ledger erase --record 17 --slot arguments");
  auto* record = erased->add_option("--record", options->record, "Number of the record")->type_name("N");
  auto* mission =
      erased->add_option("--mission", options->mission, "A mission that has ended")->type_name("ID");
  erased->add_option("--slot", options->slot, "Only this payload of the record")
      ->type_name("SLOT")
      ->needs(record);
  record->excludes(mission);
  erased->add_flag("--yes", options->yes, "Do it");
  erased->callback([options, record, mission, &exit] {
    if (record->count() == 0 && mission->count() == 0)
      exit = fail({base::Code::invalid, "say what: --record N or --mission ID"}, exit_usage);
    else
      exit = erase(*options);
  });
}

}  // namespace proxy::commands
