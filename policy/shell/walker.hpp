#pragma once
// Follows a tree from command to command, as a shell runs it, with all that it may find (line.hpp). Inner to
// the reader.

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policy/shell/expand.hpp"
#include "policy/shell/line.hpp"
#include "policy/shell/state.hpp"
#include "policy/shell/tree.hpp"
#include "proxy/base/error.hpp"

namespace policy::shell {

inline constexpr std::size_t followed_max = 20'000;     // commands, each time they are followed
inline constexpr std::size_t followed_depth_max = 128;  // commands inside commands, functions and `eval` too

// The states that a command may leave; nullopt: it never ends so.
struct Flow {
  std::optional<State> succeeded;
  std::optional<State> failed;

  static Flow any(State state) {
    State same = state;
    return {std::move(same), std::move(state)};
  }
  std::optional<State> after() const { return either(succeeded, failed); }
  // The same, and leaves none.
  std::optional<State> take_after() {
    const bool same = succeeded && (!failed || *succeeded == *failed);
    return same ? std::move(succeeded) : either(succeeded, failed);
  }
  void add(const Flow& other) {
    succeeded = either(succeeded, other.succeeded);
    failed = either(failed, other.failed);
  }
};

// The value for the time of a scope.
template <class Value>
class Within {
 public:
  Within(Value& place, Value value) : place_(place), before_(std::move(place)) { place_ = std::move(value); }
  ~Within() { place_ = std::move(before_); }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;

 private:
  Value& place_;
  Value before_;
};

// Empty for the time of a scope.
template <class Value>
class Emptied {
 public:
  explicit Emptied(std::optional<Value>& place) : place_(place), before_(std::move(place)) { place_.reset(); }
  ~Emptied() { place_ = std::move(before_); }
  Emptied(const Emptied&) = delete;
  Emptied& operator=(const Emptied&) = delete;

 private:
  std::optional<Value>& place_;
  std::optional<Value> before_;
};

class Walker {
 public:
  Walker(Dialect dialect, const Surroundings& surroundings) : dialect_(dialect), around_(surroundings) {}

  // The whole of a line, or of text that the line evaluates.
  Flow line(std::string_view text, const State& state);
  // Functions that nothing called.
  void uncalled_functions();
  // Tells of every variable that was set, also where no assignment stands.
  void variables_set();

  void give(Input input) { input_ = std::move(input); }
  const std::optional<base::Error>& error() const { return error_; }
  std::vector<Simple> take() { return std::move(commands_); }

 private:
  // While a shell of its own runs commands: it leaves no loop, function or line of this one.
  class Apart {
   public:
    explicit Apart(Walker& walker);

   private:
    const Emptied<State> broke_, continued_, returned_, dropped_;
    const Within<std::size_t> loops_;
  };

  // `whole_line`: its steps are what a shell reads line by line.
  Flow list(const List& list, const State& state, bool whole_line = false);
  Flow pipeline(const Pipeline& pipeline, const State& state);
  Flow command(const Command& command, const State& state);
  Flow compound(const Command& command, const State& state);
  Flow inside(const Command& command, State state);
  Flow if_clause(const Command& command, const State& state);
  Flow loop(const Command& command, const State& state);
  Flow for_each(const Command& command, State state);
  Flow repeated(const List& body, State state);
  Flow repeat(const List& body, State state);
  Flow case_clause(const Command& command, const State& state);
  Flow condition(const Command& command, const State& state);
  Flow define(const Command& command, State state);

  Flow simple(const Command& command, State state);
  // Runs what its words name: a function, a builtin or a program.
  Flow run(Simple&& simple, State state, bool functions = true);
  Flow call(const Function& function, const Simple& simple, const State& state);
  // Builtins; nullopt: it is none. Else they take both.
  std::optional<Flow> builtin(Simple& simple, State& state);
  Flow done(Simple&& simple, State&& state);
  Flow limit(Simple&& simple, State&& state);
  Flow jobs(Simple&& simple, State&& state);
  Flow succeed(Simple&& simple, State&& state);
  Flow miss(Simple&& simple, State&& state);
  Flow leave(Simple&& simple, State&& state);
  void enter(State& changed, const std::string& target, const std::string& from, bool physical) const;
  Flow change_directory(Simple&& simple, State&& state);
  Flow evaluate(Simple&& simple, State&& state);
  Flow trap(Simple&& simple, State&& state);
  Flow replace(Simple&& simple, State&& state);
  Flow without_functions(Simple&& simple, State&& state);
  Flow wrapped(Simple&& simple, State&& state, std::string_view letters);
  Flow declare(Simple&& simple, State&& state);
  struct Declaring;
  void declare_one(Declaring& how, std::string name, std::optional<Argument> value, State& state);
  Flow set(Simple&& simple, State&& state);
  Flow unset(Simple&& simple, State&& state);
  Flow shift(Simple&& simple, State&& state);
  Flow read(Simple&& simple, State&& state);
  void call_back(Simple& simple, std::size_t at);
  Flow print(Simple&& simple, State&& state);
  Flow test(Simple&& simple, State&& state);
  Flow calculate(Simple&& simple, State&& state);
  Flow switch_options(Simple&& simple, State&& state);

