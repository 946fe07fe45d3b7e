#include "ledger/checkpoint_store.hpp"

#include "ledger/body.hpp"
#include "ledger/checkpoint.hpp"

namespace ledger::checkpoint_store {

base::Result<std::uint64_t> last_size(const Database& database) {
  const auto size = database.integer("SELECT coalesce(max(size), 0) FROM checkpoint");
  if (!size) return size.error();
  return static_cast<std::uint64_t>(*size);
}

base::Result<Tree> load(const Database& database, const std::string& ledger) {
  auto row = database.prepare(
      "SELECT (SELECT note FROM checkpoint ORDER BY size DESC LIMIT 1), (SELECT value FROM state WHERE name "
      "= "
      "'tree')");
  if (!row) return row.error();
  if (const auto there = row->step(); !there) return there.error();
  if (row->is_null(0) && row->is_null(1)) return Tree();
  const auto note = read_note(row->blob(0));
  const auto tree = Tree::from_text(row->text(1));
  if (note && tree && note->checkpoint == Checkpoint{ledger, tree->size(), tree->root()}) return *tree;
  return base::Error(base::Code::conflict,
                     "the ledger was changed: its tree is not the one that its last checkpoint signs");
}

base::Result<void> save(const Database& database, const Tree& tree, const std::string& note,
                        const std::set<std::string>& missions) {
  auto insert = database.prepare("INSERT INTO checkpoint(size, note) VALUES(?, ?)");
  if (!insert) return insert.error();
  insert->bind_integer(1, static_cast<std::int64_t>(tree.size()));
  insert->bind_blob(2, note);
  if (auto done = insert->run(); !done) return done;
  auto part = database.prepare("INSERT INTO part(size, mission) VALUES(?, ?)");
  if (!part) return part.error();
  for (const std::string& mission : missions) {
    part->bind_integer(1, static_cast<std::int64_t>(tree.size()));
    part->bind_text(2, mission);
    if (auto done = part->run(); !done) return done;
  }
  auto state = database.prepare("INSERT OR REPLACE INTO state(name, value) VALUES('tree', ?)");
  if (!state) return state.error();
  const std::string text = tree.text();
  state->bind_text(1, text);
  return state->run();
}

base::Result<std::vector<Range>> ranges_of(const Database& database, const std::string& mission) {
  auto rows = database.prepare(
      "SELECT (SELECT coalesce(max(size), 0) FROM checkpoint WHERE size < part.size), part.size FROM part "
      "WHERE mission = ? ORDER BY part.size");
  if (!rows) return rows.error();
  rows->bind_text(1, mission);
  std::vector<Range> ranges;
  for (;;) {
    const auto row = rows->step();
    if (!row) return row.error();
    if (!*row) break;
    const Range range{static_cast<std::uint64_t>(rows->integer(0)),
                      static_cast<std::uint64_t>(rows->integer(1))};
    if (!ranges.empty() && ranges.back().end == range.first)
      ranges.back().end = range.end;
    else
      ranges.push_back(range);
  }
  const auto size = last_size(database);
  if (!size) return size.error();
  if (!ranges.empty() && ranges.back().end == *size)
    ranges.back().end = integer_max;
  else
    ranges.push_back({*size, integer_max});
  return ranges;
}

}  // namespace ledger::checkpoint_store
