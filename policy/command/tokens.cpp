#include "policy/command/tokens.hpp"

#include <algorithm>

namespace policy::command {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

bool splits_generously(char c) {
  static constexpr char listed[] = "\0\n\r\v\f\\$`;&|()<>*?[]{}~!#'\"=,";
  constexpr std::string_view others(listed, sizeof(listed) - 1);
  return is_blank(c) || others.find(c) != std::string_view::npos;
}

void add_token(std::vector<std::string>& tokens, std::string& token) {
  if (!token.empty()) tokens.push_back(std::move(token));
  token.clear();
}

// Every word that may be meant: split at all that may split.
void add_fine_tokens(std::vector<std::string>& tokens, std::string_view line) {
  std::string token;
  for (const char c : line) {
    if (splits_generously(c)) {
      add_token(tokens, token);
    } else {
      token += c;
    }
  }
  add_token(tokens, token);
}

int digit_value(char c, int base) {
  int value = 99;
  if (c >= '0' && c <= '9') value = c - '0';
  if (c >= 'a' && c <= 'f') value = c - 'a' + 10;
  if (c >= 'A' && c <= 'F') value = c - 'A' + 10;
  return value < base ? value : -1;
}

// A backslash and what follows it: `\n`-like escapes of `$'…'` as bytes, else the character itself.
void add_escape(std::string& token, std::string_view line, std::size_t& i) {
  if (++i >= line.size() || line[i] == '\n') return;
  const bool hexadecimal = line[i] == 'x';
  const int base = hexadecimal ? 16 : 8;
  std::size_t at = hexadecimal ? i + 1 : i;
  const std::size_t end = std::min(line.size(), at + (hexadecimal ? 2u : 3u));
  int value = -1;
  for (; at < end && digit_value(line[at], base) >= 0; ++at)
    value = std::max(value, 0) * base + digit_value(line[at], base);
  if (value <= 0) {
    token += line[i];
  } else {
    token += static_cast<char>(value);
    i = at - 1;
  }
}

// Of `${NAME}` at the start of the text, the size of NAME; 0: something else stands there.
std::size_t braced_name_size(std::string_view text) {
  if (!text.starts_with("${")) return 0;
  const std::size_t end =
      text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_", 2);
  return end != std::string_view::npos && text[end] == '}' ? end - 2 : 0;
}

// The same line with quotes taken off, so that `r\m`, `r"m"` and `$'\x72m'` are words too.
void add_unquoted_tokens(std::vector<std::string>& tokens, std::string_view line) {
  constexpr std::string_view separators = "\n\r;&|<>()`{},";
  std::string token;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '\\') {
      add_escape(token, line, i);
    } else if (line.substr(i).starts_with("$IFS") || line.substr(i).starts_with("${IFS")) {
      add_token(tokens, token);
      i += 3;
      if (line[i - 2] == '{') i = std::min(line.find('}', i), line.size() - 1);
    } else if (const std::size_t name_size = braced_name_size(line.substr(i)); name_size > 0) {
      token.append("$").append(line.substr(i + 2, name_size));
      i += name_size + 2;
    } else if (c == '\'' || c == '"' || c == '\0' ||
               (c == '$' && i + 1 < line.size() && (line[i + 1] == '\'' || line[i + 1] == '"'))) {
      continue;
    } else if (is_blank(c) || separators.find(c) != std::string_view::npos) {
      add_token(tokens, token);
    } else {
      token += c;
    }
  }
  add_token(tokens, token);
}

}  // namespace

std::vector<std::string> tokens_of(std::string_view line) {
  std::vector<std::string> tokens;
  add_fine_tokens(tokens, line);
  add_unquoted_tokens(tokens, line);
  return tokens;
}

}  // namespace policy::command