  // Follows what runs while something is expanded, keeps why not all is known.
  void follow(const Expansion& expansion, State& state, std::string& trouble);
  // `listed`: patterns among them whose names the shell itself looks up.
  void words(const Word& word, State& state, std::string& trouble, std::vector<Argument>& into,
             std::vector<Argument>& listed);
  static void list_names(const Word& word, const Expansion& expansion, std::vector<Argument>& listed);
  Argument value(const Word& word, State& state, std::string& trouble);
  // `map`: the subscripts of its values are text.
  Argument assigned(const Assignment& assignment, bool map, State& state, Simple& simple);
  // Every way to give a variable a value ends here; `set_variable`: where no assignment tells of it.
  void keep_variable(State& state, const std::string& name, Argument value) const;
  void set_variable(State& state, const std::string& name, Argument value);
  void tell_set(const std::string& name, Argument value);
  // An assignment of a command; `own`: one before its words.
  void assign(const Assignment& assignment, bool own, const Command& command, State& state, Simple& simple);
  // As before the assignments of a command with words, but for what its expansions have set.
  static void put_back(State& state, const Simple& simple, const State& before);
  std::size_t grown() const {
    return constants_.size() + lists_.size() + fixed_functions_.size() + (descriptors_change_ ? 1u : 0u) +
           (unmatched_fails_ ? 1u : 0u);
  }
  // The name as far as it is one; else what it names may be evaluated.
  void forget(State& state, const Argument& name, std::string& trouble);
  void open(const std::vector<Redirect>& redirects, State& state, Simple& simple);
  bool surely_opens(const Redirect& redirect);
  // bash gives up the rest of the line that it has read where an expansion or an assignment fails, and goes
  // on with the next; others end.
  void drop_line(const State& state);
  void emit(Simple&& simple, const State& state);
  Expander expander() const { return Expander(text_, around_); }
  void fail(base::Code code, std::string what);

  const Dialect dialect_;
  const Surroundings& around_;
  std::string_view text_;  // what spans point into
  Input input_;
  std::deque<std::string> texts_;
  std::deque<List> trees_;
  std::deque<Function> defined_;
  std::vector<const Command*> called_;
  std::vector<std::string> locals_;                   // of functions that were called
  std::vector<std::string> traps_;                    // lines that traps run
  std::map<std::string, std::vector<Argument>> set_;  // variables, without an assignment, and what to
  // What only grows, whichever way the line goes: rounds of a loop are followed until they add nothing.
  std::set<std::string> constants_{"UID",       "EUID",     "PPID",
                                   "SHELLOPTS", "BASHOPTS", "BASH_VERSINFO"};  // not set
  std::set<std::string> fixed_functions_;                                      // not defined anew
  std::set<std::string> lists_;      // values of theirs are read as code
  bool descriptors_change_ = false;  // some are closed, or fewer may be opened
  bool unmatched_fails_ = false;     // `shopt -s failglob`
  std::optional<State> broke_;       // left a loop
  std::optional<State> continued_;   // left a round of one
  std::optional<State> returned_;    // left a function
  std::optional<State> dropped_;     // gave up the rest of a line
  std::size_t loops_ = 0;            // that a `break` may leave
  std::size_t calls_ = 0;            // that a `return` may leave
  std::size_t followed_ = 0;
  std::size_t depth_ = 0;
  std::vector<Simple> commands_;
  std::optional<base::Error> error_;
};

bool is_variable_name(std::string_view text);

}  // namespace policy::shell
