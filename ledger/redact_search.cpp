#include "ledger/redact_search.hpp"

#include <algorithm>
#include <array>

#include "ledger/redact_members.hpp"
#include "ledger/redact_values.hpp"

namespace ledger {
namespace {

using redact_patterns::Within;

constexpr std::size_t word_bytes_max = 128;

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

bool letter_or_digit(char byte) {
  return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
}

bool bounds(Within within, char byte) {
  switch (within) {
    case Within::token: return !letter_or_digit(byte) && byte != '_' && byte != '.' && byte != '-';
    case Within::word: return std::string_view(" \t\n\f\r\"").find(byte) != std::string_view::npos;
    case Within::line: return !inert(byte) && byte != ' ' && byte != '\t' && byte != ';';
  }
  return false;
}

using Bytes = std::array<bool, 256>;

Bytes bounds_of(Within within) {
  Bytes bytes{};
  for (std::size_t value = 0; value < bytes.size(); ++value)
    bytes[value] = bounds(within, static_cast<char>(value));
  return bytes;
}

// What lies around `at` between two bytes of that kind, with the first of them; not before `floor`.
Found around(std::string_view text, std::size_t at, std::size_t floor, Within within) {
  static const std::array all{bounds_of(Within::token), bounds_of(Within::word), bounds_of(Within::line)};
  const Bytes& here = all[static_cast<std::size_t>(within)];
  const auto stops = [&](std::size_t place) { return here[static_cast<unsigned char>(text[place])]; };
  Found piece{at, at};
  while (piece.begin > floor && !stops(piece.begin - 1)) --piece.begin;
  if (piece.begin > floor) --piece.begin;
  while (piece.end < text.size() && !stops(piece.end)) ++piece.end;
  return piece;
}

bool in_key(char byte) {
  return letter_or_digit(byte) || byte == '_' || byte == '.' || byte == ' ' || byte == '-';
}

bool escapes_ascii(std::string_view text, std::size_t at) {
  if (text.size() - at < 6) return false;
  const char high = text[at + 4];
  const char low = text[at + 5];
  return high >= '2' && high <= '7' &&
         ((low >= '0' && low <= '9') || (low >= 'a' && low <= 'f') || (low >= 'A' && low <= 'F'));
}

}  // namespace

// How far each search has come.
struct SecretSearch::Progress {
  std::vector<std::size_t> shapes, values;
  std::size_t key = 0;
  bool private_keys = false;
};

SecretSearch::SecretSearch(const std::vector<std::string>& secrets)
    : literals_([&] {
        std::vector<Literal> literals;
        for (const auto& known : redact_patterns::patterns) {
          shapes_.emplace_back(known);
          add_literals(known.literals, known.any_case, {Sign::Of::shape, shapes_.size() - 1}, literals);
        }
        for (const std::string& secret : secrets) {
          if (!worth_redacting(secret)) continue;
          for (SecretForm& form : forms_of(secret)) {
            signs_.push_back({Sign::Of::value, values_.size()});
            literals.push_back({form.bytes, false});
            values_.push_back({std::move(form.bytes), form.text_only});
          }
        }
        add_literals(redact_patterns::key_literals, true, {Sign::Of::key, 0}, literals);
        add_literals(redact_patterns::private_key_literal, false, {Sign::Of::private_key, 0}, literals);
        add_literals(redact_patterns::escape_literal, false, {Sign::Of::escape, 0}, literals);
        return literals;
      }()) {}

void SecretSearch::add_literals(std::string_view literals, bool any_case, Sign sign,
                                std::vector<Literal>& into) {
  while (!literals.empty()) {
    const std::size_t end = std::min(literals.find('|'), literals.size());
    into.push_back({std::string(literals.substr(0, end)), any_case});
    signs_.push_back(sign);
    literals.remove_prefix(std::min(end + 1, literals.size()));
  }
}

void SecretSearch::search_shape(std::string_view text, Found where, const Shape& shape,
                                std::vector<SecretSpan>& spans) const {
  const char* rule = shape.known.rule;
  for (std::size_t at = where.begin; at <= where.end;) {
    const auto match = shape.regex.find(text, {at, where.end});
    if (!match) return;
    const std::size_t keep = shape.keep.length_at(text.substr(match->begin, match->end - match->begin), 0);
    const Found secret{match->begin + keep, match->end - shape.known.keep_tail};
    if (shape.known.pairs)
      take_pairs(text, secret, rule, spans);
    else if (!may_be_run(text, *match, keep))
      spans.push_back({secret.begin, secret.end, rule});
    at = std::max(match->end, match->begin + 1);
  }
}

// The pattern of a key begins before the literal, at the quote that begins the key.
void SecretSearch::search_key(std::string_view text, std::size_t literal, std::size_t& done,
                              std::vector<SecretSpan>& spans) const {
  if (literal <= done) return;
  const std::size_t length = key_tail_.length_at(text, literal);
  if (length == 0) return;
  std::size_t begin = literal;
  while (begin > done && in_key(text[begin - 1])) --begin;
  if (begin == done || text[begin - 1] != '"') return;
  done = take_values(text, {begin - 1, literal + length}, spans);
}

bool SecretSearch::search(std::string_view text, std::vector<SecretSpan>& spans) const {
  bool escapes = false;
  Progress progress;
  literals_.scan(text, [&](std::size_t at, std::size_t literal) {
    const Sign sign = signs_[literal];
    switch (sign.of) {
      case Sign::Of::shape: {
        const Shape& shape = shapes_[sign.index];
        progress.shapes.resize(shapes_.size());
        std::size_t& done = progress.shapes[sign.index];
        if (at < done) return;
        const Found piece = around(text, at, done, shape.known.within);
        search_shape(text, piece, shape, spans);
        done = piece.end;
        return;
      }
      case Sign::Of::value: {
        const Value& value = values_[sign.index];
        progress.values.resize(values_.size());
        std::size_t& done = progress.values[sign.index];
        if (at < done || (value.text_only && looks_like_json(text))) return;
        done = at + value.bytes.size();
        spans.push_back({at, done, "env"});
        return;
      }
      case Sign::Of::key: return search_key(text, at, progress.key, spans);
      case Sign::Of::private_key:
        if (!progress.private_keys) key_blocks_.search(text, spans);
        progress.private_keys = true;
        return;
      case Sign::Of::escape: escapes = escapes || escapes_ascii(text, at); return;
    }
  });
  return escapes;
}

void SecretSearch::search_everywhere(std::string_view text, std::vector<SecretSpan>& spans) const {
  const Found whole{0, text.size()};
  for (const Shape& shape : shapes_) search_shape(text, whole, shape, spans);
  for (const Value& value : values_) {
    if (value.text_only && looks_like_json(text)) continue;
    for (std::size_t at = 0; (at = text.find(value.bytes, at)) != std::string_view::npos;
         at += value.bytes.size())
      spans.push_back({at, at + value.bytes.size(), "env"});
  }
  for (auto match = key_.find(text, whole); match; match = key_.find(text, {match->end, text.size()}))
    match->end = take_values(text, *match, spans);
  key_blocks_.search(text, spans);
}

}  // namespace ledger
