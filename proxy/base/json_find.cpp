#include "proxy/base/json_find.hpp"

#include <charconv>

#include "proxy/base/json.hpp"
#include "proxy/base/json_string.hpp"

namespace base::json {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::size_t past_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && blank(text[at])) ++at;
  return at;
}

// From its opening quote to past its closing one.
std::size_t past_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return at + 1;
}

std::size_t past_value(std::string_view text, std::size_t at) {
  if (text[at] == '"') return past_string(text, at);
  if (text[at] != '{' && text[at] != '[') {
    while (at < text.size() && !blank(text[at]) && text[at] != ',' && text[at] != '}' && text[at] != ']')
      ++at;
    return at;
  }
  std::size_t depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = past_string(text, at);
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    ++at;
    if ((c == '}' || c == ']') && --depth == 0) break;
  }
  return at;
}

std::string unescaped_token(std::string_view token) {
  std::string text;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool escape = token[i] == '~' && i + 1 < token.size();
    text += escape ? (token[i + 1] == '1' ? '/' : '~') : token[i];
    i += escape ? 1 : 0;
  }
  return text;
}

// The value of that member, or of that place in a list.
std::optional<Piece> child(std::string_view text, Piece parent, std::string_view token) {
  const bool object = text[parent.offset] == '{';
  if (!object && text[parent.offset] != '[') return std::nullopt;
  std::size_t wanted = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), wanted);
  const bool number = error == std::errc() && end == token.data() + token.size();
  if (!object && (!number || (token.size() > 1 && token[0] == '0'))) return std::nullopt;
  const std::string key = unescaped_token(token);
  const char close = object ? '}' : ']';
  std::size_t at = past_blanks(text, parent.offset + 1);
  for (std::size_t index = 0; at < text.size() && text[at] != close; ++index) {
    bool found = index == wanted;
    if (object) {
      const std::size_t key_end = past_string(text, at);
      found = unescaped(text.substr(at, key_end - at)) == key;
      at = past_blanks(text, past_blanks(text, key_end) + 1);
    }
    const std::size_t value_end = past_value(text, at);
    if (found) return Piece{at, value_end - at};
    at = past_blanks(text, value_end);
    if (at < text.size() && text[at] == ',') at = past_blanks(text, at + 1);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Piece> find(std::string_view text, std::string_view pointer) {
  const std::size_t start = past_blanks(text, 0);
  if (start == text.size()) return std::nullopt;
  std::optional<Piece> piece = Piece{start, past_value(text, start) - start};
  while (piece && !pointer.empty()) {
    pointer.remove_prefix(1);
    const std::string_view token = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(token.size());
    piece = child(text, *piece, token);
  }
  return piece;
}

std::optional<std::string> replaced(std::string_view text, std::string_view pointer, std::string_view value) {
  std::string changed(text);
  if (const auto piece = find(text, pointer)) return changed.replace(piece->offset, piece->size, value);
  const std::size_t slash = pointer.rfind('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto parent = find(text, pointer.substr(0, slash));
  if (!parent || text[parent->offset] != '{') return std::nullopt;
  const bool empty = text[past_blanks(text, parent->offset + 1)] == '}';
  std::string member = empty ? "" : ",";
  append_string(member, unescaped_token(pointer.substr(slash + 1)));
  member.append(":").append(value);
  return changed.insert(parent->offset + parent->size - 1, member);
}

void each_string(std::string_view text, const std::function<void(Piece piece, bool key)>& take) {
  for (std::size_t at = text.find('"'); at != std::string_view::npos; at = text.find('"', at)) {
    const std::size_t end = past_string(text, at);
    const std::size_t next = past_blanks(text, end);
    take({at, end - at}, next < text.size() && text[next] == ':');
    at = end;
  }
}

}  // namespace base::json
