#include "tests/verifiers/sample.hpp"

#include <optional>
#include <stdexcept>

#include "approvals/operator_key.hpp"
#include "ledger/custody.hpp"
#include "proxy/base/clock.hpp"
#include "tests/ledger/verify_ledger.hpp"

namespace verifiers {
namespace {

using ledger::Append;
using ledger::Record;
using ledger::Reference;
using ledger::Type;

constexpr std::int64_t far = 4102444800000000000;  // UTC ns, in 2100

class Sample {
 public:
  Sample(ledger::Writer& writer, const base::SigningKey& key) : writer_(writer), key_(key) {}

  void missions() {
    Record start = scratch::mission_start("m-1", 7);
    start.agent = ledger::Agent{
        "claude \"code\"\n", "2.1", "2025-11-25", {4711, 99, std::string(32, 'b')}, std::string(40, 'c')};
    start.policy = base::sha256("a policy");
    add(start, {{"workspace", "/a/workspace"}});
    Record session = of(Type::session_start);
    session.agent = ledger::Agent{"codex", "", "2025-06-18", {0, 0, ""}, ""};
    session.details = {{"server_name", "files\u2028ü\u007f"}, {"server_version", ""}};
    session_ = add(session, {{"scene", "{}"}});
    Record pinned = of(Type::tools_pinned);
    pinned.details = {{"digest", base::hex(base::sha256("tools"))}, {"count", "2"}};
    const Reference tools = add(pinned, {{"tools", text("tool")}});
    Record changed = of(Type::tools_changed);
    changed.answers = tools;
    changed.details = pinned.details;
    add(changed, {{"tools", text("tool")}});
    Record paused = of(Type::mission_pause);
    paused.details = {{"reason", "violation"}};
    const Reference pause = add(paused);
    Record resumed = of(Type::mission_resume);
    resumed.answers = pause;
    resumed.operator_ = ledger::Operator{"allow", "pin", std::string(64, '1'), std::string(128, '2'), far};
    add(resumed);
    add(scratch::mission_start("m-2", 8));
    Record terminated = of(Type::mission_terminate);
    terminated.mission = "m-2";
    add(terminated);
    add(scratch::mission_start("m-3", 9), {{"workspace", text("a workspace")}});
    Record ended = of(Type::mission_end);
    ended.mission = "m-3";
    ended_ = add(ended);
  }

  void policies() {
    const std::string workspace = base::hex(base::sha256("/a/workspace"));
    add(scratch::trust(writer_.ledger_id(), key_), {{"policy", "a policy"}});
    Record loaded = of(Type::policy_loaded);
    loaded.policy = base::sha256("all policies");
    loaded.details = {
        {"workspace", workspace},
        {"policy-repository", base::hex(base::sha256("a policy"))},
        {"trusted", "yes"},
        {"parts", base::hex(base::sha256("a place")) + ":" + base::hex(base::sha256("a word"))}};
    const Reference before = add(loaded, {{"policy-files", "{}"}, {"repository", "a policy"}});
    Record changed = loaded;
    changed.type = Type::policy_changed;
    changed.answers = before;
    changed.policy = base::sha256("other policies");
    changed.details["policy-repository"] = base::hex(base::sha256("another policy"));
    changed.details["replaces"] = base::hex(*loaded.policy);
    add(changed);
  }

  void calls() {
    Record allowed = call("ALLOW");
    allowed.rules = {{"reads", "user", "ALLOW"}, {"reads", "user", "ALLOW"}};
    const Reference decision =
        add(allowed, {{"arguments", R"({"path":"a.txt","token":"ghp_0123456789abcdefghijABCDEFGHIJ012345"})"},
                      {"effects", "[]"}});
    add(scratch::answering(Type::outcome, decision), {{"result", text("line")}});
    erased_ = decision;
    Record failed = scratch::answering(Type::outcome, add(call("ALLOW"), {{"arguments", "{}"}}));
    failed.outcome = ledger::Outcome{"failed", "timeout", true, 0, 0};
    add(failed, {{"result", text("line")}});
    Record denied = call("DENY");
    denied.capability->effects.clear();
    const Reference refused = add(denied);
    Record violation = of(Type::violation);
    violation.answers = refused;
    violation.violation = ledger::Violation{"rule", "secrets", "high", "no-secrets"};
    add(violation);
  }

  void asks() {
    const Record asked = scratch::decision("m-1", "ASK", far);
    const Reference released = allowed(asked);
    const Reference grant = add(scratch::grant(writer_.ledger_id(), asked, released, key_));
    add(scratch::answering(Type::released, released));
    add(scratch::answering(Type::outcome, released));
    Record granted = call("ALLOW");
    granted.details["grants"] = std::to_string(grant.sequence);
    add(scratch::answering(Type::outcome, add(granted)));
    add(scratch::grant(writer_.ledger_id(), asked, grant, key_, "deny"));
    add(scratch::grant(writer_.ledger_id(), asked, allowed(asked), key_));  // both stand
    const Reference detached = add(asked);
    Record repeat = scratch::answering(Type::detached, detached);
    repeat.details["repeat"] = base::hex(base::sha256("a repeat"));
    add(repeat);
    add(scratch::answering(Type::detached, add(asked)));
    Record joined = asked;
    joined.details["joins"] = std::to_string(detached.sequence);
    add(joined);
    add(scratch::answering(Type::expired, add(asked)));
    Record withdrawn = scratch::answering(Type::withdrawn, add(asked));
    withdrawn.details["cause"] = "cancelled";
    add(withdrawn);
    add(asked);  // open
  }

