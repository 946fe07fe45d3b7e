#include "proxy/setup/trust.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "approvals/trust.hpp"
#include "ledger/reader.hpp"
#include "policy/load/load.hpp"
#include "policy/rule/rule.hpp"
#include "proxy/base/path_shown.hpp"
#include "proxy/base/text.hpp"

namespace proxy {
namespace {

bool allows_something(const policy::Source& source, const policy::Anchors& anchors) {
  const auto compiled = policy::compile_sources({source}, anchors);
  return compiled.has_value() &&
         std::any_of(compiled->rules.begin(), compiled->rules.end(),
                     [](const policy::Rule& rule) { return rule.tier == policy::Tier::allow; });
}

// The operator's word, with the record that gives it.
struct Word {
  std::unique_ptr<ledger::Reader> reader;
  ledger::Trust trust;
  ledger::StoredRecord record;
};

// As trust_on_record() says.
base::Result<std::optional<Word>> word_on_record(const Surroundings& here, const base::Digest& what) {
  using Found = std::optional<Word>;
  auto reader = ledger::Reader::open({here.state_folder});
  if (!reader && reader.error().code() == base::Code::not_found) return Found();
  if (!reader) return reader.error();
  const auto fold = (*reader)->state();
  if (!fold) return fold.error();
  const auto found = fold->trusted().find(what);
  if (found == fold->trusted().end() || !fold->operator_key()) return Found();
  auto stored = (*reader)->record(found->second.record);
  if (!stored) return stored.error();
  if (!*stored) return Found();
  const ledger::Record& record = (*stored)->record;
  const auto workspace = record.details.find("workspace");
  const bool genuine = record.policy == found->second.policy && workspace != record.details.end() &&
                       workspace->second == base::hex(what) &&
                       approvals::genuine_trust(record, *fold->operator_key());
  if (!genuine) return Found();
  return Found(Word{std::move(*reader), found->second, std::move(**stored)});
}

}  // namespace

base::Result<std::optional<ledger::Trust>> trust_on_record(const Surroundings& here,
                                                           const base::Digest& what) {
  using Found = std::optional<ledger::Trust>;
  const auto word = word_on_record(here, what);
  if (!word) return word.error();
  return *word ? Found((*word)->trust) : Found();
}

base::Result<std::optional<TrustedFile>> trusted_file(const Surroundings& here, const base::Digest& what) {
  using Found = std::optional<TrustedFile>;
  const auto word = word_on_record(here, what);
  if (!word) return word.error();
  if (!*word) return Found();
  auto bytes = (*word)->reader->payload((*word)->record, "policy");
  if (!bytes) return bytes.error();
  return Found(TrustedFile{(*word)->trust, std::move(*bytes)});
}

base::Result<std::optional<base::Digest>> trusted_digest(const Surroundings& here) {
  const auto trust = trust_on_record(here, workspace_digest(here.workspace));
  if (!trust) return trust.error();
  return *trust && !(*trust)->ended ? std::optional((*trust)->policy) : std::nullopt;
}

policy::Trusted trusted_on_record(const Surroundings& here) {
  return [&here](const base::Digest& bytes) {
    const auto trusted = trusted_digest(here);
    return trusted && *trusted == bytes;
  };
}

std::string why_untrusted(const Surroundings& here, const std::string& bytes) {
  const auto trust = trust_on_record(here, workspace_digest(here.workspace));
  if (!trust) return "cannot be known to be trusted, since the ledger cannot be read";
  if (!*trust) return "is not trusted";
  if ((*trust)->policy != base::sha256(bytes)) return "has changed since it was trusted";
  return "was trusted before a session took up another version of it";
}

std::string trust_notice(const Surroundings& here, const std::vector<policy::Source>& sources) {
  for (policy::Source source : sources) {
    if (source.layer != policy::Layer::repository || source.trusted) continue;
    source.trusted = true;
    if (!allows_something(source, {here.workspace, here.home})) continue;
    return base::quoted(source.file, base::path_shown_bytes_max) + " " + why_untrusted(here, source.bytes) +
           ", so its allow rules do not count: see `callgate policy trust`";
  }
  return {};
}

}  // namespace proxy
