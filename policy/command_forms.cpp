// The word lists under which one command is compared: denies and asks look through every wrapper, allows only
// through transparent ones.

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <unordered_set>

#include "policy/command.hpp"

namespace policy {

namespace {

template <std::size_t N>
bool one_of(std::string_view word, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

constexpr std::array<std::string_view, 9> elevating{"sudo",    "doas",     "su",   "pkexec", "run0",
                                                    "runuser", "sudoedit", "gosu", "setpriv"};
constexpr std::array<std::string_view, 12> shells{"sh",   "bash", "dash", "zsh",  "ksh",   "ash",
                                                  "fish", "mksh", "csh",  "tcsh", "rbash", "busybox"};
constexpr std::array<std::string_view, 8> system_folders{
    "/bin",           "/sbin",      "/usr/bin",        "/usr/sbin",
    "/usr/local/bin", "/usr/games", "/usr/local/sbin", "/run/current-system/sw/bin"};

struct Wrapper {
  std::string_view program;
  int operands;  // words before the command that are no options
};
constexpr std::array<Wrapper, 47> wrappers{{
    {"sudo", 0},     {"doas", 0},    {"su", 0},       {"pkexec", 0},     {"run0", 0},
    {"runuser", 0},  {"gosu", 1},    {"setpriv", 0},  {"env", 0},        {"xargs", 0},
    {"timeout", 1},  {"nice", 0},    {"nohup", 0},    {"stdbuf", 0},     {"setsid", 0},
    {"ionice", 0},   {"taskset", 1}, {"chrt", 1},     {"flock", 1},      {"watch", 0},
    {"time", 0},     {"command", 0}, {"builtin", 0},  {"exec", 0},       {"busybox", 0},
    {"toybox", 0},   {"script", 1},  {"chroot", 1},   {"unshare", 0},    {"nsenter", 0},
    {"strace", 0},   {"ltrace", 0},  {"parallel", 0}, {"caffeinate", 0}, {"systemd-run", 0},
    {"firejail", 0}, {"bwrap", 0},   {"proot", 0},    {"fakeroot", 0},   {"dbus-run-session", 0},
    {"xvfb-run", 0}, {"prlimit", 0}, {"numactl", 0},  {"eval", 0},       {"unbuffer", 0},
    {"rlwrap", 0},   {"chpst", 0},
}};
static_assert(std::all_of(wrappers.begin(), wrappers.end(),
                          [](const Wrapper& wrapper) { return wrapper.operands <= 1; }));

// The words before the command that a wrapper takes for itself; -1: no wrapper.
int operands_of(std::string_view program) {
  for (const Wrapper& wrapper : wrappers)
    if (wrapper.program == program) return wrapper.operands;
  return -1;
}

bool is_loader(std::string_view program) {
  return program.starts_with("ld-linux") || program.starts_with("ld-musl");
}

bool is_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

}  // namespace

std::string_view base_name(std::string_view program) {
  const std::size_t slash = program.rfind('/');
  return slash == std::string_view::npos ? program : program.substr(slash + 1);
}

bool elevates(std::string_view program) { return one_of(base_name(program), elevating); }

bool runs_elevated(const CommandForms& generous) {
  return std::any_of(generous.forms().begin(), generous.forms().end(),
                     [](const CommandForm& form) { return elevates(form.program); });
}

// Follows wrappers with a list of work in place of recursion: depth comes from foreign text.
class FormCollector {
 public:
  explicit FormCollector(CommandForms& forms) : forms_(forms) {}

  void follow(std::span<const std::string> words) {
    push(words);
    while (!waiting_.empty()) {
      const std::span<const std::string> next = waiting_.back();
      waiting_.pop_back();
      visit(next);
    }
  }

  void every_word(std::span<const std::string> words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string_view program = words[i];
      add(program, words.subspan(i + 1));
    }
  }

 private:
  void add(std::string_view program, std::span<const std::string> rest) {
    forms_.forms_.push_back({program, rest});
    const std::string_view base = base_name(program);
    if (base.size() != program.size() && !base.empty()) forms_.forms_.push_back({base, rest});
  }

  void push(std::span<const std::string> words) {
    if (!words.empty() && seen_.insert(words.data()).second) waiting_.push_back(words);
  }

