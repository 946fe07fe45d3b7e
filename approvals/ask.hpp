#pragma once
// What an operator sees of one ask, from its records: as JSON for scripts, as lines for a terminal.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "approvals/effects.hpp"
#include "approvals/render.hpp"
#include "ledger/reader.hpp"
#include "proxy/base/clock.hpp"
#include "proxy/base/error.hpp"
#include "proxy/base/json.hpp"

namespace approvals {

// The call whose answer is asked for.
struct CameFrom {
  std::uint64_t decision = 0;  // that let it pass
  std::string summary;         // what it did: the first of its effects that a rule decided; empty: gone
  std::optional<std::string> arguments;  // as recorded
};

struct AskView {
  ledger::StoredRecord decision;         // what an answer is signed over
  std::optional<std::string> arguments;  // as recorded, redacted values as marks; nullopt: erased
  std::optional<std::string>
      redirected;                     // the arguments as they would be passed on, where rules rewrite them
  std::optional<std::string> beside;  // what the request says beside them, recorded likewise
  std::optional<std::vector<ShownEffect>> effects;
  std::optional<std::string> grantable;  // the rule that would cover what is asked, where one can
  std::optional<CameFrom> came_from;     // where asked for is what came back of a call, not the call
  base::WallTime expires;
  bool detached = false;

  std::uint64_t id() const { return decision.record.sequence; }
  bool of_answer() const { return !decision.record.detail("answer_of").empty(); }
};

// Open or detached, and in time: those that wait for an answer, the first to expire first.
std::vector<ledger::Ask> waiting_asks(const ledger::Fold& fold, base::WallTime now);

// Reads the record and payloads of an ask that stands. Times are the fold's; all else is the record's.
base::Result<AskView> view_of(const ledger::Reader& reader, const ledger::Ask& ask);

// Of all that wait. What stands in `known` is not read again: records and payloads never change.
base::Result<std::vector<AskView>> waiting_views(const ledger::Reader& reader, base::WallTime now,
                                                 const std::vector<AskView>& known);

// id, server, tool, method, mission, agent, asked, expires, detached, effects, arguments and beside (null:
// erased or none; a text: no JSON); `redirected` likewise, where rules rewrite the arguments; `answer_of`,
// where asked for is an answer: the call that it is of, its `id`, `summary` and `arguments`. Of each effect
// `effect`, `summary` and `tier`, and those of the other members of ShownEffect that are not empty.
base::json::Value to_json(const AskView& view);
// Safe to print: ASCII only, one line.
std::string json_text(const base::json::Value& value);

// One line: number, server, tool, time left, the first effect that asks, or the call whose answer it is. Cut
// where it says so.
std::string headline(const AskView& view, base::WallTime now);
// The same of one that was answered: without the time left.
std::string answered_line(const AskView& view);
// One effect, rendered: what it does, and which rule says what of it.
void add_effect(std::vector<std::string>& lines, const ShownEffect& effect, const RenderOptions& options);
// All of it, rendered, what asks before what is allowed. `raw`: the arguments byte by byte as recorded, not
// laid out.
std::vector<std::string> full_text(const AskView& view, base::WallTime now, const RenderOptions& options,
                                   bool raw);

// What became of an ask that waits for no answer any more, as a sentence; nullopt when no record says so.
std::optional<std::string> end_of(const ledger::Reader& reader, const ledger::StoredRecord& decision);

}  // namespace approvals
