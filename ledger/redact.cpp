#include "ledger/redact.hpp"

#include "ledger/redact_search.hpp"
#include "ledger/redact_spans.hpp"

namespace ledger {

struct Redactor::Rules {
  SecretSearch search;

  // Settled; empty when there is nothing to take out.
  std::vector<SecretSpan> spans(std::string_view bytes) const;
};

std::vector<SecretSpan> Redactor::Rules::spans(std::string_view bytes) const {
  std::vector<SecretSpan> found;
  if (search.search(bytes, found)) {
    const PlainView view = without_ascii_escapes(bytes);
    std::vector<SecretSpan> seen;
    static_cast<void>(search.search(view.text, seen));
    for (const SecretSpan& span : seen)
      found.push_back({view.origin(span.begin), view.origin(span.end), span.rule});
  }
  if (!found.empty()) settle(bytes, found);
  return found;
}

Redactor::Redactor(const std::vector<std::string>& secrets)
    : rules_(std::unique_ptr<const Rules>(new Rules{SecretSearch(secrets)})) {}
Redactor::~Redactor() = default;

Redacted Redactor::redact(std::string_view bytes) const {
  const auto spans = rules_->spans(bytes);
  if (spans.empty()) return {std::string(bytes), {}};
  return take_out(bytes, spans);
}

Redacted Redactor::redact_given(std::string bytes) const {
  const auto spans = rules_->spans(bytes);
  if (spans.empty()) return {std::move(bytes), {}};
  return take_out(bytes, spans);
}

}  // namespace ledger
