#include "ledger/fold.hpp"

#include "tests/catch.hpp"
#include "tests/ledger/scratch.hpp"

namespace {

using ledger::AskState;
using ledger::Fold;
using ledger::Precondition;
using ledger::Record;
using ledger::Type;
using Kind = Precondition::Kind;

base::Digest leaf_number(std::uint64_t sequence) { return base::sha256(std::to_string(sequence)); }

struct History {
  Fold fold;
  std::uint64_t next = 1;
  std::string writer = std::string(32, '1');

  ledger::Reference apply(Record record) {
    record.sequence = next++;
    record.writer = writer;
    fold.apply(record, leaf_number(record.sequence));
    return {record.sequence, leaf_number(record.sequence)};
  }
  ledger::Reference ask() { return apply(scratch::decision("m", "ASK", 1000)); }
  void answer(const ledger::Reference& ask, const std::string& answer, std::int64_t valid_until = 2000) {
    Record record = scratch::answering(Type::answer, ask);
    record.operator_ =
        ledger::Operator{answer, "same-user", std::string(64, 'a'), std::string(128, 'b'), valid_until};
    apply(record);
  }
  bool holds(Kind kind, std::uint64_t sequence, std::int64_t now) const {
    return !ledger::failing({{kind, "m", sequence, {}}}, fold, now);
  }
};

// Without the operator's word, which tests add.
Record trust_in_workspace() {
  Record trust;
  trust.type = Type::policy_trusted;
  trust.policy = base::sha256("policy");
  trust.details["workspace"] = base::hex(base::sha256("workspace"));
  return trust;
}

Record of(Type type) {
  Record record;
  record.type = type;
  record.mission = "m";
  return record;
}

TEST_CASE("a mission is paused, resumed, terminated and ended, and only from the states that allow it") {
  History history;
  history.apply(scratch::mission_start("m", 1));
  const auto state = [&] { return history.fold.mission("m")->state; };
  history.apply(of(Type::mission_resume));
  CHECK(state() == ledger::MissionState::active);
  history.apply(of(Type::mission_pause));
  CHECK(state() == ledger::MissionState::paused);
  CHECK_FALSE(history.holds(Kind::mission_active, 0, 0));
  history.apply(of(Type::mission_resume));
  CHECK(history.holds(Kind::mission_active, 0, 0));
  history.apply(of(Type::mission_terminate));
  history.apply(of(Type::mission_resume));
  history.apply(of(Type::mission_pause));
  CHECK(state() == ledger::MissionState::terminated);
  base::Digest key{};
  key.fill(1);
  CHECK(ledger::failing({{Kind::no_mission_with_key, "", 0, key}}, history.fold, 0).has_value());
  history.apply(of(Type::mission_end));
  CHECK(history.fold.mission("m") == nullptr);
  CHECK_FALSE(ledger::failing({{Kind::no_mission_with_key, "", 0, key}}, history.fold, 0).has_value());
  CHECK_FALSE(history.holds(Kind::mission_active, 0, 0));
}

TEST_CASE("the policy of a mission is the last one loaded for it") {
  History history;
  history.apply(scratch::mission_start("m", 1));
  const auto policy = base::sha256("p");
  CHECK(ledger::failing({{Kind::policy_is, "m", 0, policy}}, history.fold, 0).has_value());
  Record loaded = of(Type::policy_loaded);
  loaded.policy = policy;
  history.apply(loaded);
  CHECK_FALSE(ledger::failing({{Kind::policy_is, "m", 0, policy}}, history.fold, 0).has_value());
}

TEST_CASE("each writer of a mission goes over to another policy by itself") {
  History history;
  history.apply(scratch::mission_start("m", 1));
  const std::string idle = history.writer;
  const std::string changing(32, '2');
  const auto loads = [&](const std::string& writer, Type type, const char* policy) {
    history.writer = writer;
    Record record = of(type);
    record.policy = base::sha256(policy);
    if (type == Type::policy_changed) record.details["replaces"] = base::hex(base::sha256("first"));
    history.apply(record);
  };
  const auto judges = [&](const char* policy) {
    return !ledger::failing({{Kind::policy_is, "m", 0, base::sha256(policy)}}, history.fold, 0);
  };
  loads(idle, Type::policy_loaded, "first");
  loads(changing, Type::policy_loaded, "first");
  loads(changing, Type::policy_changed, "second");
  CHECK(judges("first"));
  CHECK(judges("second"));
  SECTION("it goes over, too") {
    loads(idle, Type::policy_changed, "second");
    CHECK_FALSE(judges("first"));
  }
  SECTION("it stops") {
    history.writer = idle;
    history.apply(of(Type::writer_stop));
    CHECK_FALSE(judges("first"));
  }
  SECTION("another says that it is gone") {
    Record stop = of(Type::writer_stop);
    stop.mission.clear();
    stop.details["of"] = idle;
    history.apply(stop);
    CHECK_FALSE(judges("first"));
  }
  CHECK(judges("second"));
}

TEST_CASE("an ask is allowed, released once, and gone") {
  History history;
  const auto ask = history.ask();
  CHECK(history.holds(Kind::ask_unanswered, 1, 999));
  CHECK_FALSE(history.holds(Kind::ask_unanswered, 1, 1000));
  CHECK_FALSE(history.holds(Kind::ask_allowed, 1, 0));
  CHECK(ledger::failing({{Kind::no_ask_for_call, "m", 0, {}}}, history.fold, 0).has_value());
  history.apply(scratch::answering(Type::released, ask));
  CHECK(history.fold.ask(1) != nullptr);
  history.answer(ask, "allow");
  history.answer(ask, "deny");
  CHECK(history.fold.ask(1)->state == AskState::allowed);
  CHECK(history.fold.ask(1)->answer == 3);
  CHECK_FALSE(history.holds(Kind::ask_unanswered, 1, 0));
  CHECK(history.holds(Kind::ask_allowed, 1, 1999));
  CHECK_FALSE(history.holds(Kind::ask_allowed, 1, 2000));
  history.apply(scratch::answering(Type::released, ask));
  CHECK(history.fold.asks().empty());
  CHECK_FALSE(history.holds(Kind::ask_not_final, 1, 0));
  CHECK_FALSE(ledger::failing({{Kind::no_ask_for_call, "m", 0, {}}}, history.fold, 0).has_value());
}

TEST_CASE("a denied ask goes with its outcome, a detached one stays for the repeat until it expires") {
  for (const bool detached : {false, true}) {
    History history;
    const auto ask = history.ask();
    if (detached) history.apply(scratch::answering(Type::detached, ask));
    history.answer(ask, "deny");
    CHECK(history.fold.ask(1)->state == AskState::denied);
    CHECK_FALSE(ledger::failing({{Kind::no_ask_for_call, "m", 0, {}}}, history.fold, 0).has_value());
    history.apply(scratch::answering(Type::outcome, ask));
    CHECK((history.fold.ask(1) != nullptr) == detached);
    history.apply(scratch::answering(Type::expired, ask));
    CHECK(history.fold.ask(1) == nullptr);
  }
}

TEST_CASE("records that name another leaf, no ask, or join one change no ask") {
  History history;
  auto ask = history.ask();
  Record joined = scratch::decision("m", "ASK");
  joined.details["joins"] = "1";
  history.apply(joined);
  ask.leaf[0] ^= 1;
  history.answer(ask, "allow");
  history.apply(scratch::answering(Type::withdrawn, ask));
  history.apply(scratch::answering(Type::withdrawn, {9, {}}));
  CHECK(history.fold.asks().size() == 1);
  CHECK(history.fold.ask(1)->state == AskState::open);
}

TEST_CASE("an ask without a time to expire, or with nonsense, has expired already") {
  History history;
  Record ask = scratch::decision("m", "ASK");
  ask.details["expires"] = "12x";
  history.apply(ask);
  CHECK_FALSE(history.holds(Kind::ask_unanswered, 1, 1));
}

TEST_CASE("trust is given and taken back by the operator's record") {
  History history;
  Record trust = trust_in_workspace();
  history.apply(trust);
  CHECK(history.fold.trusted().empty());
  trust.operator_ = ledger::Operator{"allow", "same-user", std::string(64, 'a'), std::string(128, 'b'), 0};
  history.apply(trust);
  CHECK(history.fold.trusted().at(base::sha256("workspace")).policy == base::sha256("policy"));
  trust.operator_->answer = "deny";
  history.apply(trust);
  CHECK(history.fold.trusted().empty());
}

TEST_CASE("what was accepted ends where a session judges by another statement for its place, in no other") {
  History history;
  Record word = trust_in_workspace();
  word.details["workspace"] = base::hex(base::sha256("place"));
  word.operator_ = ledger::Operator{"allow", "same-user", std::string(64, 'a'), std::string(128, 'b'), 0};
  history.apply(word);
  const auto ended = [&] { return history.fold.trusted().at(base::sha256("place")).ended; };
  const auto part = [](const char* place, const char* statement) {
    return base::hex(base::sha256(place)) + ":" + base::hex(base::sha256(statement));
  };
  Record changed = of(GENERATE(Type::policy_loaded, Type::policy_changed));
  changed.details["workspace"] = base::hex(base::sha256("workspace"));
  for (const std::string& parts :
       {std::string(), part("another", "x"), part("another", "x") + " " + part("place", "policy")}) {
    changed.details["parts"] = parts;
    history.apply(changed);
    CHECK_FALSE(ended());
  }
  changed.details["parts"] = part("another", "x") + " " + part("place", "x");
  changed.details["unreadable"] = "yes";
  history.apply(changed);
  CHECK_FALSE(ended());
  changed.details.erase("unreadable");
  history.apply(changed);
  CHECK(ended());
}

TEST_CASE("trust ends where a session goes over to other bytes, until it is given anew") {
  History history;
  Record trust = trust_in_workspace();
  trust.operator_ = ledger::Operator{"allow", "same-user", std::string(64, 'a'), std::string(128, 'b'), 0};
  history.apply(trust);
  const auto ended = [&] { return history.fold.trusted().at(base::sha256("workspace")).ended; };
  Record started = scratch::mission_start("m", 1);
  started.details["workspace"] = trust.details["workspace"];
  history.apply(started);
  CHECK_FALSE(ended());
  Record changed = of(GENERATE(Type::policy_loaded, Type::policy_changed));
  changed.details["workspace"] = trust.details["workspace"];
  changed.details["policy-repository"] = base::hex(base::sha256("policy"));
  history.apply(changed);
  CHECK_FALSE(ended());  // another layer has changed
  changed.details.erase("policy-repository");
  changed.details["unreadable"] = "yes";
  history.apply(changed);
  CHECK_FALSE(ended());
  changed.details.erase("unreadable");
  changed.details["workspace"] = base::hex(base::sha256("another"));
  history.apply(changed);
  CHECK_FALSE(ended());
  changed.details["workspace"] = trust.details["workspace"];
  changed.details["policy-repository"] = base::hex(base::sha256("narrower"));
  history.apply(changed);
  CHECK(ended());
  history.apply(trust);
  CHECK_FALSE(ended());
  changed.details.erase("policy-repository");  // the file is gone
  history.apply(changed);
  CHECK(ended());
}

TEST_CASE("a record that does not concern the fold leaves it as it was") {
  History history;
  history.ask();
  for (const Record& record : {scratch::decision("m", "ALLOW"), scratch::decision("m", "DENY"),
                               scratch::answering(Type::outcome, {77, {}})}) {
    CHECK_FALSE(history.fold.concerns(record));
    const Fold before = history.fold;
    history.apply(record);
    CHECK(history.fold == before);
  }
}

Record grant(const ledger::Reference& at, const char* answer, std::int64_t valid_until) {
  Record record = scratch::answering(Type::grant, at);
  record.mission = "m";
  record.operator_ =
      ledger::Operator{answer, "same-user", std::string(64, 'a'), std::string(128, 'b'), valid_until};
  return record;
}

TEST_CASE("a grant stands from its record until it is taken back, expires or its mission ends") {
  History history;
  history.apply(scratch::mission_start("m", 1));
  const auto allowed = [&] {
    const auto ask = history.ask();
    history.answer(ask, "allow");
    return ask;
  };
  const auto one = history.apply(grant(allowed(), "allow", 1000));
  const auto two = history.apply(grant(allowed(), "allow", 1000));
  CHECK(history.holds(Kind::grant_stands, one.sequence, 999));
  CHECK_FALSE(history.holds(Kind::grant_stands, one.sequence, 1000));
  CHECK(ledger::failing({{Kind::grant_stands, "other", one.sequence, {}}}, history.fold, 0).has_value());
  ledger::Reference elsewhere = one;
  elsewhere.leaf = {};
  history.apply(grant(elsewhere, "deny", 0));
  CHECK(history.holds(Kind::grant_stands, one.sequence, 0));
  history.apply(grant(one, "deny", 0));
  CHECK_FALSE(history.holds(Kind::grant_stands, one.sequence, 0));
  CHECK(history.holds(Kind::grant_stands, two.sequence, 0));
  history.apply(of(Type::mission_end));
  CHECK(history.fold.grants().empty());
  history.apply(grant(allowed(), "allow", 1000));
  CHECK(history.fold.grants().empty());
}

TEST_CASE("a grant stands only right after the answer that allows its ask: it cannot be given again") {
  History history;
  history.apply(scratch::mission_start("m", 1));
  const auto ask = history.ask();
  history.apply(grant(ask, "allow", 1000));
  CHECK(history.fold.grants().empty());
  history.answer(ask, "allow");
  const auto given = history.apply(grant(ask, "allow", 1000));
  CHECK(history.fold.grants().size() == 1);
  history.apply(grant(given, "deny", 0));
  history.apply(grant(ask, "allow", 1000));
  CHECK(history.fold.grants().empty());
  const auto denied = history.ask();
  history.answer(denied, "deny");
  history.apply(grant(denied, "allow", 1000));
  CHECK(history.fold.grants().empty());
}

}  // namespace
