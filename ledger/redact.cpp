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
constexpr std::size_t private_key_line_min = 16;
constexpr std::size_t private_key_line_max = 76;
constexpr std::size_t private_key_run_min = 32;
constexpr std::size_t word_bytes_max = 128;

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
  if (!keep.Match(StringPiece(match.data(), match.size()), 0, match.size(), RE2::ANCHOR_START, &kept, 1))
    return 0;
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
    if (plain.ends_with(candidate.ending) && (best == nullptr || std::string_view(candidate.ending).size() >
                                                                     std::string_view(best->ending).size()))
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

// After the string that ends at `end`: where the contents of the next string of the same array begin, or
// nullopt.
std::optional<std::size_t> next_element(std::string_view text, std::size_t end, std::size_t backslashes) {
  std::size_t at = skip_space(text, end + backslashes + 1);
  if (at >= text.size() || text[at] != ',') return std::nullopt;
  at = skip_space(text, at + 1);
  if (at + backslashes >= text.size() || text[at + backslashes] != '"') return std::nullopt;
  if (backslashes_before(text, at + backslashes, at) != backslashes) return std::nullopt;
  return at + backslashes + 1;
}

// `match` is `"key"` (its quotes escaped n times), a colon, perhaps `[`, and the value's opening quote.
// Returns where to go on. Only a member of the document itself is taken out whatever it holds: inside a
// string the same bytes may be part of a command, and then no more than their inert beginning is.
std::size_t take_values(std::string_view text, Found match, std::vector<SecretSpan>& spans) {
  const std::string_view head = text.substr(match.begin, match.end - match.begin);
  const std::string_view key = head.substr(1, head.find_first_of("\"\\", 1) - 1);
  const char* rule = rule_of_key(key);
  if (rule == nullptr) return match.end;
  const std::size_t backslashes = backslashes_before(text, match.end - 1, match.begin);
  const std::size_t key_end = head.find('"', 1);
  const bool member = backslashes == 0 && head[key_end - 1] != '\\' && looks_like_json(text);
  const bool array = head.find('[', key.size()) != std::string_view::npos;
  for (std::size_t begin = match.end;;) {
    const std::size_t end = string_end(text, begin, backslashes);
    std::size_t secret_end = begin;
    if (member)
      secret_end = is_mark(text.substr(begin, end - begin)) ? begin : end;
    else
      while (secret_end < end && inert(text[secret_end])) ++secret_end;
    if (secret_end > begin) spans.push_back({begin, secret_end, rule});
    if (!array) return end;
    const auto next = next_element(text, end, backslashes);
    if (!next) return end;
    begin = *next;
  }
}

