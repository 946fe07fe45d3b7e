#include "policy/command/sed_script.hpp"

namespace policy::command {
namespace {

constexpr std::string_view unknown = "a sed script that is not understood";

bool blank(char c) { return c == ' ' || c == '\t'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

class Reader {
 public:
  explicit Reader(std::string_view script) : text_(script) {}

  ScriptEffects whole() {
    while (!failed_ && next_command()) {
    }
    if (failed_ || blocks_ != 0) effects_.hide(unknown);
    return std::move(effects_);
  }

 private:
  enum class Address { none, line, zero, regex, last, step };

  bool at_end() const { return at_ >= text_.size(); }
  // A newline stands for the end too: every command but text ends there.
  char look() const { return at_end() ? '\n' : text_[at_]; }
  void skip_blanks() {
    while (!at_end() && blank(text_[at_])) ++at_;
  }
  void skip_digits() {
    while (!at_end() && digit(text_[at_])) ++at_;
  }
  void fail() { failed_ = true; }

  bool next_command() {
    while (!at_end() &&
           (blank(look()) || std::string_view("\n;\v\f\r").find(look()) != std::string_view::npos))
      ++at_;
    if (at_end()) return false;
    addressed();
    if (failed_) return false;
    if (look() == '!') {
      ++at_;
      skip_blanks();
      if (look() == '!') fail();
    }
    if (failed_ || at_end()) return fail(), false;
    const char name = text_[at_++];
    command(name);
    return true;
  }

  // `ADDRESS`, `ADDRESS,ADDRESS` or nothing; blanks behind them.
  void addressed() {
    const Address first = address();
    addresses_ = first == Address::none ? 0 : 1;
    if (addresses_ == 0 || failed_) return;
    if (first == Address::step) return fail();
    skip_blanks();
    if (look() == ',') {
      ++at_;
      skip_blanks();
      const Address second = address();
      if (second == Address::none) return fail();
      addresses_ = 2;
      skip_blanks();
      if (first == Address::zero && second != Address::regex) fail();
    } else if (first == Address::zero && look() != 'r') {
      fail();
    }
  }

  Address address() {
    const char c = look();
    if (c == '/' || c == '\\') {
      at_ += c == '\\' ? 1 : 0;
      if (!delimited(true)) return Address::none;
      while (blank(look()) || look() == 'I' || look() == 'M') ++at_;
      return Address::regex;
    }
    if (c == '$') {
      ++at_;
      return Address::last;
    }
    if (c == '+' || c == '~') {
      ++at_;
      skip_blanks();
      skip_digits();
      return Address::step;
    }
    if (!digit(c)) return Address::none;
    const std::size_t begin = at_;
    skip_digits();
    const bool zero = text_.substr(begin, at_ - begin).find_first_not_of('0') == std::string_view::npos;
    skip_blanks();
    if (look() != '~') return zero ? Address::zero : Address::line;
    ++at_;
    skip_blanks();
    const std::size_t step = at_;
    skip_digits();
    const bool every = text_.substr(step, at_ - step).find_first_not_of('0') != std::string_view::npos;
    return zero && !every ? Address::zero : Address::line;
  }

  // At the opening delimiter: to behind the closing one. Of `s` and `y` the opening one of the second half is
  // the closing one of the first.
  bool delimited(bool regex) {
    if (at_end()) return fail(), false;
    const char delimiter = text_[at_++];
    return up_to(delimiter, regex);
  }

  bool up_to(char delimiter, bool regex) {
    const bool plain = delimiter != '\n' && delimiter != '\\' && static_cast<unsigned char>(delimiter) < 0x80;
    if (!plain) return fail(), false;
    while (!at_end() && text_[at_] != '\n') {
      const char c = text_[at_++];
      if (c == delimiter) {
        // It may be the second half of a character (script_effects.hpp), which is never below `0`.
        if (c >= '0' && static_cast<unsigned char>(text_[at_ - 2]) >= 0x80) break;
        return true;
      }
      if (c == '\\') {
        if (at_end()) break;
        ++at_;
      } else if (c == '[' && regex && !bracket()) {
        break;
      }
    }
    return fail(), false;
  }

  // Behind the `[` of a regular expression: to behind its `]`. There a backslash is a character like others,
  // and `[:`, `[.`, `[=` hide what stands before their own end.
  bool bracket() {
    if (look() == '^') ++at_;
    if (look() == ']') ++at_;
    enum class State { outside, opened, inside, closing } state = State::outside;
    char kind = '\0';
    for (; !at_end() && text_[at_] != '\n'; ++at_) {
      const char c = text_[at_];
      const bool marks = c == '.' || c == ':' || c == '=';
      if (marks && state == State::opened) {
        kind = c;
        state = State::inside;
      } else if (marks && state == State::inside && c == kind) {
        state = State::closing;
      } else if (c == '[' && state == State::outside) {
        state = State::opened;
      } else if (c == '[') {
        // sed keeps its state here.
      } else if (c == ']' && (state == State::outside || state == State::opened)) {
        ++at_;
        return true;
      } else if (c == ']' && state == State::closing) {
        state = State::outside;
      } else if (state == State::opened) {
        state = State::outside;
      } else if (state == State::closing) {
        state = State::inside;
      }
    }
    return false;
  }

  void command(char name) {
    switch (name) {
      case '#': return addresses_ != 0 ? fail() : skip_line();
      case '{': ++blocks_; return;
      case '}':
        if (blocks_ == 0 || addresses_ != 0) return fail();
        --blocks_;
        return end_of_command();
      case ':':
        if (addresses_ != 0) return fail();
        return label(true);
      case 'b':
      case 't':
      case 'T':
      case 'v': return label(false);
      case 'q':
      case 'Q':
        if (addresses_ == 2) return fail();
        [[fallthrough]];
      case 'l':
        skip_blanks();
        skip_digits();
        return end_of_command();
      case '=':
      case 'd':
      case 'D':
      case 'F':
      case 'g':
      case 'G':
      case 'h':
      case 'H':
      case 'n':
      case 'N':
      case 'p':
      case 'P':
      case 'x':
      case 'z': return end_of_command();
      case 'a':
      case 'i':
      case 'c': return static_cast<void>(text());
      case 'e': return executed();
      case 'r':
      case 'R': return file(effects_.reads);
      case 'w':
      case 'W': return file(effects_.writes);
      case 's': return substitute();
      case 'y': return static_cast<void>(halves(false));
      default: return fail();
    }
  }

  void end_of_command() {
    skip_blanks();
    if (look() == '}' || look() == '#') return;
    if (look() != '\n' && look() != ';') return fail();
    if (!at_end()) ++at_;
  }

  void skip_line() {
    while (!at_end() && text_[at_] != '\n') ++at_;
  }

  void label(bool needed) {
    skip_blanks();
    const std::size_t begin = at_;
    while (!at_end() && std::string_view(" \t\n;}#").find(text_[at_]) == std::string_view::npos) ++at_;
    if (needed && at_ == begin) fail();
  }

  // The text of `a`, `i`, `c` and `e`: to the end of a line that ends in no backslash. Returned as written.
  std::string_view text() {
    skip_blanks();
    if (at_end()) return fail(), std::string_view();
    if (text_[at_] == '\\') {
      // Whatever follows is text, a newline too; another backslash as well, and it hides nothing.
      ++at_;
      if (at_end()) return fail(), std::string_view();
      ++at_;
    }
    const std::size_t begin = at_;
    while (!at_end() && text_[at_] != '\n') at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_, text_.size());
    return text_.substr(begin, at_ - begin);
  }

  void executed() {
    skip_blanks();
    const std::size_t begin = at_;
    if (look() == '\n') return effects_.hide("a sed script that runs the text it reads");
    static_cast<void>(text());
    const std::string_view line = text_.substr(begin, at_ - begin);
    if (line.find('\\') != std::string_view::npos)
      return effects_.hide("a sed script that runs a command with a backslash");
    effects_.lines.emplace_back(line);
  }

  void file(std::vector<std::string>& into) {
    skip_blanks();
    const std::size_t begin = at_;
    skip_line();
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name.empty()) return fail();
    if (name != "/dev/stdin" && name != "/dev/stdout" && name != "/dev/stderr") into.emplace_back(name);
  }

