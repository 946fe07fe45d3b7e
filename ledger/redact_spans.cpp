#include "ledger/redact_spans.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "ledger/redact.hpp"
#include "ledger/redact_patterns.hpp"

namespace ledger {
namespace {

int hex_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

// The printable ASCII character of `u00XX` at `at`, or 0.
char escaped_ascii(std::string_view text, std::size_t at) {
  if (at + 5 > text.size() || text[at] != 'u' || text[at + 1] != '0' || text[at + 2] != '0') return 0;
  const int high = hex_value(text[at + 3]);
  const int low = hex_value(text[at + 4]);
  if (high < 2 || high > 7 || low < 0 || (high == 7 && low == 15)) return 0;
  return static_cast<char>(high * 16 + low);
}

bool in_number(char byte) {
  return (byte >= '0' && byte <= '9') || byte == '-' || byte == '+' || byte == '.' || byte == 'e' ||
         byte == 'E';
}

// Where the escape begins that `at` lies within, or `at`.
std::size_t escape_begin(std::string_view text, std::size_t at, std::size_t floor) {
  if (backslashes_before(text, at, floor) % 2 == 1) return at - 1;
  for (std::size_t back = 2; back <= 5 && at >= floor + back; ++back) {
    if (text[at - back] != '\\') continue;
    const bool unicode = text[at - back + 1] == 'u' && backslashes_before(text, at - back, floor) % 2 == 0;
    return unicode ? at - back : at;
  }
  return at;
}

// Moves the edges of a span that lie within an escape inwards: a line end or a quote beside a secret is no
// part of it.
void off_escapes(std::string_view text, SecretSpan& span, std::size_t floor) {
  const std::size_t before = escape_begin(text, span.begin, floor);
  if (before < span.begin) span.begin = before + (text[before + 1] == 'u' ? 6 : 2);
  span.begin = std::min(span.begin, span.end);
  if (span.end < text.size()) span.end = std::max(escape_begin(text, span.end, span.begin), span.begin);
}

// Of two rules for the same bytes, that of a known shape says more than that of a given value or of a key.
std::size_t rank_of(std::string_view rule) {
  const auto& known = redact_patterns::patterns;
  const auto shape =
      std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.rule == rule; });
  return static_cast<std::size_t>(shape - known.begin()) + (shape == known.end() && rule != "env" ? 1 : 0);
}

void join(std::vector<SecretSpan>& spans) {
  std::sort(spans.begin(), spans.end(), [](const SecretSpan& a, const SecretSpan& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    if (a.end != b.end) return a.end > b.end;
    return std::pair(rank_of(a.rule), std::string_view(a.rule)) <
           std::pair(rank_of(b.rule), std::string_view(b.rule));
  });
  std::size_t kept = 0;
  for (const SecretSpan& span : spans) {
    if (span.begin >= span.end) continue;
    if (kept > 0) {
      SecretSpan& last = spans[kept - 1];
      const bool touches = span.begin == last.end && std::strcmp(span.rule, last.rule) == 0;
      if (span.begin < last.end || touches) {
        last.end = std::max(last.end, span.end);
        continue;
      }
    }
    spans[kept++] = span;
  }
  spans.resize(kept);
}

// A span ends where the string does that holds it; one in a number takes the whole number.
void keep_json(std::string_view text, std::vector<SecretSpan>& spans) {
  std::size_t next = 0;
  std::size_t at = 0;
  while (next < spans.size()) {
    const std::size_t open = std::min(text.find('"', at), text.size());
    for (; next < spans.size() && spans[next].begin < open; ++next) {
      SecretSpan& span = spans[next];
      if (!std::all_of(text.begin() + static_cast<std::ptrdiff_t>(span.begin),
                       text.begin() + static_cast<std::ptrdiff_t>(span.end), in_number))
        continue;
      while (span.begin > at && in_number(text[span.begin - 1])) --span.begin;
      while (span.end < open && in_number(text[span.end])) ++span.end;
      span.quoted = true;
    }
    if (open == text.size()) return;
    const std::size_t close = string_end(text, open + 1, 0);
    for (; next < spans.size() && spans[next].begin < close; ++next)
      spans[next].end = std::min(spans[next].end, close);
    at = close + (close < text.size() ? 1 : 0);
    if (at >= text.size()) return;
  }
}

}  // namespace

