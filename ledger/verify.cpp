#include "ledger/verify.hpp"

#include <algorithm>

#include "ledger/fold_store.hpp"
#include "ledger/schema.hpp"
#include "ledger/verify_findings.hpp"
#include "ledger/verify_open.hpp"
#include "ledger/verify_records.hpp"
#include "proxy/base/text.hpp"

namespace ledger {
namespace {

// False: nothing else can be read sensibly.
base::Result<bool> check_schema(const Database& database, Findings& findings) {
  const auto application = database.integer("PRAGMA application_id");
  if (!application) return application.error();
  const auto version = database.integer("PRAGMA user_version");
  if (!version) return version.error();
  if (*application != schema::application_id)
    findings.add(Kind::history, "the database's application id is not a ledger's");
  if (*version != schema::user_version) findings.add(Kind::history, "the database's user version is not 1");
  auto rows = database.prepare("SELECT type, name, sql FROM sqlite_schema");
  if (!rows) return rows.error();
  std::array<bool, schema::objects.size()> seen{};
  bool readable = true;
  for (;;) {
    const auto row = rows->step();
    if (!row) return row.error();
    if (!*row) break;
    const std::string_view type = rows->text(0);
    const std::string_view name = rows->text(1);
    if (type == "index" && name.starts_with("sqlite_autoindex_") && rows->is_null(2)) continue;
    const auto known =
        std::find_if(schema::objects.begin(), schema::objects.end(), [&](const schema::Object& object) {
          return object.type == type && object.name == name && object.sql == rows->text(2);
        });
    if (known == schema::objects.end())
      findings.add(Kind::history, "the schema holds a " + base::printable(type, 20) + " " +
                                      base::quoted(name, 60) + " that is not a ledger's");
    else
      seen[static_cast<std::size_t>(known - schema::objects.begin())] = true;
  }
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (seen[i]) continue;
    findings.add(Kind::history, "the schema lacks the " + std::string(schema::objects[i].type) + " `" +
                                    std::string(schema::objects[i].name) + "`");
    if (schema::objects[i].type == "table") readable = false;
  }
  return readable;
}

template <class Map, class Sequence>
void compare(const char* table, const Map& there, const Map& right, Findings& findings,
             const Sequence& sequence) {
  for (const auto& [key, value] : right) {
    const auto found = there.find(key);
    if (found == there.end() || !(found->second == value))
      findings.add(Kind::altered, sequence(value),
                   std::string("the derived table `") + table + "` differs from what the records give");
  }
  for (const auto& [key, value] : there)
    if (!right.contains(key))
      findings.add(Kind::altered, sequence(value),
                   std::string("the derived table `") + table + "` has a row too many");
}

base::Result<void> check_derived(const Database& database, const Fold& right, Findings& findings) {
  const auto there = FoldStore::load(database);
  if (!there) {
    if (there.error().code() != base::Code::invalid) return there.error();
    findings.add(Kind::altered, base::printable(there.error().message()));
  } else {
    compare("mission", there->missions(), right.missions(), findings,
            [](const Mission& mission) { return mission.start; });
    compare("ask", there->asks(), right.asks(), findings, [](const Ask& ask) { return ask.decision; });
    compare("grant", there->grants(), right.grants(), findings,
            [](const Grant& grant) { return grant.record; });
    compare("hold", there->holds(), right.holds(), findings, [](const Hold& hold) { return hold.record; });
    compare("trust", there->trusted(), right.trusted(), findings,
            [](const Trust& trust) { return trust.record; });
    if (there->operator_key() != right.operator_key() || there->checkpoint_key() != right.checkpoint_key())
      findings.add(Kind::altered, 0, "the derived table `state` has other keys than the records");
  }
  const auto names = database.integer(
      "SELECT count(*) FROM state WHERE name NOT IN ('operator_key', 'checkpoint_key', 'tree')");
  if (!names) return names.error();
  if (*names != 0) findings.add(Kind::altered, "the derived table `state` has a row too many");
  return {};
}

// What SQLite itself sees: pages, order, and values of the wrong type, which no comparison of values shows.
base::Result<void> check_pages(const Database& database, Findings& findings) {
  auto rows = database.prepare("PRAGMA quick_check(10)");
  if (!rows) return rows.error();
  for (;;) {
    const auto row = rows->step();
    if (!row) return row.error();
    if (!*row) return {};
    if (rows->text(0) != "ok") findings.add(Kind::altered, "SQLite: " + base::printable(rows->text(0)));
  }
}

std::string loss_of(const Snapshot& snapshot, const RecordsRead& read) {
  if (!snapshot.mark) {
    if (snapshot.mark_trouble == "missing" && read.head == 0)
      return {};  // its creator was killed before the mark
    return "the high-water mark is " + snapshot.mark_trouble + ": how many records there were cannot be told";
  }
  const std::uint64_t mark = snapshot.mark->sequence;
  if (!read.head) return "no record is left of at least " + std::to_string(mark + 1);
  if (*read.head < mark)
    return "records " + std::to_string(*read.head + 1) + " to " + std::to_string(mark) +
           " are lost: the high-water mark is above the head";
  if (!read.leaf_at_mark || *read.leaf_at_mark != snapshot.mark->leaf)
    return "record " + std::to_string(mark) + " is not the one that the high-water mark names";
  return {};
}

// What is wrong with the write-ahead log is of interest where something is gone.
void lost(Report& report, const std::string& loss, const std::string& wal) {
  report.loss = loss;
  if (loss.empty() || wal.empty()) return;
  report.wal = wal;
  report.loss += "; " + wal;
}

std::string range(std::uint64_t from, std::uint64_t to) {
  if (from > to) return {};
  return from == to ? "record " + std::to_string(from)
                    : "records " + std::to_string(from) + " to " + std::to_string(to);
}

void conclude(Report& report) {
  using Level = Report::Level;
  // Without a pin whoever wrote the files may have made the key, too.
  const std::uint64_t proven = report.pinned ? std::max(report.signed_size, report.anchored_size) : 0;
  if (!report.loss.empty())
    report.level = Level::lost;
  else if (report.findings_count != 0)
    report.level = Level::inconsistent;
  else if (report.pinned && report.anchored() > 0)
    report.level = Level::anchored;
  else
    report.level = proven > 0 ? Level::signed_ : Level::self_consistent;
  const std::uint64_t sure = report.level == Level::anchored  ? report.anchored_size
                             : report.level == Level::signed_ ? proven
                                                              : 0;
  report.unproven = report.records == 0 ? "all" : range(sure, report.head.sequence);
}

base::Result<void> check_all(const Snapshot& snapshot, const VerifyOptions& options, Report& report,
                             Findings& findings) {
  const auto readable = check_schema(*snapshot.database, findings);
  if (!readable) return readable.error();
  if (!*readable) return {};
  const auto read = check_records(snapshot, options, report, findings);
  if (!read) return read.error();
  if (!read->head) findings.add(Kind::chain, "the ledger has no record");
  if (auto derived = check_derived(*snapshot.database, read->state, findings); !derived) return derived;
  const std::string loss = loss_of(snapshot, *read);
  lost(report, loss.empty() ? read->loss : loss, snapshot.wal);
  return check_pages(*snapshot.database, findings);
}

}  // namespace