  // That stand and do not.
  void holds() {
    Record all, agent, time;
    all.details = {{"scope", "all"}};
    agent.details = {{"scope", "agent"}, {"of", "robot"}};
    time.details = {{"from", "1"}, {"scope", "time"}, {"until", "5"}};
    Record released;
    released.type = Type::hold_released;
    released.answers = add(by_operator(Type::hold_set, all));
    add(by_operator(Type::hold_released, released, "deny"));
    add(by_operator(Type::hold_set, agent));
    add(by_operator(Type::hold_set, time));
  }

  // Payloads of a mission that are old, and one of a record.
  void removals() {
    Record purge;
    purge.type = Type::purge;
    ledger::put(
        {"m-3", 0, ended_.sequence, base::wall_now().time_since_epoch().count(), ended_.sequence + 1, {}},
        purge);
    writer_.remove({by_operator(Type::purge, purge), {}}).value();
    Record erase;
    erase.type = Type::erase;
    erase.answers = erased_;
    ledger::put({"m-1", erased_.sequence, erased_.sequence, 0, 0, {"arguments"}}, erase);
    writer_.remove({by_operator(Type::erase, erase), {}}).value();
  }

  void others() {
    for (const Type type : {Type::redirect, Type::plan, Type::validation, Type::restore, Type::notification,
                            Type::alert, Type::gate_result, Type::telemetry, Type::degraded}) {
      Record record;
      record.type = type;
      record.details = {{"reason", "clock_step"}, {"step", "5"}, {"\u00e9", "\t"}};
      add(record);
    }
    writer_.rotate_key().value();
    Record closed = of(Type::session_end);
    closed.answers = session_;
    add(closed);
  }

 private:
  Reference add(const Record& record, std::vector<ledger::PayloadDraft> payloads = {}) {
    Append append = scratch::one(record);
    append.drafts[0].payloads = std::move(payloads);
    return writer_.append_now(std::move(append)).value().records[0];
  }
  Record by_operator(Type type, Record record, const char* answer = "allow") const {
    record.type = type;
    record.ledger = writer_.ledger_id();
    record.operator_ = ledger::Operator{answer, "same-user", "", "", 0};
    scratch::sign(record, key_, ledger::custody_text(record));
    return record;
  }
  Reference allowed(const Record& asked) {
    const Reference ask = add(asked, {{"arguments", "{}"}});
    add(scratch::answer(writer_.ledger_id(), asked, ask, key_));
    return ask;
  }
  static Record of(Type type) {
    Record record;
    record.type = type;
    record.mission = "m-1";
    record.server = type == Type::session_start || type == Type::session_end ? "files" : "";
    return record;
  }
  static Record call(const std::string& tier) {
    Record record = scratch::decision("m-1", tier);
    record.policy = base::sha256("all policies");
    return record;
  }
  static std::string text(const std::string& word) {
    std::string text;
    for (int i = 0; i < 80; ++i) text += word + " " + std::to_string(i * 7919 % 1000) + " of a text\n";
    return text;
  }

  ledger::Writer& writer_;
  const base::SigningKey& key_;
  Reference session_, ended_, erased_;
};

}  // namespace

std::string make_sample(const std::string& folder, bool removals) {
  std::string first_key;
  ledger::WriterOptions options = scratch::options();
  options.engine = "callgate 0 " + std::string(64, 'e');
  std::optional<base::SigningKey> key;
  options.operator_key = [&] {
    key = approvals::load_or_create_key(folder).value();
    return base::Result<std::string>(approvals::public_text(*key));
  };
  options.made = [&](const std::string& verifier_key) { first_key = verifier_key; };
  {
    const auto writer = ledger::Writer::open({folder}, options).value();
    Sample sample(*writer, *key);
    sample.policies();
    sample.missions();
    sample.calls();
    sample.asks();
    sample.holds();
    if (removals) sample.removals();
    sample.others();
  }
  // A run that died: what it wrote stands in the write-ahead log, unsigned, and it judges still.
  const pid_t died = scratch::spawn([&] {
    auto writer = ledger::Writer::open({folder}, options).value();
    Record loaded;
    loaded.type = Type::policy_loaded;
    loaded.mission = "m-1";
    loaded.policy = base::sha256("all policies");
    writer->append_now(scratch::one(loaded)).value();
    for (int i = 0; i < 3; ++i) writer->append_now(scratch::one(scratch::decision("m-1", "ALLOW"))).value();
    (void)writer.release();
    return 0;
  });
  if (scratch::wait_for(died) != 0) throw std::runtime_error("the second run could not write");
  return first_key;
}

}  // namespace verifiers
