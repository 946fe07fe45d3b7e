#pragma once
// A small closed ledger with every kind of thing that verify checks, and ways to tamper with it.

#include <sqlite3.h>

#include <stdexcept>
#include <string>

#include "ledger/body.hpp"
#include "ledger/schema.hpp"
#include "ledger/verify.hpp"
#include "proxy/base/ed25519.hpp"
#include "tests/ledger/scratch.hpp"

namespace scratch {

inline std::string hex_of(const base::PublicKey& key) {
  return base::hex(std::string_view(reinterpret_cast<const char*>(key.data()), key.size()));
}

inline void sign(ledger::Record& record, const base::SigningKey& key, const std::string& text) {
  record.operator_->key = hex_of(key.public_key());
  record.operator_->signature = key.sign_hex(text);
}

inline ledger::Record answer(const std::string& ledger_id, const ledger::Record& asked,
                             const ledger::Reference& at, const base::SigningKey& key) {
  ledger::Record record = answering(ledger::Type::answer, at);
  record.mission = asked.mission;
  record.operator_ = ledger::Operator{"allow", "same-user", "", "", 4102444800000000000};
  sign(record, key,
       "callgate answer 1\n" + ledger_id + "\n" + std::to_string(at.sequence) + "\n" + base::hex(at.leaf) +
           "\n" + base::hex(asked.capability->call) + "\nallow\nsame-user\n4102444800000000000\n" +
           base::hex(base::sha256("")) + "\n");
  return record;
}

inline ledger::Record grant(const std::string& ledger_id, const ledger::Record& asked,
                            const ledger::Reference& at, const base::SigningKey& key,
                            const std::string& answer = "allow") {
  ledger::Record record = answering(ledger::Type::grant, at);
  record.mission = asked.mission;
  record.server = asked.server;
  const std::string until = answer == "allow" ? "4102444800000000000" : "0";
  record.operator_ = ledger::Operator{answer, "same-user", "", "", std::stoll(until)};
  const std::string none = base::hex(base::sha256(""));
  const std::string rule = answer == "allow" ? base::hex(base::sha256("a rule")) : none;
  if (answer == "allow") record.details = {{"scope", "tool"}, {"rule", rule}};
  sign(record, key,
       "callgate grant 1\n" + ledger_id + "\n" + std::to_string(at.sequence) + "\n" + base::hex(at.leaf) +
           "\n" + answer + "\nsame-user\n" + until + "\n" + (answer == "allow" ? "tool" : "none") + "\n" +
           rule + "\n" + none + "\n" + none + "\n");
  return record;
}

inline ledger::Record trust(const std::string& ledger_id, const base::SigningKey& key) {
  ledger::Record record;
  record.type = ledger::Type::policy_trusted;
  record.policy = base::sha256("a policy");
  const std::string workspace = base::hex(base::sha256("/a/workspace"));
  record.details["workspace"] = workspace;
  record.operator_ = ledger::Operator{"allow", "same-user", "", "", 0};
  sign(record, key,
       "callgate trust 1\n" + ledger_id + "\n" + workspace + "\n" + base::hex(*record.policy) +
           "\nallow\nsame-user\n0\n");
  return record;
}

// genesis, writer_start, mission, an allowed call, a released ask, an open ask, trust; writer_stop at the
// end.
class SmallLedger {
 public:
  explicit SmallLedger(int calls = 1) {
    auto made = options();
    made.operator_key = [this] { return base::Result<std::string>(hex_of(key.public_key())); };
    auto writer = ledger::Writer::open(folder.place(), made).value();
    ledger::Append first;
    ledger::Draft start{mission_start("m-1", 7), {{"workspace", "/a/workspace"}}};
    first.drafts.push_back(start);
    writer->append_now(first).value();
    std::string large;
    for (int i = 0; i < 300; ++i) large += "line " + std::to_string(i * 7919 % 1000) + " of the result\n";
    for (int i = 0; i < calls; ++i) {
      ledger::Append call;
      call.drafts.push_back(
          {decision("m-1", "ALLOW"), {{"arguments", R"({"path":"a.txt"})"}, {"effects", "[]"}}});
      ledger::Draft outcome{answering(ledger::Type::outcome, {ledger::Append::answers_previous, {}}),
                            {{"result", large}}};
      call.drafts.push_back(outcome);
      writer->append_now(call).value();
    }
    const ledger::Record asked = decision("m-1", "ASK", 4102444800000000000);
    const ledger::Reference ask = writer->append_now(one(asked)).value().records[0];
    writer->append_now(one(answer(writer->ledger_id(), asked, ask, key))).value();
    writer->append_now(one(answering(ledger::Type::released, ask))).value();
    writer->append_now(one(answering(ledger::Type::outcome, ask))).value();
    writer->append_now(one(decision("m-1", "ASK", 4102444800000000000))).value();
    ledger::Append trusted = one(trust(writer->ledger_id(), key));
    trusted.drafts[0].payloads.push_back({"policy", "a policy"});
    writer->append_now(trusted).value();
  }
  std::string file(const char* name) const { return folder.place().folder + "/" + name; }
  ledger::Report verify() const { return ledger::verify(folder.place()).value(); }

  base::SigningKey key = base::SigningKey::generate();
  Folder folder;
};

// A plain connection that may do anything. Triggers are put back as they were.
class Tamper {
 public:
  explicit Tamper(const SmallLedger& ledger) {
    if (sqlite3_open(ledger.file("ledger.db").c_str(), &handle_) != SQLITE_OK)
      throw std::runtime_error("cannot open");
    run("PRAGMA synchronous=OFF; PRAGMA wal_checkpoint(TRUNCATE)");
  }
  Tamper(const Tamper&) = delete;
  Tamper& operator=(const Tamper&) = delete;
  ~Tamper() { sqlite3_close(handle_); }

  void run(const std::string& sql) {
    char* message = nullptr;
    if (sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, &message) != SQLITE_OK)
      throw std::runtime_error(sql + ": " + (message != nullptr ? message : "?"));
  }
  void change(const std::string& sql) {
    run("BEGIN");
    for (const auto& object : ledger::schema::objects)
      if (object.type == "trigger") run("DROP TRIGGER " + std::string(object.name));
    run(sql);
    for (const auto& object : ledger::schema::objects)
      if (object.type == "trigger") run(std::string(object.sql));
    run("COMMIT");
  }
  // XORs one byte of a blob or text; no trigger sees it. False when it has no such byte.
  bool flip(const char* table, const char* column, std::int64_t row, int at, char with) {
    sqlite3_blob* blob = nullptr;
    if (sqlite3_blob_open(handle_, "main", table, column, row, 1, &blob) != SQLITE_OK) return false;
    char byte = 0;
    const bool there = at < sqlite3_blob_bytes(blob) && sqlite3_blob_read(blob, &byte, 1, at) == SQLITE_OK;
    byte = static_cast<char>(byte ^ with);
    const bool written = there && sqlite3_blob_write(blob, &byte, 1, at) == SQLITE_OK;
    return sqlite3_blob_close(blob) == SQLITE_OK && written;
  }
  std::int64_t integer(const std::string& sql) {
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v2(handle_, sql.c_str(), -1, &statement, nullptr);
    const std::int64_t value =
        sqlite3_step(statement) == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : -1;
    sqlite3_finalize(statement);
    return value;
  }

 private:
  sqlite3* handle_ = nullptr;
};

}  // namespace scratch
