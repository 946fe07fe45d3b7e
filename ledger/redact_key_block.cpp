#include "ledger/redact_key_block.hpp"

#include <algorithm>

#include "ledger/redact_patterns.hpp"

namespace ledger {
namespace {

constexpr std::size_t private_key_bytes_max = 16 * 1024;
constexpr std::size_t private_key_line_min = 16;
constexpr std::size_t private_key_line_max = 76;
constexpr std::size_t private_key_run_min = 32;

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

}  // namespace

KeyBlocks::KeyBlocks()
    : begin_(redact_patterns::private_key_pattern),
      end_(redact_patterns::private_key_end),
      bound_(redact_patterns::private_key_bound),
      header_(redact_patterns::private_key_header) {}

// `body` is between a begin line and the next begin or end line. The end of the key's lines that follow
// directly, with an end line when they reach it; `body.begin` when there are none. Any other line would be
// hidden in the block.
std::size_t KeyBlocks::block_end(std::string_view text, Found body) const {
  std::size_t end = body.begin;
  for (std::size_t at = body.begin;;) {
    const std::size_t line = after_line_end(text, at, body.end);
    if (line == at) return end;
    if (line == body.end && end > body.begin) {
      const std::size_t tail = end_.length_at(text.substr(line, 80), 0);
      return tail > 0 ? line + tail : end;
    }
    const std::string_view rest = text.substr(line, std::min<std::size_t>(body.end - line, 80));
    std::size_t next = line + (end == body.begin ? header_.length_at(rest, 0) : 0);
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

void KeyBlocks::search(std::string_view text, std::vector<SecretSpan>& spans) const {
  for (auto match = begin_.find(text, {0, text.size()}); match;
       match = begin_.find(text, {match->end, text.size()})) {
    const std::size_t limit = std::min(text.size(), match->end + private_key_bytes_max);
    const auto bound = bound_.find(text.substr(0, limit), {match->end, limit});
    const Found body{match->end, bound ? bound->begin : limit};
    const std::size_t end = block_end(text, body);
    if (end > body.begin) spans.push_back({match->begin, end, "private_key"});
    if (end < body.end) take_runs(text, {end, body.end}, spans);
    match->end = std::max(end, body.end);
  }
}

}  // namespace ledger
