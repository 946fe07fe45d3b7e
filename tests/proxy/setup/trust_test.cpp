#include "proxy/setup/trust.hpp"

#include "approvals/operator_key.hpp"
#include "approvals/trust.hpp"
#include "proxy/mission/mission.hpp"
#include "proxy/setup/open_ledger.hpp"
#include "tests/catch.hpp"
#include "tests/proxy/desk.hpp"

namespace {

const std::string allows = "version = 1\n[[allow]]\nid = \"a\"\nread = [\"**\"]\n";

policy::Source repository(const std::string& text, bool trusted = false) {
  return {policy::Layer::repository, "policy.toml", text, trusted};
}

}  // namespace

TEST_CASE("without a ledger nothing is trusted, and asking makes none") {
  const proxy_tests::Desk desk;
  const auto here = proxy::find_surroundings().value();
  CHECK_FALSE(proxy::trusted_digest(here).value().has_value());
  CHECK_FALSE(proxy::trusted_on_record(here)(base::sha256(allows)));
  CHECK_FALSE(std::filesystem::exists(here.state_folder + "/ledger"));
}

TEST_CASE("trust is the operator's signed word for these bytes, until it is taken back") {
  const proxy_tests::Desk desk;
  const auto here = proxy::find_surroundings().value();
  const auto writer = proxy::open_ledger(here).value();
  const auto key = approvals::load_key(here.state_folder).value();
  const base::Digest place = proxy::workspace_digest(here.workspace);
  const auto append = [&](ledger::Append word) { REQUIRE(writer->append_now(std::move(word)).has_value()); };

  append(approvals::make_trust(writer->ledger_id(), place, allows, base::SigningKey::generate()));
  CHECK_FALSE(proxy::trust_on_record(here, place).value().has_value());

  append(approvals::make_trust(writer->ledger_id(), place, allows, key));
  CHECK(proxy::trusted_on_record(here)(base::sha256(allows)));
  CHECK_FALSE(proxy::trusted_on_record(here)(base::sha256("")));
  CHECK(proxy::trusted_file(here, place).value()->bytes == allows);
  CHECK_FALSE(proxy::trust_on_record(here, base::sha256("elsewhere")).value().has_value());

  append(approvals::make_withdrawal(writer->ledger_id(), place, base::sha256(allows), key));
  CHECK_FALSE(proxy::trust_on_record(here, place).value().has_value());
}

TEST_CASE("the operator reads of allows that do not count, and of nothing else") {
  const proxy_tests::Desk desk;
  const auto here = proxy::find_surroundings().value();
  CHECK(proxy::trust_notice(here, {repository(allows)}).find("is not trusted") != std::string::npos);
  CHECK(proxy::trust_notice(here, {repository(allows, true)}).empty());
  CHECK(
      proxy::trust_notice(here, {repository("version = 1\n[[deny]]\nid = \"d\"\npath = [\"x\"]\n")}).empty());
}
