#include "policy/review/misread.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "proxy/base/text.hpp"

namespace policy {
namespace {

constexpr std::string_view blanks = " \t";

std::string trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
  text.remove_prefix(begin);
  return std::string(text.substr(0, text.find_last_not_of(blanks) + 1));
}

std::string key(const char* name, std::string_view value) {
  return base::quoted(std::string(name) + " = \"" + std::string(value) + "\"");
}

bool is_variable_name(std::string_view text) {
  return !text.empty() && (text.front() < '0' || text.front() > '9') &&
         std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
         });
}

bool holds_brackets(std::string_view text) {
  const std::size_t open = text.find('[');
  return open != std::string_view::npos && text.find(']', open + 2) != std::string_view::npos;
}

class Reader {
 public:
  Reader(const Condition& condition, bool restricts) : condition_(condition), restricts_(restricts) {}

  std::vector<std::string> run() {
    for (const auto* list : {&condition_.server, &condition_.tool})
      for (const NamePattern& name : *list) read_name(name.text());
    for (const auto* list : {&condition_.method, &condition_.agent, &condition_.mission})
      for (const NamePattern& name : *list) read_blanks(name.text());
    for (const auto* list : {&condition_.read, &condition_.write, &condition_.remove, &condition_.cwd})
      for (const PathPattern& path : *list)
        if (!path.text().starts_with("re:") && told_.insert(path.text()).second)
          read_path(path.text(), list == &condition_.cwd);
    for (const CommandPattern& command : condition_.run) read_command(command);
    return std::move(found_);
  }

 private:
  void say(std::string_view pattern, const std::string& what) {
    found_.push_back(base::quoted(pattern) + " " + what);
  }

  bool read_blanks(const std::string& text) {
    const std::string inner = trimmed(text);
    if (inner == text) return false;
    say(text, "begins or ends with a blank, which counts: write " + base::quoted(inner));
    return true;
  }

  // A tool together with its server, as clients and records name it.
  void read_joined(const std::string& text, std::string_view server, std::string_view tool) {
    std::string instead;
    if (!server.empty() && server != "*") instead = key("server", server);
    if (!tool.empty() && tool != "*") instead += (instead.empty() ? "" : ", ") + key("tool", tool);
    say(text, "names a server and a tool at once and matches neither" +
                  (instead.empty() ? std::string() : ": write " + instead));
  }

  // `mcp__SERVER__TOOL`, `SERVER/TOOL`. False: it is no such name.
  bool read_both(const std::string& text) {
    constexpr std::string_view prefix = "mcp__";
    if (text.starts_with(prefix)) {
      const std::string_view rest = std::string_view(text).substr(prefix.size());
      const std::size_t middle = rest.find("__");
      const bool tool = middle != std::string_view::npos;
      read_joined(text, rest.substr(0, middle), tool ? rest.substr(middle + 2) : std::string_view());
      return true;
    }
    const std::size_t slash = text.find('/');
    if (slash == std::string::npos) return false;
    read_joined(text, std::string_view(text).substr(0, slash), std::string_view(text).substr(slash + 1));
    return true;
  }

  void read_name(const std::string& text) {
    if (read_both(text) || read_blanks(text)) return;
    if (holds_brackets(text)) say(text, "holds brackets, which are literal here: write one name for each");
  }

  void read_path(const std::string& text, bool folder) {
    if (read_blanks(text) || read_variable(text)) return;
    if (text.starts_with('!')) {
      say(text, "does not take anything out again, a `!` is literal here: write " +
                    base::quoted(text.substr(1)) + " in the rule's `except`");
    } else if (holds_brackets(text)) {
      say(text,
          "holds brackets, which are literal here: write one pattern for each character, or `?` for any");
    } else if (restricts_ && !folder) {
      read_top(text);
    }
  }

  // `$HOME/x`, `${HOME}/x`
  bool read_variable(const std::string& text) {
    if (!text.starts_with('$')) return false;
    const std::size_t slash = std::min(text.find('/'), text.size());
    std::string name = text.substr(1, slash - 1);
    if (name.size() > 2 && name.front() == '{' && name.back() == '}') name = name.substr(1, name.size() - 2);
    if (!is_variable_name(name)) return false;
    const std::string rest = text.substr(slash);
    say(text, "is the name of a folder, no variable is put in: write " +
                  (name == "HOME"  ? base::quoted("~" + rest)
                   : name == "PWD" ? base::quoted(rest.size() < 2 ? "**" : rest.substr(1))
                                   : std::string("out what it holds")));
    return true;
  }

  // One name, as lists of ignored files have it: there it means every folder.
  void read_top(const std::string& text) {
    if (text.find('/') != std::string::npos || text.starts_with('~') || text == "." || text == ".." ||
        text == "*" || text == "**")
      return;
    if (!text.starts_with('.') && text.find_first_of("*?") == std::string::npos) return;
    say(text, "is meant at the top of the workspace only: write " + base::quoted("**/" + text) +
                  " for all folders, or " + base::quoted("./" + text) + " for that one");
  }

  void read_command(const CommandPattern& command) {
    const auto& words = command.words();
    const auto assigns = [](const Glob& word) {
      const std::string text = word.text();
      const std::size_t equals = text.find('=');
      return equals != std::string::npos && is_variable_name(std::string_view(text).substr(0, equals));
    };
    if (std::any_of(words.front().begin(), words.front().end(), assigns)) {
      say(command.text(),
          "never matches, since variables are no words of the command" +
              (words.size() < 2 ? std::string() : ": begin with " + base::quoted(words[1].front().text())));
      return;
    }
    if (restricts_ && !command.complete() && words.size() > 2) read_last_option(command);
  }

  // Agents write options anywhere.
  void read_last_option(const CommandPattern& command) {
    const auto& words = command.words();
    const auto is_option = [](const Glob& word) { return word.begins_with('-') && word.text().size() > 1; };
    if (!std::all_of(words.back().begin(), words.back().end(), is_option)) return;
    const std::string before = words[words.size() - 2].front().text();
    const std::string& text = command.text();
    say(text,
        "matches only where " + base::quoted(words.back().front().text()) + " stands directly behind " +
            base::quoted(before) + ": write " +
            base::quoted(trimmed(text.substr(0, text.find_last_of(blanks, text.find_last_not_of(blanks))))) +
            " for all, and `except.run` for what may pass");
  }

  const Condition& condition_;
  bool restricts_;
  std::set<std::string> told_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> misread(const Condition& condition, bool restricts) {
  return Reader(condition, restricts).run();
}

std::vector<std::string> misread(const std::vector<ContentPattern>& content) {
  std::vector<std::string> found;
  for (const ContentPattern& pattern : content) {
    const std::string name = base::lower(trimmed(pattern.text()));
    if (name == pattern.text() || !name.starts_with('@')) continue;
    if (ContentPattern::compile(name).has_error() || name.find_first_of(" ,") != std::string::npos) continue;
    found.push_back(base::quoted(pattern.text()) +
                    " is taken as an expression, not as the name of detectors: write " + base::quoted(name));
  }
  return found;
}

}  // namespace policy