  void push_line(const std::string& line) {
    if (!lines_.insert(line).second) return;
    LineReading reading = split_command_line(line);
    forms_.owned_.push_back(std::move(reading.commands.front().words));
    if (reading.opaque) {
      every_word(forms_.owned_.back());
    } else {
      push(forms_.owned_.back());
    }
  }

  void visit(std::span<const std::string> words) {
    const std::span<const std::string> rest = words.subspan(1);
    add(words.front(), rest);
    const std::string_view program = base_name(words.front());
    if (const int operands = operands_of(program); operands >= 0 || is_loader(program)) {
      const bool assigns = program == "env" || program == "sudo";
      add_wrapped(rest, std::max(operands, 0), assigns);
    }
    if (one_of(program, shells) || program == "su" || program == "script" || program == "watch" ||
        program == "eval" || program == "env" || program == "flock" || program == "runuser" ||
        program == "parallel")
      add_lines(rest);
    if (program == "find" || program == "fd" || program == "fdfind") add_after_exec(rest);
    if (program == "git") add_git_aliases(rest);
  }

  // Every word that may be the program: an option's value cannot be told from it. Wrappers inside wrappers
  // come to the same words again: what was read there in the same state is not read twice.
  // `assigns`: it takes `NAME=VALUE` before the program; for others that may be the program itself.
  void add_wrapped(std::span<const std::string> words, int operands, bool assigns) {
    std::vector<std::uint16_t>& states = wrapped_[words.data() + words.size()];
    if (states.size() < words.size()) states.resize(words.size());
    bool after_option = false;
    bool options_ended = false;
    for (std::size_t i = 0; i < words.size(); ++i) {
      const int state =
          1 << (operands * 8 + (assigns ? 4 : 0) + (after_option ? 2 : 0) + (options_ended ? 1 : 0));
      std::uint16_t& read = states[words.size() - 1 - i];  // counted from the end, which all share
      if ((read & state) != 0) return;
      read = static_cast<std::uint16_t>(read | state);
      const std::string& word = words[i];
      if (!options_ended && word == "--") {
        options_ended = true;
        after_option = false;
      } else if (!options_ended && is_option(word)) {
        after_option = true;
      } else if (word.find('=') != std::string::npos && word.find('/') > word.find('=')) {
        if (!assigns) push(words.subspan(i));
        after_option = false;
      } else {
        push(words.subspan(i));
        if (!after_option && operands-- == 0) return;
        after_option = false;
      }
    }
  }

  using Scans = std::unordered_map<const std::string*, const std::string*>;  // by the end of the words

  // The words that a scan to their end has not seen yet: what one has seen, the next does not scan again.
  static std::span<const std::string> unseen(std::span<const std::string> words, Scans& scans) {
    const std::string*& seen_from =
        scans.try_emplace(words.data() + words.size(), words.data() + words.size()).first->second;
    if (words.data() >= seen_from) return {};
    words = words.first(static_cast<std::size_t>(seen_from - words.data()));
    seen_from = words.data();
    return words;
  }

  // Words that a shell, or something that starts one, may read as a line; also glued to an option (`-Srm -rf
  // x`).
  void add_lines(std::span<const std::string> words) {
    for (const std::string& word : unseen(words, lines_seen_)) {
      if (!is_option(word)) {
        push_line(word);
        continue;
      }
      const std::size_t value = word.starts_with("--") ? word.find('=') : 1;
      if (value == std::string::npos || value + 1 >= word.size()) continue;
      glued_.push_back(word.substr(value + 1));
      push_line(glued_.back());
    }
  }

  void add_after_exec(std::span<const std::string> words) {
    const std::size_t count = unseen(words, execs_seen_).size();
    for (std::size_t i = 0; i < count && i + 1 < words.size(); ++i) {
      const std::string_view word = words[i];
      if (word.starts_with("-exec") || word.starts_with("-ok") || word == "-x" || word == "-X" ||
          word.starts_with("--exec"))
        push(words.subspan(i + 1));
    }
  }

  // `-c alias.x='!rm -rf x'` and other configuration that git runs.
  void add_git_aliases(std::span<const std::string> words) {
    for (const std::string& word : unseen(words, aliases_seen_)) {
      const std::size_t equals = word.find('=');
      if (equals == std::string::npos || equals + 1 >= word.size()) continue;
      const std::size_t start = word[equals + 1] == '!' ? equals + 2 : equals + 1;
      glued_.push_back(word.substr(start));
      push_line(glued_.back());
    }
  }