bool inert(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return value > 0x20 && value != 0x7F &&
         std::string_view("\"'`\\,;|&<>(){}$").find(byte) == std::string_view::npos;
}

bool looks_like_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && (text[first] == '{' || text[first] == '[' || text[first] == '"');
}

std::size_t backslashes_before(std::string_view text, std::size_t at, std::size_t from) {
  std::size_t count = 0;
  while (at - count > from && text[at - count - 1] == '\\') ++count;
  return count;
}

std::size_t string_end(std::string_view text, std::size_t begin, std::size_t backslashes) {
  for (std::size_t from = begin;;) {
    const std::size_t at = std::min(text.find('"', from), text.size());
    // Only what lies before the quote: looking for the line's end first would make many short strings
    // quadratic.
    const std::size_t line = text.substr(from, at - from).find('\n');
    if (line != std::string_view::npos) return from + line;
    if (at == text.size()) return at;
    const std::size_t before = backslashes_before(text, at, begin);
    // A quote at nesting level k has 2^k - 1 backslashes, and 2^(k+1) more for each backslash that the string
    // ends with.
    for (std::size_t quote = 0; quote <= backslashes; quote = 2 * quote + 1)
      if (before >= quote && (before - quote) % (2 * (quote + 1)) == 0) return at - quote;
    from = at + 1;
  }
}

PlainView without_ascii_escapes(std::string_view text) {
  PlainView view;
  view.text.reserve(text.size());
  view.parts.push_back({0, 0, false});
  for (std::size_t at = 0, plain = 0;;) {
    at = std::min(text.find('\\', at), text.size());
    const std::size_t escape = std::min(text.find_first_not_of('\\', at), text.size());
    const char character = at < text.size() ? escaped_ascii(text, escape) : '\0';
    if (character == 0 && at < text.size()) {
      at = escape;
      continue;
    }
    view.text += text.substr(plain, at - plain);
    if (at == text.size()) return view;
    view.parts.push_back({view.text.size(), at, true});
    // Escaped as deep as the escape was: 2^k backslashes before `u` are level k.
    if (character == '"' || character == '\\') view.text.append(2 * (escape - at) - 1, '\\');
    view.text += character;
    at = plain = escape + 5;
    view.parts.push_back({view.text.size(), at, false});
  }
}

std::size_t PlainView::origin(std::size_t position) const {
  const auto after = std::upper_bound(parts.begin(), parts.end(), position,
                                      [](std::size_t at, const Part& part) { return at < part.begin; });
  const Part& part = *std::prev(after);
  return part.all_from_there ? part.from : part.from + position - part.begin;
}

void settle(std::string_view text, std::vector<SecretSpan>& spans) {
  join(spans);
  std::size_t floor = 0;
  for (SecretSpan& span : spans) {
    const std::size_t end = span.end;
    off_escapes(text, span, floor);
    floor = end;
  }
  if (looks_like_json(text)) keep_json(text, spans);
  join(spans);
}

Redacted take_out(std::string_view text, const std::vector<SecretSpan>& spans) {
  Redacted redacted;
  redacted.bytes.reserve(text.size());
  std::size_t at = 0;
  for (const SecretSpan& span : spans) {
    redacted.bytes += text.substr(at, span.begin - at);
    redacted.bytes += span.quoted ? "\"<redacted:" : "<redacted:";
    redacted.bytes += span.rule;
    redacted.bytes += span.quoted ? ">\"" : ">";
    ++redacted.counts[span.rule];
    at = span.end;
  }
  redacted.bytes += text.substr(at);
  return redacted;
}

}  // namespace ledger