bool base64_digit(char byte) {
  return (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') ||
         byte == '+' || byte == '/';
}

struct Base64Run {
  std::size_t end = 0;
  std::size_t digits = 0;
  bool like_key = false;  // upper and lower case: no word, no usual path
};

// Digits from `at` on, `/` perhaps as `\/`, and padding.
Base64Run base64_run(std::string_view text, std::size_t at, std::size_t limit) {
  Base64Run run{at};
  bool upper = false;
  bool lower = false;
  while (run.end < limit) {
    if (text[run.end] == '\\' && run.end + 1 < limit && text[run.end + 1] == '/') ++run.end;
    const char byte = text[run.end];
    if (!base64_digit(byte)) break;
    upper = upper || (byte >= 'A' && byte <= 'Z');
    lower = lower || (byte >= 'a' && byte <= 'z');
    ++run.end;
    ++run.digits;
  }
  for (int padding = 0; padding < 2 && run.end < limit && text[run.end] == '='; ++padding) ++run.end;
  run.like_key = upper && lower;
  return run;
}

// After a line end, however often escaped, with the blanks and empty lines around it; `at` when there is
// none.
std::size_t after_line_end(std::string_view text, std::size_t at, std::size_t limit) {
  bool found = false;
  std::size_t next = at;
  while (next < limit) {
    std::size_t after = std::min(text.find_first_not_of('\\', next), limit);
    if (after == next) {
      const char byte = text[next];
      if (byte != ' ' && byte != '\t' && byte != '\r' && byte != '\n') break;
      found = found || byte == '\n';
    } else {
      if (after == limit || (text[after] != 'n' && text[after] != 'r')) break;
      found = found || text[after] == 'n';
    }
    next = after + 1;
  }
  return found ? next : at;
}

// A key whose lines are interleaved with something else (an array of lines, a diff), or are one: the long
// runs alone.
void take_runs(std::string_view text, Found body, std::vector<SecretSpan>& spans) {
  for (std::size_t at = body.begin; at < body.end;) {
    if (const std::size_t next = after_line_end(text, at, body.end); next > at) {
      at = next;
      continue;
    }
    const Base64Run run = base64_run(text, at, body.end);
    if (run.digits >= private_key_run_min && run.like_key) spans.push_back({at, run.end, "private_key"});
    at = std::max(run.end, at + 1);
  }
}

// Where the word begins that holds `at`: after a blank, a control character or an escaped one.
std::size_t word_begin(std::string_view text, std::size_t at) {
  std::size_t word = at;
  while (word > 0 && at - word<word_bytes_max&& static_cast<unsigned char>(text[word - 1])> ' ') {
    const bool letter = text[word - 1] == 'n' || text[word - 1] == 'r' || text[word - 1] == 't';
    if (letter && backslashes_before(text, word - 1, word - std::min(word, word_bytes_max)) % 2 == 1) break;
    --word;
  }
  return word;
}

// A value after a blank is a word of its own, and when `name=` stands before the blank a shell runs that
// word: `secret= ./x`, `a=bearer ./x`. One quote between the two holds them together:
// `--header='Authorization: …`.
bool may_be_run(std::string_view text, Found match, std::size_t kept) {
  const std::string_view head = text.substr(match.begin, kept);
  const std::size_t blank = head.find_first_of(" \t", 1);
  if (blank == std::string_view::npos || (head.back() != ' ' && head.back() != '\t')) return false;
  const std::size_t word = word_begin(text, match.begin);
  const std::size_t equals = text.substr(word, match.begin + blank - word).rfind('=');
  if (equals == std::string_view::npos) return false;
  std::size_t quotes = 0;
  for (std::size_t at = word + equals + 1; at < match.begin; ++at) {
    if (text[at] == '"' || text[at] == '\'')
      ++quotes;
    else if (text[at] != '\\')
      return true;
  }
  return quotes != 1;
}

// The values of `name=value; name=value`; short ones are no secrets.
void take_pairs(std::string_view text, Found pairs, const char* rule, std::vector<SecretSpan>& spans) {
  for (std::size_t at = pairs.begin; at < pairs.end;) {
    const std::size_t end = std::min(text.find(';', at), pairs.end);
    const std::size_t value = std::min(text.find('=', at) + 1, end);
    if (end - value >= 4) spans.push_back({value, end, rule});
    at = end + 1;
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
  Pattern(const char* name, std::string source, const char* kept, std::size_t tail, bool text,
          bool name_values)
      : rule(name),
        pattern(std::move(source)),
        keep(kept),
        keep_tail(tail),
        text_only(text),
        pairs(name_values) {}
  const char* rule;
  LazyPattern pattern;
  LazyPattern keep;  // empty matches nothing
  std::size_t keep_tail;
  bool text_only;
  bool pairs;
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
  LazyPattern private_key_end{redact_patterns::private_key_end};
  LazyPattern private_key_bound{redact_patterns::private_key_bound};
  LazyPattern private_key_header{redact_patterns::private_key_header};

  explicit Rules(const std::vector<std::string>& secrets);
  int add_hint(const std::string& hint);
  std::vector<int> hits(std::string_view text) const;
  // What the given hints promise, into `spans`.
  void search(std::string_view text, const std::vector<int>& hints_hit, std::vector<SecretSpan>& spans) const;
  void search_pattern(std::string_view text, const Pattern& pattern, std::vector<SecretSpan>& spans) const;
  std::size_t key_block_end(std::string_view text, Found body) const;
  void search_private_keys(std::string_view text, std::vector<SecretSpan>& spans) const;
};

Redactor::Rules::Rules(const std::vector<std::string>& secrets) {
  for (const auto& known : redact_patterns::patterns) {
    add_hint(known.hint);
    patterns.emplace_back(known.rule, known.pattern, known.keep, known.keep_tail, false, known.pairs);
  }
  for (const std::string& secret : secrets) {
    if (!worth_redacting(secret)) continue;
    for (const SecretForm& form : forms_of(secret)) {
      const std::string literal = RE2::QuoteMeta(form.bytes);
      add_hint(literal);
      patterns.emplace_back("env", literal, "", 0, form.text_only, false);
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
    const Found secret{match->begin + keep, match->end - pattern.keep_tail};
    if (pattern.pairs)
      take_pairs(text, secret, pattern.rule, spans);
    else if (!may_be_run(text, *match, keep))
      spans.push_back({secret.begin, secret.end, pattern.rule});
    at = std::max(match->end, match->begin + 1);
  }
}

// `body` is between a begin line and the next begin or end line. The end of the key's lines that follow
// directly, with an end line when they reach it; `body.begin` when there are none. Any other line would be
// hidden in the block.
std::size_t Redactor::Rules::key_block_end(std::string_view text, Found body) const {
  std::size_t end = body.begin;
  for (std::size_t at = body.begin;;) {
    const std::size_t line = after_line_end(text, at, body.end);
    if (line == at) return end;
    if (line == body.end && end > body.begin) {
      const std::size_t tail = kept_at_start(private_key_end.get(), text.substr(line, 80));
      return tail > 0 ? line + tail : end;
    }
    const std::string_view rest = text.substr(line, std::min<std::size_t>(body.end - line, 80));
    std::size_t next = line + (end == body.begin ? kept_at_start(private_key_header.get(), rest) : 0);
    if (next == line) {
      const Base64Run run = base64_run(text, line, body.end);
      if (run.digits < private_key_line_min || run.digits > private_key_line_max || !run.like_key) return end;
      next = run.end;
      const bool alone = next == body.end || after_line_end(text, next, body.end) > next ||
                         text[next] == '"' || text[next] == '\'' || text[next] == '\\';
      if (!alone) return end;
      end = next;
    }
    at = next;
  }
}

void Redactor::Rules::search_private_keys(std::string_view text, std::vector<SecretSpan>& spans) const {
  for (auto match = find(private_key.get(), text, 0); match;
       match = find(private_key.get(), text, match->end)) {
    const std::size_t limit = std::min(text.size(), match->end + private_key_bytes_max);
    const auto bound = find(private_key_bound.get(), text.substr(0, limit), match->end);
    const Found body{match->end, bound ? bound->begin : limit};
    const std::size_t end = key_block_end(text, body);
    if (end > body.begin) spans.push_back({match->begin, end, "private_key"});
    if (end < body.end) take_runs(text, {end, body.end}, spans);
    match->end = std::max(end, body.end);
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
    for (const SecretSpan& span : seen)
      spans.push_back({view.origin[span.begin], view.origin[span.end], span.rule});
  }
  settle(bytes, spans);
  return take_out(bytes, spans);
}

}  // namespace ledger
