#include "ledger/redact.hpp"

#include <re2/re2.h>
#include <re2/set.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <numeric>
#include <optional>

#include "ledger/redact_patterns.hpp"
#include "ledger/redact_spans.hpp"
#include "ledger/redact_values.hpp"
#include "proxy/base/check.hpp"

namespace ledger {
namespace {

using re2::RE2;
using re2::StringPiece;

constexpr std::int64_t automaton_bytes_max = std::int64_t{64} << 20;  // grown only as far as inputs need
constexpr std::size_t private_key_bytes_max = 16 * 1024;

RE2::Options options() {
  RE2::Options options;
  options.set_encoding(RE2::Options::EncodingLatin1);  // bytes: what is not UTF-8 is searched too
  options.set_log_errors(false);
  options.set_max_mem(automaton_bytes_max);
  return options;
}

std::unique_ptr<const RE2> compiled(const std::string& pattern) {
  auto made = std::make_unique<const RE2>(pattern, options());
  CHECK(made->ok());
  return made;
}

struct Found {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::optional<Found> find(const RE2& pattern, std::string_view text, std::size_t from) {
  StringPiece match;
  if (!pattern.Match(StringPiece(text.data(), text.size()), from, text.size(), RE2::UNANCHORED, &match, 1))
    return std::nullopt;
  const auto begin = static_cast<std::size_t>(match.data() - text.data());
  return Found{begin, begin + match.size()};
}

std::size_t kept_at_start(const RE2& keep, std::string_view match) {
  StringPiece kept;
  if (!keep.Match(StringPiece(match.data(), match.size()), 0, match.size(), RE2::ANCHOR_START, &kept, 1)) return 0;
  return kept.size();
}

// Lower case, without separators; bounded, since only the end of it counts.
std::string plain_key(std::string_view key) {
  std::string plain;
  for (const char byte : key.substr(key.size() - std::min<std::size_t>(key.size(), 64))) {
    if (byte == '_' || byte == '-' || byte == '.' || byte == ' ') continue;
    plain += static_cast<char>(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
  }
  return plain;
}

// The rule for a key, or nullptr when it names no secret. The longest ending decides.
const char* rule_of_key(std::string_view key) {
  const std::string plain = plain_key(key);
  for (const char* harmless : redact_patterns::harmless_keys)
    if (plain.ends_with(harmless)) return nullptr;
  const redact_patterns::Key* best = nullptr;
  for (const auto& candidate : redact_patterns::keys)
    if (plain.ends_with(candidate.ending) &&
        (best == nullptr || std::string_view(candidate.ending).size() > std::string_view(best->ending).size()))
      best = &candidate;
  return best == nullptr ? nullptr : best->rule;
}

bool is_mark(std::string_view value) {
  return value.starts_with("<redacted:") && value.find('>') == value.size() - 1 &&
         value.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", 10) == value.size() - 1;
}

std::size_t skip_space(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(" \t\r\n", at), text.size());
}

// After the string that ends at `end`: where the contents of the next string of the same array begin, or nullopt.
std::optional<std::size_t> next_element(std::string_view text, std::size_t end, std::size_t backslashes) {
  std::size_t at = skip_space(text, end + backslashes + 1);
  if (at >= text.size() || text[at] != ',') return std::nullopt;
  at = skip_space(text, at + 1);
  if (at + backslashes >= text.size() || text[at + backslashes] != '"') return std::nullopt;
  if (backslashes_before(text, at + backslashes, at) != backslashes) return std::nullopt;
  return at + backslashes + 1;
}

// `match` is `"key"` (its quotes escaped n times), a colon, perhaps `[`, and the value's opening quote. Returns where
// to go on.
std::size_t take_values(std::string_view text, Found match, std::vector<SecretSpan>& spans) {
  const std::string_view head = text.substr(match.begin, match.end - match.begin);
  const std::string_view key = head.substr(1, head.find_first_of("\"\\", 1) - 1);
  const char* rule = rule_of_key(key);
  if (rule == nullptr) return match.end;
  const std::size_t backslashes = backslashes_before(text, match.end - 1, match.begin);
  const bool array = head.find('[', key.size()) != std::string_view::npos;
  for (std::size_t begin = match.end;;) {
    const std::size_t end = string_end(text, begin, backslashes);
    if (!is_mark(text.substr(begin, end - begin))) spans.push_back({begin, end, rule});
    if (!array) return end;
    const auto next = next_element(text, end, backslashes);
    if (!next) return end;
    begin = *next;
  }
}

bool base64_digit(char byte) {
  return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '+' ||
         byte == '/' || byte == '=';
}

bool in_key_block(char byte) {
  return base64_digit(byte) || std::string_view(" \t\r\n\\-:,.").find(byte) != std::string_view::npos;
}

// A key block whose lines are interleaved with something else (an array of lines, a diff): the lines alone.
void take_lines(std::string_view text, Found body, std::vector<SecretSpan>& spans) {
  for (std::size_t at = body.begin; at < body.end;) {
    if (text.substr(at).starts_with("<redacted:")) {  // a mark of before
      at = std::min(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_", at + 10), body.end);
      continue;
    }
    if (!base64_digit(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < body.end && base64_digit(text[end])) ++end;
    if (end - at >= 8) spans.push_back({at, end, "private_key"});
    at = end;
  }
}

// Compiled when first needed: most are never, and all together would take most of a start's time.
class LazyPattern {
 public:
  explicit LazyPattern(std::string source) : source_(std::move(source)) {}
  const RE2& get() const {
    std::call_once(once_, [this] { pattern_ = compiled(source_); });
    return *pattern_;
  }

 private:
  std::string source_;
  mutable std::once_flag once_;
  mutable std::unique_ptr<const RE2> pattern_;
};

struct Pattern {
  Pattern(const char* name, std::string source, const char* kept, std::size_t tail, bool text)
      : rule(name), pattern(std::move(source)), keep(kept), keep_tail(tail), text_only(text) {}
  const char* rule;
  LazyPattern pattern;
  LazyPattern keep;  // empty matches nothing
  std::size_t keep_tail;
  bool text_only;
};

}  // namespace

struct Redactor::Rules {
  RE2::Set hints{options(), RE2::UNANCHORED};
  std::deque<Pattern> patterns;  // pattern i has hint i
  int key_hint = 0;
  int private_key_hint = 0;
  int escape_hint = 0;
  LazyPattern key{redact_patterns::key_pattern};
  LazyPattern private_key{redact_patterns::private_key_pattern};

  explicit Rules(const std::vector<std::string>& secrets);
  int add_hint(const std::string& hint);
  std::vector<int> hits(std::string_view text) const;
  // What the given hints promise, into `spans`.
  void search(std::string_view text, const std::vector<int>& hints_hit, std::vector<SecretSpan>& spans) const;
  void search_pattern(std::string_view text, const Pattern& pattern, std::vector<SecretSpan>& spans) const;
  void search_private_keys(std::string_view text, std::vector<SecretSpan>& spans) const;
};

Redactor::Rules::Rules(const std::vector<std::string>& secrets) {
  for (const auto& known : redact_patterns::patterns) {
    add_hint(known.hint);
    patterns.emplace_back(known.rule, known.pattern, known.keep, known.keep_tail, false);
  }
  for (const std::string& secret : secrets) {
    if (!worth_redacting(secret)) continue;
    for (const SecretForm& form : forms_of(secret)) {
      const std::string literal = RE2::QuoteMeta(form.bytes);
      add_hint(literal);
      patterns.emplace_back("env", literal, "", 0, form.text_only);
    }
  }
  key_hint = add_hint(redact_patterns::key_hint);
  private_key_hint = add_hint(redact_patterns::private_key_hint);
  escape_hint = add_hint(redact_patterns::escape_hint);
  CHECK(hints.Compile());
}

int Redactor::Rules::add_hint(const std::string& hint) {
  std::string error;
  const int index = hints.Add(hint, &error);
  CHECK(index >= 0);
  return index;
}

std::vector<int> Redactor::Rules::hits(std::string_view text) const {
  std::vector<int> hit;
  RE2::Set::ErrorInfo failure{};
  if (hints.Match(StringPiece(text.data(), text.size()), &hit, &failure)) return hit;
  if (failure.kind == RE2::Set::kNoError) return {};
  // The automaton outgrew its memory: then every pattern is searched.
  hit.resize(static_cast<std::size_t>(escape_hint) + 1);
  std::iota(hit.begin(), hit.end(), 0);
  return hit;
}

void Redactor::Rules::search_pattern(std::string_view text, const Pattern& pattern,
                                     std::vector<SecretSpan>& spans) const {
  if (pattern.text_only && looks_like_json(text)) return;
  for (std::size_t at = 0;;) {
    const auto match = find(pattern.pattern.get(), text, at);
    if (!match) return;
    const std::string_view matched = text.substr(match->begin, match->end - match->begin);
    const std::size_t keep = kept_at_start(pattern.keep.get(), matched);
    spans.push_back({match->begin + keep, match->end - pattern.keep_tail, pattern.rule});
    at = std::max(match->end, match->begin + 1);
  }
}

void Redactor::Rules::search_private_keys(std::string_view text, std::vector<SecretSpan>& spans) const {
  std::size_t closing = 0;  // the first end line that is not before the present begin line
  for (auto match = find(private_key.get(), text, 0); match; match = find(private_key.get(), text, match->end)) {
    if (closing < match->end) closing = std::min(text.find(redact_patterns::private_key_end, match->end), text.size());
    std::size_t run = match->end;
    while (run < text.size() && run < closing && in_key_block(text[run])) ++run;
    if (closing == text.size() || closing - match->end > private_key_bytes_max || run == closing) {
      std::size_t end = run;
      if (run == closing && closing < text.size()) {
        end = text.find("-----", closing + 9);
        end = end == std::string_view::npos || end - closing > 60 ? closing : end + 5;
      }
      spans.push_back({match->begin, end, "private_key"});
      match->end = end;
    } else {
      take_lines(text, {match->end, closing}, spans);
      match->end = closing;
    }
  }
}

void Redactor::Rules::search(std::string_view text, const std::vector<int>& hints_hit,
                             std::vector<SecretSpan>& spans) const {
  for (const int hint : hints_hit) {
    if (hint == private_key_hint) {
      search_private_keys(text, spans);
    } else if (hint == key_hint) {
      for (auto match = find(key.get(), text, 0); match; match = find(key.get(), text, match->end))
        match->end = take_values(text, *match, spans);
    } else if (hint != escape_hint) {
      search_pattern(text, patterns[static_cast<std::size_t>(hint)], spans);
    }
  }
}

Redactor::Redactor(std::vector<std::string> secrets) : rules_(std::make_unique<const Rules>(secrets)) {}
Redactor::~Redactor() = default;

Redacted Redactor::redact(std::string_view bytes) const {
  const std::vector<int> hit = rules_->hits(bytes);
  if (hit.empty()) return {std::string(bytes), {}};
  std::vector<SecretSpan> spans;
  rules_->search(bytes, hit, spans);
  if (std::find(hit.begin(), hit.end(), rules_->escape_hint) != hit.end()) {
    const PlainView view = without_ascii_escapes(bytes);
    std::vector<SecretSpan> seen;
    rules_->search(view.text, rules_->hits(view.text), seen);
    for (const SecretSpan& span : seen) spans.push_back({view.origin[span.begin], view.origin[span.end], span.rule});
  }
  settle(bytes, spans);
  return take_out(bytes, spans);
}

}  // namespace ledger
