#include "approvals/trust.hpp"

#include "approvals/operator_key.hpp"
#include "tests/catch.hpp"

using approvals::genuine_trust;

TEST_CASE("trust counts only with the operator's signature over what it says") {
  const auto key = base::SigningKey::generate();
  const std::string operator_key = approvals::public_text(key);
  const ledger::Append append =
      approvals::make_trust(std::string(32, 'a'), base::sha256("workspace"), "version = 1\n", key);
  const ledger::Record record = append.drafts.front().record;
  CHECK(genuine_trust(record, operator_key));
  CHECK_FALSE(genuine_trust(record, approvals::public_text(base::SigningKey::generate())));

  ledger::Record changed = record;
  changed.policy = base::sha256("version = 1\ndefault = \"ask\"\n");
  CHECK_FALSE(genuine_trust(changed, operator_key));
  changed = record;
  changed.details["workspace"] = base::hex(base::sha256("elsewhere"));
  CHECK_FALSE(genuine_trust(changed, operator_key));
  changed = record;
  changed.operator_->answer = "deny";
  CHECK_FALSE(genuine_trust(changed, operator_key));
  changed = record;
  changed.ledger = std::string(32, 'b');
  CHECK_FALSE(genuine_trust(changed, operator_key));
  changed = record;
  changed.operator_.reset();
  CHECK_FALSE(genuine_trust(changed, operator_key));
}

TEST_CASE("a withdrawal names what was trusted, and is signed too") {
  const auto key = base::SigningKey::generate();
  const ledger::Append append = approvals::make_withdrawal(std::string(32, 'a'), base::sha256("workspace"),
                                                           base::sha256("version = 1\n"), key);
  const ledger::Record& record = append.drafts.front().record;
  CHECK(record.policy == base::sha256("version = 1\n"));
  CHECK(record.operator_->answer == "deny");
  CHECK(genuine_trust(record, approvals::public_text(key)));
}