  CommandForms& forms_;
  std::vector<std::span<const std::string>> waiting_;
  std::unordered_set<const std::string*> seen_;
  std::unordered_set<std::string_view> lines_;
  std::unordered_map<const std::string*, std::vector<std::uint16_t>> wrapped_;  // by the end of the words
  Scans lines_seen_;
  Scans execs_seen_;
  Scans aliases_seen_;
  std::deque<std::string> glued_;
};

CommandForms CommandForms::generous(const Command& command, bool opaque) {
  CommandForms forms;
  FormCollector collector(forms);
  if (opaque && !command.line.empty()) {
    collector.every_word(command.words);
  } else {
    collector.follow(command.words);
  }
  return forms;
}

namespace {

bool all_digits_or_unit(std::string_view text) {
  if (text.empty() || text.front() < '0' || text.front() > '9') return false;
  return text.find_first_not_of("0123456789.smhd") == std::string_view::npos;
}

// How many words a transparent wrapper takes from `words` (itself included); 0: it is none, or not in a known
// form.
std::size_t transparent_words(std::string_view program, std::span<const std::string> words) {
  const auto next_is_program = [&](std::size_t at) { return words.size() > at && !is_option(words[at]); };
  if (program == "nohup" || program == "time") return next_is_program(1) ? 1 : 0;
  if (program == "timeout")
    return words.size() > 2 && all_digits_or_unit(words[1]) && next_is_program(2) ? 2 : 0;
  if (program == "nice") {
    if (words.size() > 3 && words[1] == "-n" && all_digits_or_unit(words[2]) && next_is_program(3)) return 3;
    return next_is_program(1) ? 1 : 0;
  }
  if (program == "env") return next_is_program(1) && words[1].find('=') == std::string::npos ? 1 : 0;
  return 0;
}

// A program under the name that an allow may know it by.
std::string_view trusted_name(std::string_view program) {
  const std::size_t slash = program.rfind('/');
  if (slash == std::string_view::npos) return program;
  return one_of(program.substr(0, slash), system_folders) ? program.substr(slash + 1) : program;
}

constexpr int transparent_depth_max = 16;  // beyond, the allow simply does not look further

}  // namespace

CommandForms CommandForms::strict(const Command& command) {
  CommandForms forms;
  std::span<const std::string> words = command.words;
  for (int depth = 0; depth < transparent_depth_max && !words.empty(); ++depth) {
    const std::string_view program = trusted_name(words.front());
    forms.forms_.push_back({program, words.subspan(1)});
    if ((program == "sh" || program == "bash" || program == "dash" || program == "zsh") &&
        words.size() == 3 && words[1] == "-c") {
      LineReading reading = split_command_line(words[2]);
      if (reading.opaque) break;
      forms.owned_.push_back(std::move(reading.commands.front().words));
      words = forms.owned_.back();
      continue;
    }
    const std::size_t taken = transparent_words(program, words);
    if (taken == 0) break;
    words = words.subspan(taken);
  }
  return forms;
}

bool matches_exactly(const CommandPattern& pattern, const CommandForm& form) {
  return pattern.matches(form.program, form.rest);
}

bool matches_generously(const CommandPattern& pattern, const CommandForm& form, Steps& steps) {
  constexpr std::size_t form_steps = 4;
  steps.spend(form_steps * pattern.words().front().size());
  const auto& alternatives = pattern.words().front();
  const bool program_matches = std::any_of(alternatives.begin(), alternatives.end(),
                                           [&](const Glob& glob) { return glob.matches(form.program); });
  if (!program_matches) return false;
  if (pattern.matches(form.program, form.rest)) return true;
  for (std::size_t i = 0; i < form.rest.size(); ++i) {
    const bool option = is_option(form.rest[i]);
    const bool value = i > 0 && is_option(form.rest[i - 1]);
    if (!option && !value) return false;
    if (i == options_skipped_max) return true;
    steps.spend(form_steps * pattern.words().size());
    if (pattern.matches(form.program, form.rest.subspan(i + 1))) return true;
  }
  return false;
}

}  // namespace policy
