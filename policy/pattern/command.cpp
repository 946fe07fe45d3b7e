// CommandPattern: `git status`, `npm run *`, `git {log,diff}`, `ls $`, `git commit -m "a b"`.

#include <array>

#include "policy/pattern/pattern.hpp"
#include "proxy/base/text.hpp"

namespace policy {
namespace {

constexpr std::size_t command_bytes_max = 4096;
constexpr std::size_t alternatives_max = 64;

// A byte of a word and whether quotes made it literal.
struct Piece {
  char byte = 0;
  bool quoted = false;
};
using Word = std::vector<Piece>;

base::Result<std::vector<Word>> split_words(std::string_view text) {
  std::vector<Word> words;
  bool inside = false;
  char quote = 0;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\t';
    if (quote == 0 && space) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
    } else if (c == quote) {
      quote = 0;
    } else {
      words.back().push_back({c, quote != 0});
    }
  }
  if (quote != 0) return base::Error(base::Code::invalid, "a quote in the command pattern is not closed");
  return words;
}

Glob glob_of(const Word& word, std::size_t begin, std::size_t end) {
  Glob glob;
  for (std::size_t i = begin; i < end; ++i) {
    const std::string_view byte(&word[i].byte, 1);
    glob.append(word[i].quoted ? Glob::literally(byte) : Glob(byte));
  }
  return glob;
}

std::size_t find(const Word& word, std::size_t from, std::string_view bytes) {
  for (std::size_t i = from; i < word.size(); ++i)
    if (!word[i].quoted && bytes.find(word[i].byte) != std::string_view::npos) return i;
  return word.size();
}

base::Error unpaired(std::string_view brace, std::string_view what) {
  return {base::Code::invalid,
          base::quoted(brace) + " in the command pattern " + std::string(what) + "; quotes make it literal"};
}

// What stands between `{` at `open` and its `}`, split at commas; none when there is no comma, as in a shell.
base::Result<std::vector<Glob>> choices(const Word& word, std::size_t open, std::size_t& close) {
  std::vector<Glob> found;
  std::size_t begin = open + 1;
  for (;;) {
    const std::size_t end = find(word, begin, "{,}");
    if (end == word.size()) return unpaired("{", "is not closed in its word");
    if (word[end].byte == '{') return base::Error(base::Code::invalid, "`{` inside `{…}` is not supported");
    found.push_back(glob_of(word, begin, end));
    begin = end + 1;
    if (word[end].byte == ',') continue;
    close = end;
    return found.size() > 1 ? found : std::vector<Glob>{};
  }
}

// The alternatives of one word.
base::Result<std::vector<Glob>> alternatives(const Word& word) {
  std::vector<Glob> all{Glob()};
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t open = find(word, at, "{}");
    if (open < word.size() && word[open].byte == '}') return unpaired("}", "closes nothing");
    const auto extend_all = [&](const Glob& tail) {
      for (Glob& glob : all) glob.append(tail);
    };
    extend_all(glob_of(word, at, open));
    if (open == word.size()) break;
    std::size_t close = open;
    const auto options = choices(word, open, close);
    if (options.has_error()) return options.error();
    at = close + 1;
    if (options->empty()) {
      extend_all(glob_of(word, open, at));
      continue;
    }
    if (all.size() * options->size() > alternatives_max)
      return base::Error(base::Code::limit,
                         "a word with more than " + std::to_string(alternatives_max) + " alternatives");
    std::vector<Glob> longer;
    for (const Glob& head : all)
      for (const Glob& option : *options) {
        longer.push_back(head);
        longer.back().append(option);
      }
    all = std::move(longer);
  }
  return all;
}

// Words of a shell that never are words of one command.
bool is_operator(const Word& word) {
  static constexpr std::array<std::string_view, 12> operators{"&&", "||", "|", ";", "&",  ">",
                                                              ">>", "<",  "(", ")", "<<", "|&"};
  std::string text;
  for (const Piece& piece : word) {
    if (piece.quoted) return false;
    text += piece.byte;
  }
  for (const std::string_view candidate : operators)
    if (text == candidate) return true;
  return false;
}

}  // namespace

base::Result<CommandPattern> CommandPattern::compile(std::string_view text) {
  if (text.size() > command_bytes_max)
    return base::Error(base::Code::limit,
                       "the command pattern is longer than " + std::to_string(command_bytes_max) + " bytes");
  auto words = split_words(text);
  if (words.has_error()) return words.error();
  CommandPattern pattern;
  pattern.text_ = text;
  if (!words->empty() && !words->back().empty() && words->back().back().byte == '$' &&
      !words->back().back().quoted) {
    pattern.complete_ = true;
    words->back().pop_back();
    if (words->back().empty()) words->pop_back();
  }
  if (words->empty()) return base::Error(base::Code::invalid, "the command pattern has no words");
  for (const Word& word : *words) {
    if (is_operator(word))
      return base::Error(base::Code::invalid,
                         "the command pattern " + base::quoted(text) +
                             " never matches: it is the words of one command, without `" +
                             glob_of(word, 0, word.size()).text() + "`");
    auto globs = alternatives(word);
    if (globs.has_error()) return globs.error();
    pattern.words_.push_back(std::move(*globs));
  }
  return pattern;
}

bool CommandPattern::matches(const std::vector<std::string>& words) const {
  return !words.empty() && matches(words.front(), std::span(words).subspan(1));
}

bool CommandPattern::matches(std::string_view program, std::span<const std::string> rest) const {
  if (rest.size() + 1 < words_.size() || (complete_ && rest.size() + 1 != words_.size())) return false;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    bool matched = false;
    for (const Glob& glob : words_[i])
      matched = matched || glob.matches(i == 0 ? program : std::string_view(rest[i - 1]));
    if (!matched) return false;
  }
  return true;
}

bool CommandPattern::covers(const CommandPattern& inner) const {
  if (complete_ && (!inner.complete_ || words_.size() != inner.words_.size())) return false;
  if (words_.size() > inner.words_.size()) return false;
  for (std::size_t i = 0; i < words_.size(); ++i)
    for (const Glob& narrow : inner.words_[i]) {
      const bool covered = std::any_of(words_[i].begin(), words_[i].end(), [&](const Glob& glob) {
        return glob == narrow || glob == Glob("*") || (narrow.literal() && glob.matches(narrow.text()));
      });
      if (!covered) return false;
    }
  return true;
}

}  // namespace policy
