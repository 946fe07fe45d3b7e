// Reading one command line by words. Whatever a shell would do more than split it makes the line opaque.

#include "policy/command.hpp"

#include <algorithm>
#include <array>

namespace policy {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

template <std::size_t N>
bool one_of(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// As the first word these are no programs: the shell reads what follows in its own way.
constexpr std::array<std::string_view, 57> shell_words{
    "!",       "[[",    "case",      "coproc",   "do",      "done",    "elif",    "else",     "esac",
    "fi",      "for",   "foreach",   "function", "if",      "in",      "repeat",  "select",   "then",
    "until",   "while", "{",         "}",        "((",      ".",       "alias",   "autoload", "bind",
    "builtin", "cd",    "command",   "complete", "compgen", "declare", "enable",  "eval",     "exec",
    "export",  "fc",    "hash",      "history",  "let",     "local",   "mapfile", "noglob",   "popd",
    "pushd",   "read",  "readarray", "readonly", "set",     "shopt",   "source",  "trap",     "typeset",
    "unalias", "unset", "zmodload"};
// These read one argument as code when an option asks for it.
constexpr std::array<std::string_view, 5> half_shell_words{"printf", "test", "[", "print", "wait"};

struct PlainReading {
  std::vector<std::string> words;
  std::string trouble;  // why the line is not plain; empty: it is
};

std::string trouble_with(char c) {
  switch (c) {
    case '\0': return "a NUL byte";
    case '\n':
    case '\r':
    case '\v':
    case '\f': return "several lines";
    case '\\': return "a backslash outside single quotes";
    case '$':
    case '`': return "an expansion";
    case ';':
    case '&':
    case '|':
    case '(':
    case ')': return "more than one simple command";
    case '<':
    case '>': return "a redirection";
    case '*':
    case '?':
    case '[':
    case ']':
    case '{':
    case '}':
    case '~': return "a word that the shell expands";
    case '!':
    case '#': return "a character that the shell reads in its own way";
    default: return {};
  }
}

PlainReading read_plain(std::string_view line) {
  PlainReading reading;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == '\'' && c != '\'' && c != '\0') {
      reading.words.back() += c;
    } else if (quote == '"' && c != '"') {
      // `!` is history only in an interactive shell; kept out all the same.
      if (c == '$' || c == '`' || c == '\\' || c == '!' || c == '\0') return {{}, trouble_with(c)};
      reading.words.back() += c;
    } else if (quote != 0 && c == quote) {
      quote = 0;
    } else if (is_blank(c)) {
      inside = false;
    } else {
      if (std::string trouble = trouble_with(c); !trouble.empty()) return {{}, std::move(trouble)};
      if (!inside) reading.words.emplace_back();
      if (!inside && c == '=') return {{}, "a word that the shell expands"};
      inside = true;
      if (c == '\'' || c == '"') {
        quote = c;
      } else {
        reading.words.back() += c;
      }
    }
  }
  if (quote != 0) return {{}, "a quote that is not closed"};
  return reading;
}

std::string trouble_with_words(const std::vector<std::string>& words) {
  if (words.empty()) return "no command";
  const std::string& first = words.front();
  if (first.empty()) return "an empty program name";
  if (first.find('=') != std::string::npos) return "an assignment before the command";
  if (one_of(first, shell_words)) return "a command of the shell itself";
  if (one_of(first, half_shell_words))
    for (const std::string& word : words)
      if (word.starts_with("-v") || word.starts_with("-p") || word.starts_with("-C"))
        return "a command of the shell itself";
  return {};
}

bool splits_generously(char c) {
  return is_blank(c) || trouble_with(c).size() > 0 || c == '\'' || c == '"' || c == '=' || c == ',';
}

// What a shell does to one word, as far as text alone tells: quotes and backslashes go, `$IFS` splits.
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

LineReading opaque_line(std::string_view line, const std::string& directory, std::string note) {
  LineReading reading;
  reading.opaque = true;
  reading.note = std::move(note);
  Command command;
  command.directory = directory;
  command.line = line;
  add_fine_tokens(command.words, line);
  add_unquoted_tokens(command.words, line);
  reading.commands.push_back(std::move(command));
  return reading;
}

}  // namespace

const char* name(Shell shell) {
  switch (shell) {
    case Shell::sh: return "sh";
    case Shell::bash: return "bash";
    case Shell::zsh: return "zsh";
    case Shell::none: return "none";
  }
  return "none";
}

LineReading split_command_line(std::string_view line, const std::string& directory) {
  PlainReading plain = read_plain(line);
  if (plain.trouble.empty()) plain.trouble = trouble_with_words(plain.words);
  if (!plain.trouble.empty()) return opaque_line(line, directory, std::move(plain.trouble));
  LineReading reading;
  reading.commands.push_back({std::move(plain.words), directory, false});
  return reading;
}

LineReading read_command_line(std::string_view line, Shell shell, const std::string& directory) {
  if (shell == Shell::none) return read_argv({std::string(line)}, directory);
  LineReading reading = split_command_line(line, directory);
  for (Command& command : reading.commands)
    command.elevated = runs_elevated(CommandForms::generous(command, reading.opaque));
  return reading;
}

LineReading read_argv(std::vector<std::string> words, const std::string& directory) {
  LineReading reading;
  reading.opaque = words.empty() || words.front().empty();
  if (reading.opaque) reading.note = "no command";
  reading.commands.push_back({std::move(words), directory, false});
  reading.commands.back().elevated =
      runs_elevated(CommandForms::generous(reading.commands.back(), reading.opaque));
  return reading;
}

}  // namespace policy
