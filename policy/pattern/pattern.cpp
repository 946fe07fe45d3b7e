#include "policy/pattern/pattern.hpp"

#include <re2/re2.h>

#include <algorithm>

#include "proxy/base/text.hpp"

namespace policy {
namespace {

constexpr std::size_t name_bytes_max = 512;
constexpr std::size_t expression_bytes_max = 4096;
constexpr std::int64_t expression_memory_max = 1 << 20;
constexpr int expression_size_max = 5000;  // RE2's instructions, 16 bytes each

}  // namespace

base::Result<Expression> Expression::compile(std::string_view text, Stance stance, Text kind) {
  if (text.empty()) return base::Error(base::Code::invalid, "the regular expression is empty");
  if (text.size() > expression_bytes_max)
    return base::Error(base::Code::limit, "the regular expression is longer than " +
                                              std::to_string(expression_bytes_max) + " bytes");
  re2::RE2::Options options;
  options.set_encoding(kind == Text::bytes ? re2::RE2::Options::EncodingLatin1
                                           : re2::RE2::Options::EncodingUTF8);
  options.set_dot_nl(true);  // a line feed in a name hides nothing
  options.set_log_errors(false);
  options.set_max_mem(expression_memory_max);
  auto compiled = std::make_shared<const re2::RE2>(re2::StringPiece(text.data(), text.size()), options);
  if (!compiled->ok())
    return base::Error(base::Code::invalid, "the regular expression " + base::quoted(text) +
                                                " does not compile: " + base::printable(compiled->error()));
  if (compiled->ProgramSize() > expression_size_max)
    return base::Error(base::Code::limit, "the regular expression " + base::quoted(text) + " is too large");
  Expression expression;
  expression.compiled_ = std::move(compiled);
  expression.stance_ = stance;
  return expression;
}

std::string Expression::text() const { return compiled_->pattern(); }

bool Expression::matches(std::string_view text) const {
  const re2::StringPiece piece(text.data(), text.size());
  return compiled_->Match(piece, 0, piece.size(),
                          stance_ == Stance::permit ? re2::RE2::ANCHOR_BOTH : re2::RE2::UNANCHORED, nullptr,
                          0);
}

std::vector<Stretch> Expression::stretches(std::string_view text) const {
  std::vector<Stretch> stretches;
  const re2::StringPiece piece(text.data(), text.size());
  re2::StringPiece match;
  for (std::size_t at = 0; at <= text.size();) {
    if (!compiled_->Match(piece, at, text.size(), re2::RE2::UNANCHORED, &match, 1)) break;
    const auto offset = static_cast<std::size_t>(match.data() - text.data());
    if (match.size() > 0) stretches.push_back({offset, match.size()});
    at = offset + std::max<std::size_t>(match.size(), 1);
  }
  return stretches;
}

base::Result<NamePattern> NamePattern::compile(std::string_view text) {
  if (text.empty()) return base::Error(base::Code::invalid, "the name pattern is empty");
  if (text.size() > name_bytes_max)
    return base::Error(base::Code::limit,
                       "the name pattern is longer than " + std::to_string(name_bytes_max) + " bytes");
  NamePattern pattern;
  pattern.text_ = text;
  pattern.glob_ = Glob(text);
  return pattern;
}

}  // namespace policy