const char* name(Report::Level level) {
  switch (level) {
    case Report::Level::lost: return "LOST";
    case Report::Level::inconsistent: return "INCONSISTENT";
    case Report::Level::self_consistent: return "SELF-CONSISTENT";
    case Report::Level::signed_: return "SIGNED";
    case Report::Level::anchored: return "ANCHORED";
  }
  return "INCONSISTENT";
}

const char* name(Kind kind) {
  switch (kind) {
    case Kind::purge: return "purge";
    case Kind::chain: return "chain";
    case Kind::altered: return "altered";
    case Kind::checkpoint: return "checkpoint";
    case Kind::history: return "history";
  }
  return "history";
}

std::size_t Report::anchored() const {
  return static_cast<std::size_t>(
      std::count_if(anchors.begin(), anchors.end(), [](const Anchor& each) { return each.size > 0; }));
}

base::Result<Report> verify(const Place& place, const VerifyOptions& options) {
  Report report;
  Findings findings(report, options.findings_max);
  const auto snapshot = open_snapshot(place);
  if (!snapshot) {
    if (snapshot.error().code() != base::Code::invalid) return snapshot.error();
    findings.add(Kind::altered, base::printable(snapshot.error().message()));  // not a database any more
  } else if (!snapshot->database) {
    lost(report, "the database is gone or empty, and its high-water mark stands", snapshot->wal);
  } else if (auto checked = check_all(*snapshot, options, report, findings); !checked) {
    if (checked.error().code() != base::Code::invalid) return checked.error();
    findings.add(Kind::altered, "the database is damaged: " + base::printable(checked.error().message()));
  }
  conclude(report);
  return report;
}

}  // namespace ledger