  // The two halves of `s` and `y`.
  bool halves(bool regex) {
    if (at_end()) return fail(), false;
    const char delimiter = text_[at_++];
    const bool read = up_to(delimiter, regex) && up_to(delimiter, false);
    if (read && !regex) end_of_command();
    return read;
  }

  void substitute() {
    if (!halves(true)) return;
    for (;;) {
      const char c = look();
      if (c == '}' || c == '#') return;
      if (c == '\n' || c == ';') return end_of_command();
      ++at_;
      if (c == 'w') return file(effects_.writes);
      if (c == 'e') effects_.hide("a sed script that runs what a substitution makes");
      if (c == '\r' && look() == '\n') return;
      if (c == '\r' ||
          (!blank(c) && !digit(c) && std::string_view("iImMepg").find(c) == std::string_view::npos))
        return fail();
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int addresses_ = 0;
  int blocks_ = 0;
  bool failed_ = false;
  ScriptEffects effects_;
};

}  // namespace

ScriptEffects read_sed_script(std::string_view script) {
  ScriptEffects effects;
  if (script.size() > script_bytes_max) {
    effects.hide("a sed script that is too long");
  } else if (!reads_alike(script)) {
    effects.hide(unknown);
  } else {
    effects = Reader(script).whole();
  }
  return effects;
}

}  // namespace policy::command
