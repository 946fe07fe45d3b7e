#include "ledger/redact_regex.hpp"

#include <re2/re2.h>

#include "proxy/base/check.hpp"

namespace ledger {
namespace {

using re2::RE2;
using re2::StringPiece;

constexpr std::int64_t automaton_bytes_max = std::int64_t{64} << 20;  // grown only as far as inputs need

}  // namespace

LazyRegex::LazyRegex(std::string source) : source_(std::move(source)) {}
LazyRegex::~LazyRegex() = default;

const RE2& LazyRegex::compiled() const {
  std::call_once(once_, [this] {
    RE2::Options options;
    options.set_encoding(RE2::Options::EncodingLatin1);  // bytes: what is not UTF-8 is searched too
    options.set_log_errors(false);
    options.set_max_mem(automaton_bytes_max);
    regex_ = std::make_unique<const RE2>(source_, options);
    CHECK(regex_->ok());
  });
  return *regex_;
}

std::optional<Found> LazyRegex::find(std::string_view text, Found where) const {
  StringPiece match;
  if (!compiled().Match(StringPiece(text.data(), text.size()), where.begin, where.end, RE2::UNANCHORED,
                        &match, 1))
    return std::nullopt;
  const auto begin = static_cast<std::size_t>(match.data() - text.data());
  return Found{begin, begin + match.size()};
}

std::size_t LazyRegex::length_at(std::string_view text, std::size_t at) const {
  StringPiece match;
  if (!compiled().Match(StringPiece(text.data(), text.size()), at, text.size(), RE2::ANCHOR_START, &match, 1))
    return 0;
  return match.size();
}

}  // namespace ledger
